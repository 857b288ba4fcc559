"""Answers written from the statements alone: right in other styles, and wrong.

Each is code that a student could have in a cell; what it names ``answer`` is handed in.
A wrong answer may carry a hint that must be given (a few of its words), or ``None``
where any hint would be a guess.
"""

RIGHT = {
    "01-former-state": [
        """
def answer(S, H):
    out = []
    for state in S[:len(S) - 1]:
        e = np.exp(H @ state - (H @ state).max())
        out.append(e @ H / e.sum())
    return np.array(out)
""",
        """
from attnbook import attention
def answer(S, H):
    return attention(S[:-1], H, H, scale=1)
""",
        """
from attnbook.kernel import softmax
def answer(S, H):
    weights = softmax(S @ H.T)
    return (weights @ H)[:-1]
""",
    ],
    "01-one-matrix": [
        "answer = lambda Q, K: Q @ np.transpose(K) / K.shape[-1] ** 0.5",
        """
def answer(Q, K):
    s = np.sqrt(np.sqrt(Q.shape[1]))
    return (Q / s) @ (K / s).T
""",
        "answer = lambda Q, K: np.einsum('ai,bi->ab', Q, K) * len(Q[0]) ** -0.5",
    ],
    "01-overwrite": [
        """
def answer(C, k, v):
    u = k / np.linalg.norm(k)
    kept = C - np.outer(u, u @ C)
    return kept + np.outer(u, v) / np.linalg.norm(k)
""",
        """
def answer(C, k, v):
    missing = v - C.T @ k
    return C + k[:, None] * missing[None, :] / np.dot(k, k)
""",
    ],
    "01-shrinking-nudge": [
        "answer = 0.62",
        """
r = np.random.default_rng(3)
shares = []
for _ in range(10):
    W = r.normal(0, 1 / 8, (64, 64))
    a = np.zeros(64)
    for _ in range(20):
        a = np.tanh(r.normal(size=64) + a @ W)
    d = r.normal(size=64)
    b = a + 1e-6 * d / np.sqrt(d @ d)
    for _ in range(20):
        x = r.normal(size=64)
        a, b = np.tanh(x + a @ W), np.tanh(x + b @ W)
    shares.append((np.linalg.norm(b - a) / 1e-6) ** 0.05)
answer = np.mean(shares)
""",
    ],
    "01-what-comes-back": [
        "answer = (-1, 7)",
        "answer = np.array([-1.0, 7.0])",
        """
C = np.outer([1, 0], [2, 1]) + np.outer([0.6, 0.8], [-5, 10])
answer = C[0]
""",
    ],
    "01-wide-enough": [
        "answer = (1000 / 0.01, (1000 / 0.01) ** 2 / (2 * 1001 * 16))",
        "answer = (100_000, 312_187.8)",
    ],
    "03-best-stranger": [
        "answer = 0.39",
        """
r = np.random.default_rng(5)
q = r.standard_normal((200, 64)); k = r.standard_normal((1000, 64))
c = q @ k.T / np.sqrt((q**2).sum(1))[:, None] / np.sqrt((k**2).sum(1))
answer = c.max(-1).mean()
""",
        """
best = []
r = np.random.default_rng(1)
k = r.normal(size=(1000, 64))
for _ in range(300):
    q = r.normal(size=64)
    best.append(max(k @ q / np.linalg.norm(k, axis=1)) / np.linalg.norm(q))
answer = sum(best) / len(best)
""",
        "answer = np.array([0.391])",
    ],
    "03-cosine-scores": [
        """
def answer(Q, K):
    dots = np.einsum("...id,...jd->...ij", Q, K)
    a = np.sqrt(np.einsum("...id,...id->...i", Q, Q))
    b = np.sqrt(np.einsum("...jd,...jd->...j", K, K))
    norms = a[..., :, None] * b[..., None, :]
    return np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
""",
        """
def unit(X):
    n = np.linalg.norm(X, axis=-1, keepdims=True)
    n[n == 0] = 1
    return X / n

def answer(Q, K):
    return unit(Q) @ unit(K).swapaxes(-2, -1)
""",
        """
def answer(Q, K):
    with np.errstate(all="ignore"):
        q = Q / np.sqrt((Q * Q).sum(-1))[..., None]
        k = K / np.sqrt((K * K).sum(-1))[..., None]
    return np.nan_to_num(q) @ np.moveaxis(np.nan_to_num(k), -1, -2)
""",
        """
def answer(Q, K):
    out = np.zeros(Q.shape[:-1] + (K.shape[-2],))
    for place in np.ndindex(out.shape):
        q, k = Q[place[:-1]], K[place[:-2] + (place[-1],)]
        size = np.linalg.norm(q) * np.linalg.norm(k)
        out[place] = q @ k / size if size else 0
    return out
""",
    ],
    "03-nearest-bug": [
        """
def answer(Q, K):
    return np.argmax(Q @ (K / np.linalg.norm(K, axis=1)[:, None]).T, axis=1)
""",
        """
def answer(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return np.array([np.argmax([q @ k for k in K]) for q in Q])
""",
        """
def answer(Q, K):
    unit = lambda X: X / np.sqrt((X**2).sum(-1, keepdims=True))
    angles = np.arccos(np.clip(unit(Q) @ unit(K).T, -1, 1))
    return angles.argmin(-1)
""",
        """
def answer(Q, K):
    return [max(range(len(K)), key=lambda j: q @ K[j] / (K[j] @ K[j]) ** 0.5) for q in Q]
""",
    ],
    "03-other-matrices": [
        "answer = lambda W_K, A: W_K @ np.linalg.inv(A.T)",
        "answer = lambda W_K, A: np.linalg.solve(A, W_K.T).T",
        """
def answer(W_K, A):
    return (np.linalg.inv(A) @ W_K.T).T
""",
        "answer = lambda W_K, A: W_K.dot(np.linalg.pinv(A).transpose())",
    ],
    "03-parameters": [
        "answer = (2 * 768 * 64, 2 * 768 * 64 + 64, 768**2)",
        "answer = [98304, 98368, 589824]",
        "answer = np.array([98304.0, 98368.0, 589824.0])",
    ],
    "03-tie": [
        "answer = (2.6, math.exp(6.5))",
        "answer = (6.5 / 2.5, 665.14)",
        "from fractions import Fraction\nanswer = (Fraction(13, 5), 665)",
        "answer = np.array([[2.6], [665.1]])",
    ],
    "04-cooling-bug": [
        """
def answer(weights, temperature):
    p = np.power(weights, 1 / temperature)
    return p / np.sum(p, -1)[..., None]
""",
        """
def answer(weights, temperature):
    with np.errstate(divide="ignore"):
        z = np.log(weights)
    return ab.softmax(z / temperature)
""",
        """
def answer(weights, temperature):
    top = weights.max(axis=-1, keepdims=True)
    p = (weights / top) ** (1.0 / temperature)
    return p / p.sum(axis=-1, keepdims=True)
""",
    ],
    "04-lead": [
        "answer = lambda p, n: math.log(p * (n - 1) / (1 - p))",
        "answer = lambda p, n: np.log(p) - np.log1p(-p) + np.log(n - 1)",
        "def answer(weight, n_keys):\n    return float(np.log((n_keys - 1) / (1 / weight - 1)))",
        "answer = lambda p, n: np.array([np.log(p / (1 - p) * (n - 1))])",
    ],
    "04-ratios": [
        "answer = (54.6, 6.05)",
        "answer = [np.exp(4), np.exp(1.8)]",
        "s = np.exp(2 * np.array([3, 1, .1, -.5, -1])); answer = (s[0]/s[1], s[1]/s[2])",
    ],
    "04-stable-softmax": [
        """
def answer(scores, temperature, axis):
    m = np.max(scores, axis, keepdims=True)
    e = np.exp((scores - m) / temperature)
    return e / np.sum(e, axis, keepdims=True)
""",
        """
def answer(scores, temperature, axis):
    x = np.moveaxis(scores, axis, 0)
    e = np.exp((x - x.max(0)) / temperature)
    return np.moveaxis(e / e.sum(0), 0, axis)
""",
        """
def one(row, t):
    e = np.exp((row - row.max()) / t)
    return e / e.sum()

def answer(scores, temperature, axis):
    return np.apply_along_axis(one, axis, scores, temperature)
""",
        """
def answer(scores, temperature, axis):
    gaps = scores - np.amax(scores, axis=axis, keepdims=True)
    gaps /= temperature
    np.exp(gaps, out=gaps)
    gaps /= gaps.sum(axis, keepdims=True)
    return gaps
""",
        """
def answer(scores, temperature, axis):
    z = (scores - scores.max(axis=axis, keepdims=True)) / temperature
    return np.exp(z - np.log(np.exp(z).sum(axis=axis, keepdims=True)))
""",
    ],
    "04-three-keys": [
        "answer = 1.36",
        """
ts = np.linspace(1, 2, 2001)
answer = next(t for t in ts if ab.effective_keys(ab.softmax(np.array([2, 1, .1, -.5, -1]) / t)) >= 3)
""",
        "answer = np.float32(1.3627)",
    ],
    "04-ties": [
        "answer = (np.log(3), np.log(5))",
        "answer = (1.0986, 1.6094)",
        "answer = [math.log(3), math.log(5)]",
    ],
    "05-general-variance": [
        "answer = lambda a, b: np.einsum('ij,ij', a, b)",
        "answer = lambda a, b: np.sum(a * b)",
        "answer = lambda a, b: np.trace(b @ a)",
        "answer = lambda a, b: (a @ b).diagonal().sum()",
        "answer = lambda a, b: np.vdot(a, b)",
        "answer = lambda a, b: sum(a[i, j] * b[i, j] for i in range(len(a)) for j in range(len(a)))",
    ],
    "05-half-precision": [
        "answer = lambda Q, K: Q.astype(float) @ K.astype(float).T / Q.shape[1] ** 0.5",
        "answer = lambda Q, K: np.matmul(Q / np.sqrt(Q.shape[-1]), K.T, dtype=np.float32)",
        "answer = lambda Q, K: (Q / np.float16(np.sqrt(Q.shape[-1]))) @ K.T",
        "answer = lambda Q, K: np.einsum('id,jd->ij', Q.astype('f4'), K.astype('f4')) / math.sqrt(Q.shape[1])",
    ],
    "05-heads-bug": [
        """
def answer(X, W_Q, W_K, n_heads):
    n = len(X)
    Q = (X @ W_Q).reshape(n, n_heads, -1).transpose(1, 0, 2)
    K = (X @ W_K).reshape(n, n_heads, -1).transpose(1, 0, 2)
    return ab.softmax(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
""",
        """
def answer(X, W_Q, W_K, n_heads):
    d = X.shape[1] // n_heads
    out = []
    for h in range(n_heads):
        part = slice(h * d, (h + 1) * d)
        s = (X @ W_Q[:, part]) @ (X @ W_K[:, part]).T / d**0.5
        e = np.exp(s - s.max(1, keepdims=True))
        out.append(e / e.sum(1, keepdims=True))
    return out
""",
        """
from attnbook import attention_weights, split_heads
def answer(X, W_Q, W_K, n_heads):
    return attention_weights(split_heads(X @ W_Q, n_heads), split_heads(X @ W_K, n_heads))
""",
    ],
    "05-idle-bias": [
        "answer = lambda K: K + 1",
        "answer = lambda K: K - K[-1]",
        "answer = lambda K: K - K[0]",
        "answer = lambda K: K - K.mean(axis=0)",
        "answer = lambda K: K - np.median(K, axis=0) + 2",
        "answer = lambda K: K - K[0] + 1",
        "answer = lambda K: K + np.arange(K.shape[1]) + 1",
        "answer = lambda K: K + np.random.randn(K.shape[1])",
        "answer = lambda K: (K + 5).tolist()",
        "answer = lambda K: K - K.max(axis=0, keepdims=True)",
        "answer = lambda K: K.astype(np.float32) + np.float32(2)",
        "answer = lambda K: K + 1000",
    ],
    "05-init-deviation": [
        "answer = 0.75",
        """
r = np.random.default_rng(3)
a, b = (r.normal(0, 1.5, (500, 768)) for _ in range(2))
w, v = (r.uniform(-1, 1, (768, 64)) / 768**0.5 for _ in range(2))
answer = np.std((a @ w) @ (b @ v).T / 8)
""",
        "answer = 1.5**2 / 3",
    ],
    "05-keys-heard": [
        "answer = 3.0",
        """
r = np.random.default_rng(4)
Q, K, V, dO = (r.normal(size=s) for s in ((400, 64), (256, 64), (256, 16), (400, 16)))
P = ab.softmax(Q @ K.T)
J = np.array([np.diag(p) - np.outer(p, p) for p in P])
dS = np.einsum("qij,qj->qi", J, dO @ V.T)
answer = np.median(np.abs(dS).sum(1) ** 2 / (dS**2).sum(1))
""",
    ],
    "05-scaled-scores": [
        "answer = lambda Q, K: np.einsum('...qd,...kd->...qk', Q, K) / np.sqrt(Q.shape[-1])",
        "answer = lambda Q, K: (Q / math.sqrt(Q.shape[-1])) @ np.moveaxis(K, -1, -2)",
        "answer = lambda Q, K: np.matmul(Q, K.swapaxes(-1, -2)) * K.shape[-1] ** -0.5",
        """
def answer(Q, K):
    if Q.ndim == 2:
        return Q @ K.T / np.sqrt(Q.shape[1])
    return np.array([answer(q, k) for q, k in zip(Q, K)])
""",
        "answer = lambda Q, K: (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / Q.shape[-1] ** .5",
        "answer = lambda Q, K: Q.astype(np.float32) @ K.astype(np.float32).swapaxes(-1, -2) / np.float32(Q.shape[-1]) ** .5",
    ],
    "05-shifted-means": [
        "answer = (math.sqrt(5), 1)",
        "answer = (2.24, 1.0)",
        """
r = np.random.default_rng(0)
Q, K = r.normal(size=(300, 64)), r.normal(size=(5000, 64))
answer = (((Q + 2) @ K.T / 8).std(axis=1).mean(), (Q @ (K + 2).T / 8).std(axis=1).mean())
""",
        """
torch = __import__("torch")
answer = (torch.tensor(5.0, requires_grad=True).sqrt(), torch.tensor(1.0))
""",
    ],
    "08-cached-mask": [
        "answer = lambda n_q, n_k: np.arange(n_k) <= np.arange(n_q)[:, None] + n_k - n_q",
        "answer = lambda n_q, n_k: ~np.triu(np.ones((n_q, n_k), bool), k=n_k - n_q + 1)",
        "answer = lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q, dtype=bool)",
        "answer = lambda n_q, n_k: [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]",
        """
def answer(n_q, n_k):
    big = max(n_q, n_k)
    return np.tril(np.ones((big, big), bool))[big - n_q:, big - n_k:]
""",
    ],
    "08-combined-mask": [
        """
def answer(n, length, left):
    i, j = np.ogrid[:n, :n]
    return (j <= i) & (i - j <= left) & (j < length)
""",
        """
def answer(n, length, left):
    m = np.tril(np.ones((n, n), bool)) & np.triu(np.ones((n, n), bool), -left)
    m[:, length:] = False
    return m
""",
        "answer = lambda n, length, left: [[i - left <= j <= i and j < length for j in range(n)] for i in range(n)]",
        "answer = lambda n, length, left: np.fromfunction(lambda i, j: (j <= i) * (j >= i - left) * (j < length), (n, n))",
    ],
    "08-empty-rows": [
        """
def answer(scores, mask, axis):
    s = np.where(mask, scores, -np.inf)
    m = s.max(axis=axis, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(s - m)
    t = e.sum(axis=axis, keepdims=True)
    return np.divide(e, t, out=np.zeros_like(e), where=t > 0)
""",
        """
def answer(scores, mask, axis):
    m = np.max(scores, axis=axis, keepdims=True, where=mask, initial=-1e308)
    e = np.where(mask, np.exp(np.where(mask, scores, m) - m), 0)
    t = e.sum(axis, keepdims=True)
    return e / np.maximum(t, 1e-300)
""",
        """
def answer(scores, mask, axis):
    s = np.moveaxis(np.where(mask, scores, -np.inf), axis, -1)
    out = np.zeros(s.shape)
    for place in np.ndindex(s.shape[:-1]):
        row = s[place]
        if row.max() > -np.inf:
            e = np.exp(row - row.max())
            out[place] = e / e.sum()
    return np.moveaxis(out, -1, axis)
""",
        # The sum of a row with a key is 1 at least: 1e-9 beside it cannot be seen.
        """
def answer(s, m, a):
    h = np.where(m, s, -np.inf)
    e = np.exp(h - np.nan_to_num(h.max(a, keepdims=True), neginf=0))
    return e / (e.sum(a, keepdims=True) + 1e-9)
""",
        """
def answer(scores, mask, axis):
    with np.errstate(all="ignore"):
        s = np.where(mask, scores, -np.inf)
        e = np.exp(s - s.max(axis=axis, keepdims=True))
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
""",
    ],
    "08-fatal-lead": [
        """
L = 1
while np.exp((np.float32(0) - np.float32(L)) / np.float32(3)) > 0:
    L += 1
answer = L
""",
        "answer = 312",
        """
def broken(L):
    s = np.array([0, L], np.float32)
    e = np.exp((s - s.max()) / np.float32(3))
    return e[0] / e.sum() == 0
answer = min(L for L in range(1, 1000) if broken(L))
""",
    ],
    "08-three-ways": [
        "answer = (0.622, 0.186, 0.494)",
        """
s = np.array([1, .5, 1.5])
a = ab.softmax(np.array([1, .5, -np.inf])); b = ab.softmax(np.array([1, .5, 0])); c = ab.softmax(s)
answer = (a[0], b[2], c[:2].sum())
""",
    ],
    "08-visible-pairs": [
        """
def answer(n, left):
    w = min(n, left + 1)
    return w * (w + 1) // 2 + (n - w) * w
""",
        """
def answer(n, left):
    if left >= n:
        return n * (n + 1) // 2
    return n * (left + 1) - left * (left + 1) // 2
""",
        "answer = lambda n, left: n * (n + 1) // 2 - max(n - left - 1, 0) * (max(n - left - 1, 0) + 1) // 2",
        "answer = lambda n, left: sum(max(n - d, 0) for d in range(left + 1))",
    ],
    "12-cache-bytes": [
        "answer = lambda n, L, h, kv, d, b: 2 * n * L * kv * d * b",
        "def answer(n, n_layers, n_heads, n_kv_heads, d_head, itemsize):\n    keys = n * n_kv_heads * d_head\n    return n_layers * (keys + keys) * itemsize",
        "answer = lambda n, L, h, kv, d, b: float(np.prod([2, n, L, kv, d, b], dtype=float))",
    ],
    "12-counted-share": [
        "answer = 256 / 336",
        "from fractions import Fraction\nanswer = Fraction(16, 21)",
        """
from attnbook.meter import count_layer
r = np.random.default_rng(7)
_, c, _ = count_layer(r.normal(size=(256, 64)), r.normal(size=(64, 64)), r.normal(size=(64, 16)),
                      r.normal(size=(64, 16)), r.normal(size=(64, 64)), n_heads=4, n_kv_heads=1)
answer = c.products.flops / (c.products.flops + c.projections.flops)
""",
    ],
    "12-doubled": [
        "answer = (4, 3, 2.5)",
        "from decimal import Decimal\nanswer = (Decimal(4), Decimal(3), Decimal('2.5'))",
    ],
    "12-flops-bug": [
        "answer = lambda n, d_model, n_heads: 4 * n * n * d_model",
        "answer = lambda n, d_model, n_heads: n_heads * 2 * (2 * n * n * (d_model // n_heads))",
        "answer = lambda n, d_model, n_heads: n_heads * 2 * (2 * n * n * d_model) / n_heads",
        "answer = lambda n, d, h: sum(4 * n**2 * (d // h) for _ in range(h))",
    ],
    "12-half-length": [
        "answer = lambda d, dh, kv, f: d * (1 + f) + kv * dh",
        "answer = lambda d, dh, kv, f: (4*d*d + 4*d*kv*dh + 4*f*d*d) / (4*d)",
        "def answer(d_model, d_head, n_kv_heads, factor):\n    return d_model * (1 + n_kv_heads * d_head / d_model + factor)",
    ],
    "12-longest": [
        "answer = lambda m, h, b: int(math.sqrt(m / (h * b)))",
        "answer = lambda m, h, b: int((m // (h * b)) ** 0.5)",
        "answer = lambda m, h, b: math.floor(np.sqrt(m / h / b))",
        "def answer(memory, n_heads, itemsize):\n    n = 0\n    step = 1 << 40\n    while step:\n        if (n + step) ** 2 * n_heads * itemsize <= memory:\n            n += step\n        step //= 2\n    return n",
    ],
}

WRONG = {
    "01-former-state": [
        (
            "from attnbook.kernel import softmax\nanswer = lambda S, H: softmax(S @ H.T) @ H",
            "one state more",
        ),
        (
            "from attnbook.kernel import softmax\nanswer = lambda S, H: softmax(S[:-1] @ H.T, axis=0) @ H",
            "along the last axis",
        ),
        ("answer = lambda S, H: S[:-1] @ H.T @ H", "become weights"),
        ("answer = lambda S, H: H", None),
        (
            "from attnbook import attention\nanswer = lambda S, H: attention(S[:-1], H, H)",
            "plain dot products",
        ),
    ],
    "01-one-matrix": [
        ("answer = lambda Q, K: Q @ K.T", "divides by a root as well"),
        ("answer = lambda Q, K: K @ Q.T / np.sqrt(Q.shape[1])", "meets the key first"),
        ("answer = lambda Q, K: Q @ K.T / Q.shape[1]", "*root* of the width"),
        ("answer = lambda Q, K: Q.T @ K", None),
    ],
    "01-overwrite": [
        ("answer = lambda C, k, v: C + np.outer(k, v)", "old answer besides"),
        ("answer = lambda C, k, v: C + np.outer(k, v - k @ C)", "keys of length 1"),
        (
            "answer = lambda C, k, v: np.outer(k, v) / (k @ k)",
            "perpendicular to `k` must",
        ),
        ("answer = lambda C, k, v: C", None),
    ],
    "01-shrinking-nudge": [
        ("answer = 1", "alone keeps"),
        ("answer = 0.62**20", "left after all updates"),
        ("answer = 2.0", "most that `W` can stretch"),
        ("answer = 0.5", None),
    ],
    "01-what-comes-back": [
        ("answer = (2, 1)", "perpendicular"),
        ("answer = (-3, 11)", "multiplied by the product"),
        ("answer = (-3.8, 10.6)", "*second* key"),
        ("answer = (7, -1)", None),
        ("answer = (-2, 9)", "first entry"),
    ],
    "01-wide-enough": [
        ("answer = (10_000, 10_000**2 / (2 * 1001 * 16))", "mean of its square"),
        ("answer = (100_100, 100_100**2 / (2 * 1001 * 16))", "count the others"),
        ("answer = (100_000, 1e5**2 / (1001 * 16))", "values too"),
        ("answer = (100_000, 1e5 / (2 * 1001 * 16))", "a matrix"),
        ("answer = 100_000", None),
    ],
    "03-best-stranger": [
        ("answer = 0.125", "*one* cosine"),
        ("answer = 1", None),
        ("answer = 0", None),
        ("answer = 3.24", "length of the query only"),
        ("answer = 0.5", None),
        ("answer = None", None),
    ],
    "03-cosine-scores": [
        ("def answer(Q, K):\n    Q @ np.swapaxes(K, -1, -2)", None),
        ("answer = lambda Q, K: Q @ K.T", None),
        (
            "def answer(Q, K):\n    q = np.linalg.norm(Q); k = np.linalg.norm(K)\n    return Q @ K.swapaxes(-1, -2) / (q * k)",
            "one norm for the whole",
        ),
        (
            "def answer(Q, K):\n    q = np.linalg.norm(Q, axis=-1, keepdims=True) + 1e-12\n    k = np.linalg.norm(K, axis=-1, keepdims=True) + 1e-12\n    return (Q / q) @ (K / k).swapaxes(-1, -2)",
            None,
        ),
        (
            "def answer(Q, K):\n    Q /= np.linalg.norm(Q, axis=-1, keepdims=True)\n    return Q @ np.swapaxes(K, -1, -2)",
            None,
        ),
        (
            "def answer(Q, K):\n    q = np.linalg.norm(Q, axis=0); k = np.linalg.norm(K, axis=0)\n    return (Q / q) @ (K / k).swapaxes(-1, -2)",
            None,
        ),
        (
            "def answer(Q, K):\n    u = lambda X: np.nan_to_num(X / np.linalg.norm(X, axis=-1, keepdims=True))\n    return np.round(u(Q) @ u(K).swapaxes(-1, -2), 3)",
            None,
        ),
        (
            "def answer(Q, K):\n    u = lambda X: np.nan_to_num(X / np.linalg.norm(X, axis=-1, keepdims=True))\n    return u(K) @ u(Q).swapaxes(-1, -2)",
            None,
        ),
        (
            "def answer(Q, K):\n    u = lambda X: np.nan_to_num(X / np.linalg.norm(X, axis=-1, keepdims=True))\n    return abs(u(Q) @ u(K).swapaxes(-1, -2))",
            None,
        ),
    ],
    "03-nearest-bug": [
        (
            "def answer(Q, K):\n    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)\n    return (Q @ K.T / np.sqrt(Q.shape[-1])).argmax(-1)",
            "differ within a row",
        ),
        (
            "def answer(Q, K):\n    return (Q @ K.T).argmax(axis=-1)",
            "differ within a row",
        ),
        (
            "def answer(Q, K):\n    K = K / np.linalg.norm(K)\n    return (Q @ K.T).argmax(axis=-1)",
            "differ within a row",
        ),
        (
            "def answer(Q, K):\n    K = K / (np.linalg.norm(K, axis=-1, keepdims=True) + 1e-8)\n    return (Q @ K.T).argmax(axis=-1)",
            None,
        ),
        (
            "def answer(Q, K):\n    K = K / np.linalg.norm(K, axis=-1, keepdims=True)\n    return (Q @ K.T).argmin(axis=-1)",
            None,
        ),
        (
            "def answer(Q, K):\n    K = K / np.linalg.norm(K, axis=-1, keepdims=True)\n    return (Q @ K.T).argmax()",
            None,
        ),
        (
            "def answer(Q, K):\n    K = K / np.abs(K).sum(-1, keepdims=True)\n    return (Q @ K.T).argmax(axis=-1)",
            None,
        ),
        (
            "def answer(Q, K):\n    K = K / np.linalg.norm(K, axis=-1, keepdims=True)\n    return (Q @ K.T).max(axis=-1)",
            None,
        ),
        (
            "def answer(Q, K):\n    K = K / np.linalg.norm(K, axis=-1)\n    return (Q @ K.T).argmax(axis=-1)",
            None,
        ),
    ],
    "03-other-matrices": [
        ("answer = lambda W_K, A: W_K @ np.linalg.inv(A)", "*transposed*"),
        ("answer = lambda W_K, A: np.linalg.inv(A) @ W_K", None),
        ("answer = lambda W_K, A: W_K @ A.T", "rotation only"),
        ("answer = lambda W_K, A: W_K / A", None),
        ("answer = lambda W_K, A: np.linalg.inv(A).T", None),
        ("answer = lambda W_K, A: W_K", "the keys stay"),
        ("answer = lambda W_K, A: W_K / np.linalg.det(A)", None),
    ],
    "03-parameters": [
        ("answer = (98304, 98304, 589824)", "vector $v$"),
        ("answer = (98368, 98304, 589824)", None),
        ("answer = (98304, 98368, 4096)", "two *tokens*"),
        ("answer = (2, 3, 1)", None),
        ("answer = (98304, 98368)", None),
        ("answer = (49152, 49216, 589824)", "two matrices"),
        ("answer = (98304, 98432, 589824)", None),
        ("answer = 98304", None),
    ],
    "03-tie": [
        ("answer = (2.6, 6.5)", None),
        ("answer = (0.3846, 665)", "other way round"),
        ("answer = (4, 665)", None),
        ("answer = (2.6, 2)", "divided the scores"),
        ("answer = (2.6, 442413)", "$e$ to the score"),
        ("answer = (3.82, 665)", "equally long"),
        ("answer = (0.3846, 2)", None),
        ("answer = ('2.6', '665')", None),
    ],
    "04-cooling-bug": [
        ("answer = lambda w, t: w / t / (w / t).sum()", None),
        (
            "answer = lambda w, t: w ** t / (w ** t).sum(-1, keepdims=True)",
            "low temperature must sharpen",
        ),
        (
            "answer = lambda w, t: np.exp(w / t) / np.exp(w / t).sum(-1, keepdims=True)",
            "treat the weights as scores",
        ),
        ("answer = lambda w, t: w ** (1 / t)", "Make each row sum to 1"),
        ("answer = lambda w, t: w ** (1 / t) / (w ** (1 / t)).sum(0)", None),
        ("answer = lambda w, t: w", None),
        (
            "answer = lambda w, t: np.exp(np.log(w + 1e-9) / t) / np.exp(np.log(w + 1e-9) / t).sum(-1, keepdims=True)",
            None,
        ),
        (
            "answer = lambda w, t: (w / t) / (w / t).sum(axis=-1, keepdims=True) * 1.0",
            "cancels in each ratio",
        ),
    ],
    "04-lead": [
        ("answer = lambda p, n: np.log(p / (1 - p))", "one rival"),
        ("answer = lambda p, n: np.log(n - 1)", "Where is $p$"),
        ("answer = lambda p, n: np.log(p * n / (1 - p))", "no rival of itself"),
        ("answer = lambda p, n: np.log(p) + np.log(n - 1)", "belongs where you have"),
        ("answer = lambda p, n: 9.01", None),
        ("answer = lambda p, n: np.log2(p / (1 - p) * (n - 1))", "natural logarithm"),
        ("answer = lambda p, n: p * (n - 1) / (1 - p)", "logarithm to get"),
        (
            "answer = lambda p, n: np.log(1 - p) - np.log(p) + np.log(n - 1)",
            "check the odds",
        ),
        ("answer = lambda p, n: round(np.log(p / (1 - p) * (n - 1)), 2)", None),
        ("answer = lambda p, n: np.log(p / (1 - p)) + np.log(n - 2)", None),
    ],
    "04-ratios": [
        ("answer = (7.389, 2.46)", None),
        ("answer = (4, 1.8)", "the exponent"),
        ("answer = (54.6, 2.46)", "temperature 1"),
        ("answer = (7.389, 6.05)", "old value"),
        ("answer = (0.0183, 0.165)", "Upside down"),
        ("answer = (3, 10)", "divided the scores"),
        ("answer = (54.6, 6.05, 3)", None),
    ],
    "04-stable-softmax": [
        (
            "answer = lambda s, t, a: np.exp(s / t) / np.exp(s / t).sum(a, keepdims=True)",
            "overflows",
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(-1, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
            "your maximum along the last",
        ),
        (
            "def answer(s, t, a):\n    e = np.exp(s - s.max(a, keepdims=True)) ** (1 / t)\n    return e / e.sum(a, keepdims=True)",
            "underflowed",
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max()) / t)\n    return e / e.sum(a, keepdims=True)",
            "one maximum",
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) / t)\n    return e / e.sum(-1, keepdims=True)",
            None,
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(a)) / t)\n    return e / e.sum(a)",
            None,
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) / (t + 1e-12))\n    return e / e.sum(a, keepdims=True)",
            None,
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) / t)\n    return e / (e.sum(a, keepdims=True) + 1e-5)",
            None,
        ),
        (
            "def answer(s, t, a):\n    s = s.astype(np.float16)\n    e = np.exp((s - s.max(a, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
            None,
        ),
        (
            "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) * t)\n    return e / e.sum(a, keepdims=True)",
            "multiply by the temperature",
        ),
        ("answer = lambda s, t, a: ab.softmax(s, temperature=t, axis=a)", None),
        (
            "def answer(s, t, a):\n    e = np.exp((s - np.abs(s).max(a, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
            None,
        ),
        (
            "def answer(s, t, a):\n    return np.exp((s - s.max(a, keepdims=True)) / t)",
            None,
        ),
        (
            "def answer(s, t, a):\n    e = np.exp(np.minimum(s / t, 700))\n    return e / e.sum(a, keepdims=True)",
            None,
        ),
        ("def answer(s, t, a):\n    print(s)", None),
    ],
    "04-three-keys": [
        ("answer = 0.734", "the inverse"),
        ("answer = 3", None),
        ("answer = 1.4", None),
        ("answer = 1.3", None),
        ("answer = [1.36, 3]", None),
        ("answer = '1.36'", None),
    ],
    "04-ties": [
        ("answer = (0, np.log(5))", "No winner"),
        ("answer = (np.log(3), np.log(3))", "losers are no losers"),
        ("answer = (np.log(5), np.log(3))", "wrong way round"),
        ("answer = (0, 1)", None),
        ("answer = (3, 5)", "logarithm"),
        ("answer = (np.log(5), np.log(5))", None),
        ("answer = (1.585, 2.32)", "in bits"),
        ("answer = (np.log(3), np.inf)", "ceiling"),
        ("answer = (0, np.inf)", None),
    ],
    "05-general-variance": [
        ("answer = lambda a, b: len(a)", "independent entries"),
        ("answer = lambda a, b: np.trace(a) * np.trace(b)", "meet every other"),
        ("answer = lambda a, b: np.trace(a) + np.trace(b)", None),
        ("answer = lambda a, b: np.diag(a) @ np.diag(b)", "different $i$ and $j$"),
        ("answer = lambda a, b: a @ b", None),
        ("answer = lambda a, b: np.linalg.det(a @ b)", None),
        ("answer = lambda a, b: (a * b).sum() ** 0.5", "standard deviation"),
        ("answer = lambda a, b: (a @ b).sum()", "*trace*"),
        ("answer = lambda a, b: np.abs(a * b).sum()", None),
        ("answer = lambda a, b: round(np.sum(a * b))", None),
    ],
    "05-half-precision": [
        (
            "answer = lambda Q, K: (Q @ K.T).astype(np.float32) / np.sqrt(Q.shape[-1])",
            "wider type is still",
        ),
        ("answer = lambda Q, K: (Q @ K.T) / np.sqrt(Q.shape[-1])", None),
        (
            "answer = lambda Q, K: Q.astype(int) @ K.astype(int).T / np.sqrt(Q.shape[-1])",
            "behind the point",
        ),
        (
            "answer = lambda Q, K: np.nan_to_num(Q @ K.T) / np.float16(np.sqrt(Q.shape[-1]))",
            "same number",
        ),
        ("answer = lambda Q, K: (Q / Q.shape[-1]) @ K.T", "the width itself"),
        ("answer = lambda Q, K: Q.astype(np.float32) @ K.astype(np.float32).T", None),
        (
            "answer = lambda Q, K: np.round(Q.astype(float)) @ np.round(K.astype(float)).T / Q.shape[-1] ** .5",
            None,
        ),
        (
            "answer = lambda Q, K: (Q.astype('f4') @ K.T.astype('f4')).astype('f2') / np.float16(np.sqrt(Q.shape[-1]))",
            None,
        ),
        (
            "answer = lambda Q, K: ab.ScaledDot()(Q.astype(float), K.astype(float))",
            None,
        ),
    ],
    "05-heads-bug": [
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1]))",
            "dot product of one head",
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(n))",
            None,
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(h, n, -1)\n    K = (X @ W_K).reshape(h, n, -1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))",
            None,
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1])",
            "root is missing",
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(h))",
            "number of heads is not",
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])",
            None,
        ),
        (
            "def answer(X, W_Q, W_K, h):\n    n = len(X)\n    Q = (X @ W_Q).reshape(n, h, -1).swapaxes(0, 1)\n    K = (X @ W_K).reshape(n, h, -1).swapaxes(0, 1)\n    return ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[1] * h))",
            None,
        ),
    ],
    "05-idle-bias": [
        ("answer = lambda K: K", "Change something"),
        ("answer = lambda K: K * 1.0000001", None),
        ("answer = lambda K: 2 * K", "sharper"),
        ("answer = lambda K: K + np.arange(len(K))[:, None]", None),
        ("answer = lambda K: K / np.linalg.norm(K)", None),
        ("answer = lambda K: K / np.linalg.norm(K, axis=-1, keepdims=True)", None),
        ("answer = lambda K: np.zeros_like(K)", None),
        ("answer = lambda K: np.full_like(K, -1e300)", None),
        ("answer = lambda K: K - K.mean(-1, keepdims=True)", "own *entries*"),
        (
            "answer = lambda K: K @ np.linalg.qr(np.random.randn(K.shape[1], K.shape[1]))[0]",
            None,
        ),
        ("answer = lambda K: np.sort(K, axis=0)", None),
        ("answer = lambda K: K + 1e18", None),
        ("answer = lambda K: np.roll(K, 1, axis=0)", None),
        ("answer = lambda K: ab.softmax(K)", None),
        ("answer = lambda K: np.vstack([K, K[:1]])", None),
        ("answer = lambda K: K + np.random.randn(*K.shape)", None),
    ],
    "05-init-deviation": [
        ("answer = 1", "*if* entries"),
        ("answer = 0.5625", "variance"),
        ("answer = 6.0", "raw scores"),
        ("answer = 0.333", None),
        ("answer = 0.866", "one entry"),
        ("answer = 2.25", None),
        ("answer = (0.75, 0.75)", None),
    ],
    "05-keys-heard": [
        ("answer = 72.7", "with the factor"),
        ("answer = 256", "How many matter"),
        ("answer = 1.55", "who has weight"),
        ("answer = 3.23", "Take the median"),
        ("answer = 1", None),
        ("answer = 2", None),
        ("answer = 0.0117", None),
    ],
    "05-scaled-scores": [
        ("answer = lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1])", "reverses *all* axes"),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-2])", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[1])", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(len(K))", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) * np.sqrt(Q.shape[-1])", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(0, 1) / np.sqrt(Q.shape[-1])", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) // np.sqrt(Q.shape[-1])", None),
        (
            "answer = lambda Q, K: np.round(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), 2)",
            None,
        ),
        (
            "answer = lambda Q, K: (Q @ K.swapaxes(-1, -2)).astype(int) / np.sqrt(Q.shape[-1])",
            None,
        ),
        (
            "answer = lambda Q, K: ab.softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))",
            None,
        ),
        (
            "answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1] - 1)",
            None,
        ),
        ("answer = lambda Q, K: Q * K / np.sqrt(Q.shape[-1])", None),
        ("answer = lambda Q, K: np.dot(Q, K.T) / np.sqrt(Q.shape[-1])", None),
        ("answer = lambda Q, K: np.inner(Q, K) / np.sqrt(Q.shape[-1])", None),
        ("answer = lambda Q: Q", None),
        ("answer = 3", None),
        ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)", None),
    ],
    "05-shifted-means": [
        ("answer = (math.sqrt(5), math.sqrt(5))", "adds the same amount"),
        ("answer = (1, 1)", "does not"),
        ("answer = (5, 1)", "variance"),
        ("answer = (5, 5)", None),
        ("answer = (3, 1)", "squared"),
        ("answer = (1, 2.236)", "wrong way round"),
        ("answer = (2, 2)", None),
        ("answer = (17.9, 8)", "raw scores"),
    ],
    "08-cached-mask": [
        (
            "answer = lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=abs(n_k - n_q))",
            "to the right as well",
        ),
        (
            "answer = lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=n_q - n_k)",
            "to the *right*",
        ),
        ("answer = lambda n_q, n_k: np.tril(np.ones((n_k, n_k), bool))[-n_q:]", None),
        ("answer = lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=n_k)", None),
        (
            "answer = lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=n_k - 1)",
            None,
        ),
        (
            "answer = lambda n_q, n_k: np.tril(np.ones((n_k, n_q), bool), k=n_k - n_q)",
            None,
        ),
        (
            "answer = lambda n_q, n_k: np.where(np.tri(n_q, n_k, n_k - n_q), 0, -np.inf)",
            None,
        ),
        ("answer = lambda n_q, n_k: ab.causal_mask(n_q, n_k)", None),
        (
            "answer = lambda n_q, n_k: 1 * np.tril(np.ones((n_q, n_k)))",
            "last of 2 queries",
        ),
        ("answer = lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=1)", None),
        ("answer = lambda n_q, n_k: np.ones((n_q, n_k), bool)", "Right for one query"),
    ],
    "08-combined-mask": [
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j < left) & (j < length)",
            "does not count among",
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j <= left)",
            "Use `length`",
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (j < length)",
            "How far back",
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j <= left) & (j < length) & (i < length)",
            None,
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j <= left) & (j <= length)",
            "first padding key",
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j < i) & (i - j <= left) & (j < length)",
            "keep the diagonal",
        ),
        (
            "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return ((j <= i) & (i - j <= left)) | (j < length)",
            "combined with *or*",
        ),
        (
            "def answer(n, length, left):\n    m = np.zeros((n, n), bool)\n    for i in range(length):\n        m[i, max(0, i - left):i + 1] = True\n    return m",
            None,
        ),
        (
            "def answer(n, length, left):\n    m = np.zeros((n, n), bool)\n    for i in range(n):\n        m[i, i - left:i + 1] = True\n    m[:, length:] = False\n    return m",
            None,
        ),
    ],
    "08-empty-rows": [
        (
            "def answer(s, m, a):\n    h = np.where(m, s, -1e9)\n    e = np.exp(h - h.max(a, keepdims=True))\n    return e / e.sum(a, keepdims=True) * m.any(a, keepdims=True)",
            "−1e9 is a score too",
        ),
        (
            "def answer(s, m, a):\n    h = np.where(m, s, -np.inf)\n    e = np.exp(h - h.max(a, keepdims=True))\n    return e / e.sum(a, keepdims=True)",
            "NaN now",
        ),
        (
            "def answer(s, m, a):\n    h = np.where(m, s, -np.inf)\n    e = np.exp(h - h.max(-1, keepdims=True))\n    return np.nan_to_num(e / e.sum(-1, keepdims=True))",
            "always use the last",
        ),
        (
            "def answer(s, m, a):\n    e = np.exp(s - s.max(a, keepdims=True)) * m\n    return e / e.sum(a, keepdims=True)",
            None,
        ),
        (
            "def answer(s, m, a):\n    h = np.where(m, s, -1e12)\n    e = np.exp(h - h.max(a, keepdims=True)) * m\n    t = e.sum(a, keepdims=True)\n    return e / np.where(t == 0, 1, t)",
            None,
        ),
        (
            "def answer(s, m, a):\n    e = np.exp(s) * m\n    return e / np.maximum(e.sum(a, keepdims=True), 1e-9)",
            None,
        ),
        (
            "def answer(s, m, a):\n    return np.where(m, ab.softmax(np.where(m, s, -1e30), axis=a), 0)",
            None,
        ),
        (
            "def answer(s, m, a):\n    h = np.where(m, s, -np.inf)\n    e = np.exp(h - h.max())\n    t = e.sum(a, keepdims=True)\n    return e / np.where(t == 0, 1, t)",
            None,
        ),
        (
            "def answer(s, m, a):\n    s[~m] = -np.inf\n    t = np.where(m.any(a, keepdims=True), s.max(a, keepdims=True), 0)\n    e = np.exp(s - t)\n    z = e.sum(a, keepdims=True)\n    return e / np.where(z == 0, 1, z)",
            None,
        ),
    ],
    "08-fatal-lead": [
        ("answer = 104", "temperature 1"),
        ("answer = 311", "last speck"),
        ("answer = 313", "one step earlier"),
        ("answer = 311.9", None),
        ("answer = 89", None),
        ("answer = 2236", "`float64`"),
        ("answer = 35", "*divides*"),
        ("answer = float('inf')", None),
    ],
    "08-three-ways": [
        ("answer = (0.622, 0, 0.494)", "goes through the exponential"),
        ("answer = (0.622, 0.186, 1)", "Nobody divides again"),
        ("answer = (0.622, 0, 1)", None),
        ("answer = (0.307, 0.186, 0.494)", None),
        ("answer = (62.2, 18.6, 49.4)", "percent"),
        ("answer = (0.622, 0.186, 0.506)", "1 minus"),
        ("answer = (0.378, 0.186, 0.494)", "1 minus"),
        ("answer = (0.186, 0.622, 0.494)", None),
    ],
    "08-visible-pairs": [
        ("answer = lambda n, left: n * (left + 1)", "How many pairs lack"),
        ("answer = lambda n, left: n * (n + 1) // 2", "without a window"),
        ("answer = lambda n, left: n * left - left * (left - 1) // 2", None),
        (
            "answer = lambda n, left: n * (left + 1) - left * (left + 1) // 2",
            "larger than `n`",
        ),
        (
            "answer = lambda n, left: sum(min(i, left) + 1 for i in range(n))",
            "takes for ever",
        ),
        (
            "answer = lambda n, left: int(np.tril(np.triu(np.ones((n, n)), -left)).sum())",
            None,
        ),
        ("answer = lambda n, left: sum(range(n)) - sum(range(n - left - 1)) + n", None),
        ("answer = lambda n, left: n * n // 2", None),
        ("answer = lambda n, left: (left + 1) * (n - left / 2)", "larger than `n`"),
    ],
    "12-cache-bytes": [
        ("answer = lambda n, L, h, kv, d, b: n * L * h * d * b * 2", "keep them once"),
        ("answer = lambda n, L, h, kv, d, b: n * L * kv * d * b", "Values are kept"),
        ("answer = lambda n, L, h, kv, d, b: 2 * n * kv * d * b", "Each layer"),
        ("answer = lambda n, L, h, kv, d, b: 2 * n * L * kv * d", "How many bytes"),
        ("answer = lambda n, L, h, kv, d, b: 2 * n * L * (h // kv) * d * b", None),
        ("answer = lambda n, L, h, kv, d, b: 16 * n * L * kv * d * b", None),
        ("answer = lambda n, L, h, kv, d, b: 2 * n * n * L * kv * d * b", None),
        ("answer = lambda n, L, h, kv, d, b: n * L * kv * d * 4", None),
    ],
    "12-counted-share": [
        ("answer = 2 / 3", "width 16 here"),
        ("answer = 5 / 21", "projections' share"),
        ("answer = 0.381", "Scores *and* output"),
        ("answer = 3.2", "part of the whole"),
        ("answer = 76.19", None),
        ("answer = 0.5", None),
    ],
    "12-doubled": [
        ("answer = (4, 4, 4)", "linear"),
        ("answer = (2, 2, 2)", "twice as many keys"),
        ("answer = (4, 2.5, 3)", "grows by less"),
        ("answer = (4, 2.67, 2.29)", "n = d doubled"),
        ("answer = (2, 3, 2.5)", None),
        ("answer = (4, 3, 2)", None),
        ("answer = (4, 3)", None),
    ],
    "12-flops-bug": [
        ("answer = lambda n, d, h: 2 * h * (2 * n * n * d) * 1", "How wide"),
        ("answer = lambda n, d, h: 2 * n * n * d", "Half of it"),
        ("answer = lambda n, d, h: 4 * n * n * d // h", "single head"),
        ("answer = lambda n, d, h: 4 * n * n * d / h / h", None),
        ("answer = lambda n, d, h: 4 * n * d * d", None),
        ("answer = lambda n, d, h: 8 * n * n * d", None),
        ("answer = lambda n, d, h: 4 * n * n * 768", None),
    ],
    "12-half-length": [
        ("answer = lambda d, dh, kv, f: 6 * d", None),
        ("answer = lambda d, dh, kv, f: (2 + f) * d", "columns each"),
        ("answer = lambda d, dh, kv, f: d + kv * dh", "projections alone"),
        ("answer = lambda d, dh, kv, f: 2 * (d + kv * dh + f * d)", "two products"),
        ("answer = lambda d, dh, kv, f: d + kv * dh + f", None),
        ("answer = lambda d, dh, kv, f: 2 * d + 2 * kv * dh + f * d", None),
        ("answer = lambda d, dh, kv, f: d + kv * dh + 4 * d", "as a letter"),
        ("answer = lambda d, dh, kv, f: d + d // dh * dh + f * d", "columns each"),
    ],
    "12-longest": [
        ("answer = lambda m, h, b: math.sqrt(m / (h * b))", "Half a token"),
        ("answer = lambda m, h, b: m // (h * b)", "take a root"),
        ("answer = lambda m, h, b: round(math.sqrt(m / (h * b)))", "round *down*"),
        (
            "answer = lambda m, h, b: math.ceil(math.sqrt(m / (h * b)))",
            "no longer fits",
        ),
        ("answer = lambda m, h, b: int(math.sqrt(m / b)) // h", "before you take"),
        ("answer = lambda m, h, b: int(math.sqrt(m / h))", "How many bytes"),
        ("answer = lambda m, h, b: int(math.sqrt(m / (h * b))) - 1", None),
        ("answer = lambda m, h, b: int(math.sqrt(m / (h * b * 2)))", None),
    ],
}

# The same right function in every dress that Python has.
_SCALED = "Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])"
RIGHT["05-scaled-scores"] += [
    f"def answer(Q, K, /):\n    return {_SCALED}",
    f"def answer(*both):\n    Q, K = both\n    return {_SCALED}",
    f"def answer(Q: np.ndarray, K: np.ndarray, scale=True) -> np.ndarray:\n    return {_SCALED}",
    f"class Scores:\n    def __call__(self, Q, K):\n        return {_SCALED}\nanswer = Scores()",
    f"class Scores:\n    @classmethod\n    def of(cls, Q, K):\n        return {_SCALED}\nanswer = Scores.of",
    f"import functools\ndef power(e, Q, K):\n    return (Q @ np.swapaxes(K, -1, -2)) * Q.shape[-1] ** e\nanswer = functools.partial(power, -0.5)",
    f"import functools\ndef logged(f):\n    @functools.wraps(f)\n    def g(*a):\n        print(a)\n        return f(*a)\n    return g\n@logged\ndef answer(Q, K):\n    return {_SCALED}",
    f"def answer(Q, K):\n    import numpy\n    return numpy.asarray({_SCALED}).tolist()",
    f"def answer(Q, K):\n    global called\n    called = True\n    return {_SCALED}",
    f"from numpy import *\ndef answer(Q, K):\n    return Q @ swapaxes(K, -1, -2) / sqrt(Q.shape[-1])",
    f"seen = []\ndef answer(Q, K):\n    seen.append(Q)\n    return {_SCALED}",
    f"def answer(Q, K):\n    assert Q.shape[-1] == K.shape[-1]\n    return {_SCALED}",
    f"def answer(Q, K):\n    return np.ma.masked_array({_SCALED})",
    f"def answer(Q, K):\n    def dot(a, b):\n        return sum(x * y for x, y in zip(a, b)) / len(a) ** 0.5\n    if Q.ndim > 2:\n        return [answer(q, k) for q, k in zip(Q, K)]\n    return [[dot(q, k) for k in K] for q in Q]",
    f"d = {{}}\nd['f'] = lambda Q, K: {_SCALED}\nanswer = lambda Q, K: d['f'](Q, K)",
    f"answer = eval('lambda Q, K: {_SCALED}')",
    f"def answer(Q, K):\n    with np.errstate(all='raise'):\n        return {_SCALED}",
    f"def answer(Q, K):\n    return np.array([{_SCALED}])[0]",
    "answer = np.frompyfunc(lambda x: x, 1, 1) and (lambda Q, K: (Q @ K.swapaxes(-2, -1)) / np.sqrt(K.shape[-1]))",
]
WRONG["05-scaled-scores"] += [
    ("def answer(Q, K):\n    yield Q", None),
    ("async def answer(Q, K):\n    return Q", None),
    ("answer = lambda Q, K: {'scores': Q}", None),
    ("answer = lambda Q, K: answer", None),
    ("answer = lambda Q, K: answer(Q, K)", None),
    ("answer = lambda Q, K: 'Q @ K.T'", None),
    ("answer = lambda Q, K: [None, None]", None),
    ("def answer(Q, K):\n    input()", None),
    ("def answer(Q, K):\n    raise SystemExit", None),
    ("def answer(Q, K):\n    while False:\n        pass", None),
    ("def answer(Q, K):\n    return Q @ K", None),
    ("def answer(Q):\n    return Q @ Q.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])", None),
    ("def answer(Q, K, d_k):\n    return Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)", None),
    ("answer = lambda Q, K: np.inf * (Q @ K.swapaxes(-1, -2))", None),
    (
        "answer = lambda Q, K: (Q @ K.swapaxes(-1, -2)).sum() / np.sqrt(Q.shape[-1])",
        None,
    ),
    (
        "answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.linalg.norm(Q) / np.linalg.norm(K)",
        None,
    ),
    ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.ndim)", None),
    ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.size)", None),
    ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / math.isqrt(Q.shape[-1])", None),
    (
        "answer = lambda Q, K: np.abs(Q @ K.swapaxes(-1, -2)) / np.sqrt(Q.shape[-1])",
        None,
    ),
    (
        "answer = lambda Q, K: (Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))[..., ::-1]",
        None,
    ),
    (
        "answer = lambda Q, K: (Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])).astype(np.float16)",
        None,
    ),
    (
        "answer = lambda Q, K: np.clip(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -100, 100)",
        None,
    ),
    ("def answer(Q, K):\n    K *= 0\n    return Q @ K.swapaxes(-1, -2)", None),
    (
        "def answer(Q, K):\n    Q *= Q.shape[-1] ** -0.5\n    return Q @ K.swapaxes(-1, -2)",
        "writes into the array",
    ),
    ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / Q.shape[-1]", "as its *root*"),
    ("answer = lambda Q, K: Q @ K.swapaxes(-1, -2)", "raw products"),
    (
        "answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-2])",
        "number of *keys*",
    ),
    (
        "answer = lambda Q, K: K @ Q.swapaxes(-1, -2) / np.sqrt(K.shape[-1])",
        "Queries are rows",
    ),
]
RIGHT["08-visible-pairs"] += [
    "answer = lambda n, left: n * (left + 1) - left * (left + 1) / 2 if left < n else n * (n + 1) / 2",
    "def answer(n, left):\n    k = n - 1 if left > n - 1 else left\n    return (k + 1) * (2 * n - k) // 2",
]
WRONG["08-visible-pairs"] += [
    (
        "def answer(n, left):\n    total = 0\n    for i in range(n):\n        total += min(i, left) + 1\n    return total",
        "takes for ever",
    ),
    (
        "def answer(n, left):\n    return len([1 for i in range(n) for j in range(max(0, i - left), i + 1)])",
        "takes for ever",
    ),
    ("answer = lambda n, left: sum(range(n))", None),
    ("answer = lambda n, left: min(left + 1, n) * n", None),
    ("answer = lambda n, left: n ** 2 - n * left", None),
    ("answer = lambda n, left: n * (2 * left + 1) - left * (left + 1)", None),
]
RIGHT["04-lead"] += [
    "answer = lambda p, n: float(np.log(p * (n - 1)) - np.log(1 - p))",
    "from math import log\ndef answer(weight, n_keys):\n    rivals = n_keys - 1\n    return log(rivals) + log(weight) - log(1 - weight)",
]
WRONG["04-lead"] += [
    ("answer = lambda p, n: np.exp(p / (1 - p) * (n - 1))", None),
    ("answer = lambda p, n: max(np.log(p / (1 - p) * (n - 1)), 0)", "lead is negative"),
    ("answer = lambda p, n: abs(np.log(p / (1 - p) * (n - 1)))", "Keep the sign"),
    ("answer = lambda p, n: np.log(n)", None),
    ("answer = lambda p, n: np.log10(p / (1 - p) * (n - 1))", None),
    ("answer = lambda p, n: -np.log(p / (1 - p)) - np.log(n - 1)", None),
    ("answer = lambda p, n: np.log(p / (1 - p)) * np.log(n - 1)", None),
    ("answer = lambda p, n: np.log(p / (1 - p) * (n - 1) + 1e-9)", None),
]
WRONG["04-cooling-bug"] += [
    (
        "def answer(w, t):\n    p = w ** (1 / t)\n    return p / p.sum(axis=0, keepdims=True)",
        None,
    ),
    (
        "def answer(w, t):\n    p = w ** (1 / t)\n    return p / p.sum()",
        "not all of them together",
    ),
    (
        "def answer(w, t):\n    p = w ** (1 / t)\n    return p / p.max(axis=-1, keepdims=True)",
        "*sum* of the powers",
    ),
    (
        "def answer(w, t):\n    p = w ** -t\n    return p / p.sum(axis=-1, keepdims=True)",
        None,
    ),
    (
        "def answer(w, t):\n    z = np.log(w) / t\n    return z / z.sum(axis=-1, keepdims=True)",
        "Take exponentials",
    ),
    (
        "def answer(w, t):\n    p = w ** (1 // t)\n    return p / p.sum(axis=-1, keepdims=True)",
        None,
    ),
    (
        "def answer(w, t):\n    w **= 1 / t\n    return w / w.sum(axis=-1, keepdims=True)",
        None,
    ),
    (
        "def answer(w, t):\n    p = w ** (1 / t)\n    return (p / p.sum(axis=-1, keepdims=True)).round(4)",
        None,
    ),
]
WRONG["04-stable-softmax"] += [
    (
        "def answer(s, t, a):\n    e = np.exp((s - s.min(a, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
        "Which end must go",
    ),
    (
        "def answer(s, t, a):\n    e = np.exp((s - s.mean(a, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
        "*mean* gone",
    ),
    (
        "def answer(s, t, a):\n    z = s / t\n    e = np.exp(z - z.max(a, keepdims=True))\n    return e / e.sum(a, keepdims=True)",
        "before you divide",
    ),
    (
        "def answer(s, t, a):\n    e = np.exp(s - s.max(a, keepdims=True)) / t\n    return e / e.sum(a, keepdims=True)",
        "divides the *scores*",
    ),
    (
        "def answer(s, t, a):\n    s -= s.max(a, keepdims=True)\n    e = np.exp(s / t)\n    return e / e.sum(a, keepdims=True)",
        "Make a new one",
    ),
    (
        "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) / t)\n    return e / e.sum()",
        "whole array",
    ),
    (
        "def answer(s, t, a):\n    e = np.exp((s - s.max(0, keepdims=True)) / t)\n    return e / e.sum(0, keepdims=True)",
        None,
    ),
    (
        "def answer(s, t, a):\n    e = np.exp((s - s.max(a, keepdims=True)) / max(t, 1e-6))\n    return e / e.sum(a, keepdims=True)",
        None,
    ),
    (
        "def answer(s, t, a):\n    return np.exp(s / t - np.log(np.sum(np.exp(s / t), a, keepdims=True)))",
        None,
    ),
    (
        "def answer(s, t, a):\n    e = np.exp(((s - s.max(a, keepdims=True)) / t).astype(np.float32))\n    return (e / e.sum(a, keepdims=True)).round(6)",
        None,
    ),
    (
        "def answer(s, t, a):\n    e = 2.0 ** ((s - s.max(a, keepdims=True)) / t)\n    return e / e.sum(a, keepdims=True)",
        None,
    ),
    (
        "def answer(s, t, a):\n    if a == -1:\n        e = np.exp((s - s.max(-1, keepdims=True)) / t)\n        return e / e.sum(-1, keepdims=True)\n    return answer(s.T, t, -1).T",
        None,
    ),
]
RIGHT["05-idle-bias"] += [
    "def answer(K):\n    K = K.copy()\n    K -= K.mean(0)\n    return K",
    "answer = lambda K: K + K.sum(axis=0)",
    "answer = lambda K: [[x + 7 for x in row] for row in K]",
    "answer = lambda K: K - 2 * K[0]",
]
WRONG["05-idle-bias"] += [
    ("answer = lambda K: K + K", None),
    ("answer = lambda K: K[::-1]", "another order"),
    ("answer = lambda K: -K", "first becomes last"),
    ("answer = lambda K: K + 1 / np.arange(1, len(K) + 1)[:, None]", None),
    ("answer = lambda K: K - K.mean()* np.arange(len(K))[:, None]", None),
    ("answer = lambda K: np.concatenate([K, np.ones((len(K), 1))], axis=1)", None),
    ("answer = lambda K: K.T", None),
    ("def answer(K):\n    K[0] += 1\n    return K", None),
    ("answer = lambda K: K + np.eye(*K.shape)", None),
    ("answer = lambda K: np.cumsum(K, axis=0)", None),
    ("answer = lambda K: K + np.nan", None),
    ("answer = lambda K: K + np.inf", None),
    ("answer = lambda K: K.round(0) + 1", None),
    ("answer = lambda K: np.abs(K) + 1", None),
    ("answer = lambda K: K + 1e-30", None),
]
WRONG["08-combined-mask"] += [
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return ~((j <= i) & (i - j <= left) & (j < length))",
        "marked what is hidden",
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (abs(i - j) <= left) & (j < length)",
        "causal as well",
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return ((j <= i) & (i - j <= left) & (j < length)).T",
        "are swapped",
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j <= left + 1) & (j < length)",
        "and no more",
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) & (i - j <= left) & (j >= n - length)",
        "at the *end*",
    ),
    (
        "def answer(n, length, left):\n    return np.tril(np.ones((length, length), bool))",
        None,
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return (j <= i) and (i - j <= left) and (j < length)",
        None,
    ),
    (
        "def answer(n, length, left):\n    i, j = np.ogrid[:n, :n]\n    return np.where((j <= i) & (i - j <= left) & (j < length), 0.0, -np.inf)",
        None,
    ),
    (
        "def answer(n, length, left):\n    m = np.tril(np.ones((n, n), bool)) & np.triu(np.ones((n, n), bool), left)\n    m[:, length:] = False\n    return m",
        None,
    ),
    (
        "answer = lambda n, length, left: ab.window_mask(n, left, 0) & ab.padding_mask(length, n)",
        None,
    ),
]
WRONG["08-empty-rows"] += [
    (
        "def answer(s, m, a):\n    h = np.where(m, s, np.finfo(float).min)\n    e = np.exp(h - h.max(a, keepdims=True))\n    return e / e.sum(a, keepdims=True)",
        None,
    ),
    (
        "def answer(s, m, a):\n    h = np.where(~m, s, -np.inf)\n    t = np.where(m.all(a, keepdims=True), 0, h.max(a, keepdims=True))\n    e = np.exp(h - t)\n    z = e.sum(a, keepdims=True)\n    return e / np.where(z == 0, 1, z)",
        "turned over",
    ),
    (
        "def answer(s, m, a):\n    e = np.exp(s - s.max(a, keepdims=True)) * m\n    z = e.sum(a, keepdims=True)\n    return e / np.where(z == 0, 1, z)",
        "Hide first",
    ),
    (
        "def answer(s, m, a):\n    h = np.where(m, s, -1e9)\n    e = np.exp(h - h.max(a, keepdims=True))\n    return e / e.sum(a, keepdims=True) * m.any()",
        "Ask each row",
    ),
    ("def answer(s, m, a):\n    return np.zeros_like(s)", None),
    (
        "def answer(s, m, a):\n    h = np.where(m, s, -np.inf)\n    e = np.exp(h - h.max(a, keepdims=True))\n    z = e / e.sum(a, keepdims=True)\n    return z * m.any(a, keepdims=True)",
        "NaN now",
    ),
    (
        "def answer(s, m, a):\n    h = s * m\n    e = np.exp(h - h.max(a, keepdims=True)) * m\n    z = e.sum(a, keepdims=True)\n    return e / np.where(z == 0, 1, z)",
        None,
    ),
]
RIGHT["12-longest"] += ["answer = lambda m, h, b: np.floor(np.sqrt(m / (h * b)))"]
RIGHT["03-nearest-bug"] += [
    "def answer(Q, K):\n    return (Q @ (K.T / np.linalg.norm(K.T, axis=0))).argmax(1).tolist()",
]
RIGHT["05-general-variance"] += ["answer = lambda a, b: np.array([[np.trace(a @ b)]])"]
WRONG["05-general-variance"] += [
    ("answer = lambda a, b: np.trace(a @ a)", None),
    (
        "answer = lambda a, b: np.trace(a) * np.trace(b) / len(a)",
        "all variances on one side",
    ),
    (
        "answer = lambda a, b: np.linalg.eigvals(a).sum() * np.linalg.eigvals(b).max()",
        None,
    ),
    ("answer = lambda a, b: np.linalg.norm(a) * np.linalg.norm(b)", None),
    ("answer = lambda a, b: np.linalg.norm(a @ b)", None),
    ("answer = lambda a, b: np.triu(a * b).sum()", None),
    ("answer = lambda a, b: float(np.trace(a @ b)) + 1e-3", None),
]
WRONG["03-other-matrices"] += [
    ("answer = lambda W_K, A: W_K @ np.linalg.inv(A).T.round(2)", None),
    ("answer = lambda W_K, A: W_K @ A", "only if $A$ is a rotation"),
    ("answer = lambda W_K, A: (A.T @ W_K.T).T", None),
    ("answer = lambda W_K, A: W_K @ (1 / A).T", None),
    ("answer = lambda W_K, A: W_K @ np.linalg.inv(A + A.T) * 2", None),
    ("answer = lambda W_K, A: W_K @ np.linalg.inv(A @ A.T) @ A.T", None),
]
WRONG["05-half-precision"] += [
    (
        "answer = lambda Q, K: (Q / np.float16(Q.shape[-1] ** 0.25)) @ K.T",
        "*each* side",
    ),
    (
        "answer = lambda Q, K: ((Q.astype('f4') @ K.T.astype('f4')) / Q.shape[-1] ** .5).clip(-1000, 1000)",
        None,
    ),
    (
        "answer = lambda Q, K: np.clip(Q @ K.T / np.float16(Q.shape[-1] ** .5), -65504, 65504)",
        None,
    ),
    (
        "answer = lambda Q, K: Q.astype('f4') @ K.T.astype('f4') / Q.shape[0] ** .5",
        None,
    ),
    (
        "answer = lambda Q, K: abs(Q.astype('f4') @ K.T.astype('f4')) / Q.shape[-1] ** .5",
        None,
    ),
    (
        "answer = lambda Q, K: Q.astype(np.int8).astype('f4') @ K.T.astype('f4') / Q.shape[-1] ** .5",
        None,
    ),
    (
        "answer = lambda Q, K: Q.astype('f4') @ K.T.astype('f4') / np.sqrt(K.shape[0])",
        None,
    ),
]

# What a report must say to one answer: the exercise, the seed of the variant, the code,
# words that stand in the report, and words that would be false of this answer.
SAID = [
    (
        "03-best-stranger",
        None,
        """
r = np.random.default_rng(0)
q = r.normal(size=(300, 64)); k = r.normal(size=(1000, 64))
answer = (q @ k.T / 8).max(axis=1).mean()
""",
        "the root of the width",
        "query only. Divide",
    ),
    (
        "03-cosine-scores",
        None,
        """
def answer(Q, K):
    q = np.maximum(np.linalg.norm(Q, axis=-1, keepdims=True), 1e-8)
    k = np.maximum(np.linalg.norm(K, axis=-1, keepdims=True), 1e-8)
    return (Q / q) @ (K / k).swapaxes(-1, -2)
""",
        "a floor under the lengths",
        "[ 0. -0. -0.  0.]",
    ),
    (
        "03-cosine-scores",
        None,
        """
def answer(Q, K):
    import torch
    return torch.cosine_similarity(Q[..., None, :], K[..., None, :, :], dim=-1)
""",
        "calls `torch`,",
        "<module>",
    ),
    (
        "03-cosine-scores",
        None,
        "answer = lambda Q, K: ab.ScaledDot().scores(Q, K)",
        "calls `attnbook.scores`,",
        "__init__",
    ),
    (
        "03-tie",
        None,
        "answer = (2.6, ab.softmax(np.array([13, 6.5]))[0])",
        "first key's *weight*",
        "cannot be read",
    ),
    ("03-tie", None, "answer = ('2.6', '665')", "with a `str` in it", "shape"),
    ("03-tie", None, "answer = ('2.6', '665')", "without quotes", "shape"),
    (
        "04-ratios",
        None,
        "w = np.ones(4); answer = (w, np.ones(5))",
        "`tuple` with a `ndarray` in it",
        "quotes",
    ),
    (
        "04-stable-softmax",
        None,
        """
def answer(scores, temperature, axis):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        "temperature has no effect",
        "You divide the exponentials",
    ),
    (
        "05-half-precision",
        None,
        """
def answer(Q, K):
    terms = Q[:, None] * K
    return terms.astype(np.float32).sum(axis=-1) / np.sqrt(Q.shape[-1])
""",
        "A single term may leave",
        "passes",
    ),
    (
        "05-heads-bug",
        None,
        """
def answer(X, W_Q, W_K, h):
    Q, K = ab.split_heads(X @ W_Q, h), ab.split_heads(X @ W_K, h)
    return ab.attention_weights(Q / np.sqrt(Q.shape[-1]), K)
""",
        "both `Q` and `K` got the factor",
        "right now",
    ),
    (
        "05-scaled-scores",
        None,
        """
def answer(Q, K):
    root = np.sqrt(Q.shape[-1])
    return (Q / root) @ (K / root).swapaxes(-1, -2)
""",
        "both `Q` and `K` got the factor",
        "shape",
    ),
    (
        "05-init-deviation",
        7,
        """
r = np.random.default_rng(2)
X, Y = r.normal(size=(2, 500, 768))
V, W = r.uniform(-1, 1, (2, 768, 64)) / np.sqrt(768)
answer = ((X @ V) @ (Y @ W).T / 8).std()
""",
        "not right",
        "Xavier",
    ),
    (
        "05-keys-heard",
        None,
        """
r = np.random.default_rng(0)
Q, K = r.normal(size=(400, 64)), r.normal(size=(256, 64))
V, dO = r.normal(size=(256, 16)), r.normal(size=(400, 16))
a = abs(ab.softmax(Q @ K.T) * (dO @ V.T))
answer = np.median(a.sum(1) ** 2 / (a**2).sum(1))
""",
        "a row's mean is still in",
        "who has weight. Who",
    ),
    (
        "05-keys-heard",
        None,
        """
r = np.random.default_rng(0)
Q, K = r.normal(size=(400, 64)), r.normal(size=(256, 64))
V, dO = r.normal(size=(256, 16)), r.normal(size=(400, 16))
P, dP = ab.softmax(Q @ K.T / 64), dO @ V.T
a = abs(P * (dP - (P * dP).sum(1, keepdims=True)))
answer = np.median(a.sum(1) ** 2 / (a**2).sum(1))
""",
        "where the scores were made small",
        "That is `dP`",
    ),
    (
        "08-three-ways",
        None,
        "e = np.exp([1, 0.5, 1.5]); answer = (e[0] / e.sum(), 0.186, 0.494)",
        "the row without any mask",
        "1 minus",
    ),
    (
        "08-three-ways",
        None,
        "e = np.exp([1, 0.5, 1.5]); answer = (0.622, 1 / e.sum(), 0.494)",
        "the sum still holds",
        "1 minus",
    ),
    (
        "12-doubled",
        None,
        """
cost = lambda n, d: (2*n*n*d, 8*n*d*d + 2*n*n*d, 24*n*d*d + 2*n*n*d)
answer = np.array(cost(16384, 4096)) / np.array(cost(8192, 4096))
""",
        "lack a factor",
        "shape",
    ),
    ("03-tie", None, "answer = (2.6, np.exp(5 - 6.5))", "at the start", "2.6"),
    ("03-tie", None, "answer = (2.6, np.exp(-6.5))", "Upside down", "2.6"),
    ("03-tie", None, "answer = (2.6, 6.5)", "That is the lead", "2.6"),
    (
        "03-cosine-scores",
        None,
        """
def answer(Q, K):
    q = np.linalg.norm(Q, axis=-2, keepdims=True)
    k = np.linalg.norm(K, axis=-2, keepdims=True)
    return (Q / (q + (q == 0))) @ (K / (k + (k == 0))).swapaxes(-1, -2)
""",
        "lengths of the columns",
        "squared",
    ),
    (
        "03-parameters",
        None,
        "answer = (2 * (768 + 1) * 64, 2 * (768 + 1) * 64 + 64, 768**2)",
        "biases",
        "number 3",
    ),
    (
        "05-scaled-scores",
        None,
        "answer = lambda Q, K: Q @ K.swapaxes(-1, -2) * np.sqrt(Q.shape[-1])",
        "You multiply",
        "You divide",
    ),
    (
        "05-scaled-scores",
        None,
        "answer = lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-2])",
        "number of *queries*",
        "number of *keys*",
    ),
    (
        "08-empty-rows",
        None,
        """
def answer(scores, mask, axis):
    h = scores * mask + (1 - mask) * -1e9
    e = np.exp(h - h.max(axis=axis, keepdims=True)) * mask
    return e / np.maximum(e.sum(axis=axis, keepdims=True), 1e-300)
""",
        "it is the maximum",
        "NaN",
    ),
    ("12-counted-share", None, "answer = 76.19", "not percent", "`str`"),
    (
        "12-doubled",
        None,
        "answer = (4, 2 * (6 + 16) / (6 + 8), 2 * (22 + 16) / (22 + 8))",
        "$W_O$ is a projection too",
        "feed",
    ),
    (
        "12-doubled",
        None,
        "answer = (4, 3, 2 * (16 + 16) / (16 + 8))",
        "up *and* down",
        "$W_O$",
    ),
    (
        "12-half-length",
        None,
        "answer = lambda d, h, kv, f: d * (0.5 + f) + kv * h",
        "$W_O$ is a projection too",
        "feed",
    ),
    (
        "05-scaled-scores",
        None,
        "answer = lambda Q, K: (Q @ K.swapaxes(-1, -2)).astype(complex)",
        "`ndarray` of `complex128`",
        "expected",
    ),
    (
        "05-scaled-scores",
        None,
        "answer = np.ones((2, 4)) @ np.ones((4, 3)) / 2",
        "Give its name, uncalled",
        "return",
    ),
    (
        "03-nearest-bug",
        None,
        """
def answer(Q, K):
    lengths = np.linalg.norm(K, axis=-1, keepdims=True) + 1e-8
    return (Q @ (K / lengths).T).argmax(axis=-1)
""",
        "lets short keys lose",
        "shape (",
    ),
    (
        "03-nearest-bug",
        None,
        """
def answer(Q, K):
    import torch
    Q, K = torch.as_tensor(Q), torch.as_tensor(K)
    return torch.cosine_similarity(Q[:, None], K, dim=-1).argmax(-1)
""",
        "3.e-09",
        "shape (",
    ),
    ("04-three-keys", None, "answer = np.array(1.36 + 0j)", "of `complex128`", "shape"),
]
