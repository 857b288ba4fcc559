// The twin of attnbook.kernel for the live figures: matrices are Float64Arrays,
// row after row, and queries are rows. Same order of steps, same rules: a key that is
// hidden (mask 0, or a score of -Infinity) gets exactly 0; a row with no key is all 0.

/** Q Kᵀ: every query times every key, shape nQ x nK. */
export function rawScores(Q, K, nQ, nK, dK) {
  const out = new Float64Array(nQ * nK);
  for (let i = 0; i < nQ; i++) {
    for (let j = 0; j < nK; j++) out[i * nK + j] = dot(Q, i * dK, K, j * dK, dK);
  }
  return out;
}

function dot(a, atA, b, atB, length) {
  let sum = 0;
  for (let c = 0; c < length; c++) sum += a[atA + c] * b[atB + c];
  return sum;
}

export function scaled(values, factor) {
  return values.map((value) => value * factor);
}

/** The largest score that row i may see; -Infinity if it sees none. */
function rowMaximum(scores, mask, start, nK) {
  let top = -Infinity;
  for (let at = start; at < start + nK; at++) {
    if (mask && !mask[at]) continue;
    if (scores[at] > top || Number.isNaN(scores[at])) top = scores[at];
  }
  return top;
}

/** Softmax of (scores - row maximum) / temperature, for each row. */
export function softmaxRows(scores, nQ, nK, temperature = 1, mask = null) {
  const out = new Float64Array(nQ * nK);
  for (let i = 0; i < nQ; i++) softmaxRow(scores, out, i * nK, nK, temperature, mask);
  return out;
}

function softmaxRow(scores, out, start, nK, temperature, mask) {
  const top = rowMaximum(scores, mask, start, nK);
  if (top === -Infinity) return; // no key: the row stays 0
  let sum = 0;
  for (let at = start; at < start + nK; at++) {
    if (mask && !mask[at]) continue;
    out[at] = Math.exp((scores[at] - top) / temperature);
    sum += out[at];
  }
  for (let at = start; at < start + nK; at++) out[at] /= sum;
}

/** weights V, shape nQ x dV. A weight of exactly 0 passes nothing on, not even NaN. */
export function mix(weights, V, nQ, nK, dV) {
  const out = new Float64Array(nQ * dV);
  for (let i = 0; i < nQ; i++) {
    for (let j = 0; j < nK; j++) {
      const weight = weights[i * nK + j];
      if (weight === 0) continue;
      for (let c = 0; c < dV; c++) out[i * dV + c] += weight * V[j * dV + c];
    }
  }
  return out;
}

/** One number for each row: `measure(weights, start, nK)`. */
function perRow(weights, nQ, nK, measure) {
  return Float64Array.from({ length: nQ }, (_, i) => measure(weights, i * nK, nK));
}

/** Entropy of each row in nats, from 0 (one key) to ln nK (all alike). */
export function entropy(weights, nQ, nK) {
  return perRow(weights, nQ, nK, (w, start, n) => {
    let sum = 0;
    for (let at = start; at < start + n; at++) if (w[at] > 0) sum -= w[at] * Math.log(w[at]);
    return Math.max(sum, 0); // no minus zero
  });
}

/** Effective number of keys of each row, 1 / sum of w²; 0 for a row with no key. */
export function effectiveKeys(weights, nQ, nK) {
  return perRow(weights, nQ, nK, (w, start, n) => {
    let sum = 0;
    for (let at = start; at < start + n; at++) sum += w[at] * w[at];
    return sum > 0 ? 1 / sum : 0;
  });
}

export function largestWeight(weights, nQ, nK) {
  return perRow(weights, nQ, nK, (w, start, n) => {
    let top = 0;
    for (let at = start; at < start + n; at++) if (w[at] > top) top = w[at];
    return top;
  });
}

export function mean(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The mean squared distance from the mean. */
export function variance(values) {
  const middle = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** 2;
  return sum / values.length;
}

/** The weights of each row from largest to smallest, averaged over the rows. */
export function meanSorted(weights, nQ, nK) {
  const out = new Float64Array(nK);
  for (let i = 0; i < nQ; i++) {
    const row = weights.slice(i * nK, (i + 1) * nK).sort();
    for (let j = 0; j < nK; j++) out[j] += row[nK - 1 - j] / nQ;
  }
  return out;
}

const STEPS_PER_OCTAVE = 6;

/**
 * Entropy against temperature, averaged over rows, from `hottest` down to `coldest`.
 *
 * The grid has six points to the octave, so halving a temperature squares each
 * exponential: only six grids of exponentials are computed, the rest are squares.
 * Returns { temperature, entropy }, two Float64Arrays.
 */
export function entropyCurve(scores, nQ, nK, coldest, hottest) {
  const octaves = Math.ceil(Math.log2(hottest / coldest) - 1e-9);
  const count = octaves * STEPS_PER_OCTAVE + 1;
  const temperature = new Float64Array(count);
  for (let k = 0; k < count; k++) temperature[k] = hottest * 2 ** (-k / STEPS_PER_OCTAVE);
  const sums = new Float64Array(count);
  for (let i = 0; i < nQ; i++) addRowEntropies(scores.subarray(i * nK, (i + 1) * nK), temperature, sums);
  return { temperature, entropy: sums.map((sum) => Math.max(sum / nQ, 0)) };
}

/** Adds the entropies of one row: ln Z - E[x], where x = (score - top) / temperature. */
function addRowEntropies(row, temperature, sums) {
  const n = row.length;
  const top = rowMaximum(row, null, 0, n);
  if (top === -Infinity) return;
  const gaps = row.map((score) => score - top);
  const powers = new Float64Array(n);
  for (let first = 0; first < STEPS_PER_OCTAVE && first < temperature.length; first++) {
    for (let j = 0; j < n; j++) powers[j] = Math.exp(gaps[j] / temperature[first]);
    for (let k = first; k < temperature.length; k += STEPS_PER_OCTAVE) {
      let total = 0;
      let weighted = 0;
      for (let j = 0; j < n; j++) {
        const power = powers[j];
        if (power === 0) continue; // also spares 0 times a score of -Infinity
        total += power;
        weighted += power * gaps[j];
        powers[j] = power * power;
      }
      sums[k] += Math.log(total) - weighted / total / temperature[k];
    }
  }
}

/**
 * Products of every query with every key over the first d columns, for every d up to dMax.
 *
 * One pass over the columns keeps the running sum at each stop; a width between two
 * stops adds or takes away the columns to the nearest. So a slider over d is a look-up.
 */
export class PrefixScores {
  constructor(Q, K, nQ, nK, dMax, allStops) {
    const stops = [...allStops.filter((stop) => stop < dMax), dMax];
    Object.assign(this, { Q, K, nQ, nK, dMax, stops });
    this.sums = stops.map(() => new Float64Array(nQ * nK));
    for (let i = 0; i < nQ; i++) for (let j = 0; j < nK; j++) this.#fill(i, j);
  }

  #fill(i, j) {
    const { Q, K, dMax, stops, sums } = this;
    const at = i * this.nK + j;
    let sum = 0;
    let from = 0;
    for (let s = 0; s < stops.length; s++) {
      const to = stops[s];
      for (let c = from, q = i * dMax + from, k = j * dMax + from; c < to; c++) sum += Q[q++] * K[k++];
      sums[s][at] = sum;
      from = to;
    }
  }

  /** Q Kᵀ of the first n queries and keys over the first d columns. */
  at(d, n = this.nQ) {
    const s = this.#nearestStop(d);
    const base = this.stops[s];
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++) out.set(this.sums[s].subarray(i * this.nK, i * this.nK + n), i * n);
    if (base < d) this.#addColumns(out, n, base, d, 1);
    if (base > d) this.#addColumns(out, n, d, base, -1);
    return out;
  }

  #nearestStop(d) {
    const distances = this.stops.map((stop) => Math.abs(stop - d));
    return distances.indexOf(Math.min(...distances));
  }

  #addColumns(out, n, from, to, sign) {
    const { Q, K, dMax } = this;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let c = from; c < to; c++) sum += Q[i * dMax + c] * K[j * dMax + c];
        out[i * n + j] += sign * sum;
      }
    }
  }
}
