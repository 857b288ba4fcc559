// The twin of attnbook.positions for the live figures: matrices are Float64Arrays, row after row.
// Position p turns pair i by p * base ** (-2i / d), as in Python.

const BASE = 10000;
const frequency = (i, d) => BASE ** ((-2 * i) / d);

/** A row of sines and cosines for each of n positions: sin in columns 2i, cos in columns 2i + 1. */
export function sinusoidal(n, d) {
  const out = new Float64Array(n * d);
  for (let p = 0; p < n; p++) {
    for (let i = 0; i < d / 2; i++) {
      const angle = p * frequency(i, d);
      out[p * d + 2 * i] = Math.sin(angle);
      out[p * d + 2 * i + 1] = Math.cos(angle);
    }
  }
  return out;
}

/** Queries or keys with each pair (2i, 2i + 1) turned by its token's position: the interleaved layout. */
export function rotary(X, n, d) {
  const out = new Float64Array(n * d);
  for (let p = 0; p < n; p++) {
    for (let i = 0; i < d / 2; i++) {
      const at = p * d + 2 * i;
      const angle = p * frequency(i, d);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      out[at] = X[at] * cos - X[at + 1] * sin;
      out[at + 1] = X[at] * sin + X[at + 1] * cos;
    }
  }
  return out;
}

/** The bias of one head: minus its slope times the distance of query and key. */
export function alibi(n, slope) {
  return Float64Array.from({ length: n * n }, (_, at) => -slope * Math.abs(Math.floor(at / n) - (at % n)));
}
