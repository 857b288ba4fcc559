"""TheoremBreaker: Var(q·k) when the theorem's assumptions do not hold."""

import math

import numpy as np

from attnbook.kernel import attention_weights
from attnbook.scores import ScaledDot
from attnbook.stats import effective_keys
from attnbook.toydata import normals, random_qk
from attnbook.widgets import words
from attnbook.widgets.base import LiveFigure
from attnbook.widgets.picture import matrix_svg

N_KEYS = 64
_COMMON = {"queries": 3, "keys": 4}  # streams of what the entries of a vector share


def score_variances(mean_q, cov_q, mean_k, cov_k):
    """Return the variance of q·k over all pairs, and over the keys of one query.

    q and k are independent of each other. The score's variance has three parts: both
    vectors vary, tr(Sigma_q Sigma_k); k varies along q's mean; q varies along k's mean.
    The last part is the same for all keys of a query, so it is missing in a row.

    Parameters
    ----------
    mean_q, mean_k : array-like, shape (d,)
        Means of the entries.
    cov_q, cov_k : array-like, shape (d, d)
        Their covariances.

    Returns
    -------
    total, in_row : float
        Not divided by sqrt(d).

    """
    both = np.trace(np.asarray(cov_q) @ np.asarray(cov_k))
    in_row = both + np.asarray(mean_q) @ np.asarray(cov_k) @ np.asarray(mean_q)
    total = in_row + np.asarray(mean_k) @ np.asarray(cov_q) @ np.asarray(mean_k)
    return float(total), float(in_row)


def correlated(white, common, mean, rho, variance):
    """Turn white entries into entries with a mean, a variance and one correlation.

    Parameters
    ----------
    white : ndarray, shape (n, d)
        Independent entries with mean 0 and variance 1.
    common : ndarray, shape (n, 1)
        The same for the part that all entries of a vector share.
    mean, rho, variance : float
        Of each entry; `rho`, 0 to 1, is the correlation of each pair in a vector.

    Returns
    -------
    ndarray, shape (n, d)

    """
    mixed = math.sqrt(1 - rho) * white + math.sqrt(rho) * common
    return mean + math.sqrt(variance) * mixed


class TheoremBreaker(LiveFigure, figure="theorem_breaker"):
    """Scaled scores of 64 queries and keys that break the theorem's assumptions.

    Parameters
    ----------
    id : str
        Name of the figure on its page.
    d_k : int
        Width of queries and keys, 1 to 512: the first ``d_k`` columns of one draw.
    mu_q, mu_k : float
        Mean of the entries of queries and of keys, -3 to 3.
    rho : float
        Correlation of any two entries of a vector, 0 to 1.
    correlated : {"both", "queries", "keys"}
        Which side has correlated entries.
    variance : float
        Variance of the entries on both sides, 0.25 to 4.
    shared : bool
        One projection for both: keys are the queries. ``mu_k`` and ``correlated`` then
        wait. All variances then leave out a token's score with itself.
    view : {"from_all", "from_row", "weights"}
        What the heatmap shows: scores as distances from the mean of all, or from their
        row's mean, or the weights.
    seed : int
        Which draw, 0 to 9999.

    """

    @property
    def _sides(self):
        """Mean and correlation of the queries' entries, then of the keys'."""
        if self.shared:
            return (self.mu_q, self.rho), (self.mu_q, self.rho)
        rho_q = 0.0 if self.correlated == "keys" else self.rho
        rho_k = 0.0 if self.correlated == "queries" else self.rho
        return (self.mu_q, rho_q), (self.mu_k, rho_k)

    @property
    def queries_and_keys(self):
        """The queries and keys, two arrays of shape (64, d_k)."""
        white = random_qk(self.seed, N_KEYS, N_KEYS, self.d_k)
        made = []
        for z, (mean, rho), stream in zip(
            white, self._sides, _COMMON.values(), strict=True
        ):
            common = normals(self.seed, stream, N_KEYS, 1)
            made.append(correlated(z, common, mean, rho, self.variance))
        return (made[0], made[0]) if self.shared else tuple(made)

    @property
    def scores(self):
        """The scaled scores, shape (64, 64); rows are queries."""
        return ScaledDot()(*self.queries_and_keys)

    @property
    def weights(self):
        """The attention weights, shape (64, 64); rows are queries."""
        return attention_weights(*self.queries_and_keys)

    @property
    def _counts(self):
        """Which scores count for means and variances, shape (64, 64)."""
        return ~np.eye(N_KEYS, dtype=bool) | (not self.shared)

    @property
    def from_all(self):
        """The scores' distances from the mean of all, shape (64, 64)."""
        scores = self.scores
        return scores - scores.mean(where=self._counts)

    @property
    def from_row(self):
        """The scores' distances from the mean of their row, shape (64, 64)."""
        scores = self.scores
        return scores - scores.mean(axis=1, where=self._counts, keepdims=True)

    def theory(self):
        """Return what theory gives for scaled scores: the variance of all, in a row."""
        d, sides = self.d_k, []
        for mean, rho in self._sides:
            cov = self.variance * ((1 - rho) * np.eye(d) + rho * np.ones((d, d)))
            sides += [np.full(d, mean), cov]
        total, in_row = score_variances(*sides)
        return total / d, in_row / d

    def measure(self):
        """Return the measured numbers, a flat dictionary."""
        total, in_row = self.theory()
        weights, from_row = self.weights, self.from_row
        counts = self._counts
        in_row_count = counts.sum(axis=1)[0]
        total_variance = float(self.from_all.var(where=counts, ddof=1))
        row_variance = float(
            (from_row[counts] ** 2).sum() / N_KEYS / (in_row_count - 1)
        )
        keys = float(effective_keys(weights).mean())
        white = random_qk(self.seed, N_KEYS, N_KEYS, self.d_k)
        white_keys = float(effective_keys(attention_weights(*white)).mean())
        return {
            "n_keys": N_KEYS,
            "total_variance": total_variance,
            "total_theory": total,
            "total_deviation": math.sqrt(total_variance),
            "total_theory_deviation": math.sqrt(total),
            "row_variance": row_variance,
            "row_theory": in_row,
            "row_deviation": math.sqrt(row_variance),
            "row_theory_deviation": math.sqrt(in_row),
            "effective_keys": keys,
            "white_effective_keys": white_keys,
            "effective_keys_gap": abs(keys - white_keys),
            "own_weight": float(np.trace(weights) / N_KEYS),
            "lead": float(np.trace(from_row) / N_KEYS),
            "lead_theory": self.variance * math.sqrt(self.d_k) if self.shared else 0.0,
            "summary": "shared" if self.shared else "default",
        }

    def picture(self, alt):
        """Return what the heatmap shows as a still SVG."""
        titles = {
            "rows": words.template("theorem_breaker.map.rows"),
            "columns": words.template("theorem_breaker.map.columns"),
        }
        if self.view == "weights":
            weights = self.weights
            return matrix_svg(weights, alt, high=float(weights.max()), **titles)
        limit = float(np.abs(self.from_all).max())
        values = getattr(self, self.view)
        return matrix_svg(values, alt, low=-limit, high=limit, name="PuOr", **titles)
