// The random stream of attnbook/toydata.py, in JavaScript: the same words, the same
// numbers. Entry (row, column) depends on seed, stream and its own place alone.

const MULTIPLIER = 0xd256d193;
const M_LOW = MULTIPLIER & 0xffff;
const M_HIGH = MULTIPLIER >>> 16;
const KEY_STEP = 0x9e3779b9;
const ROUNDS = 10;
const WORD = 2 ** 32;
const MAX_ROWS = 2 ** 16;

export const STREAM = { queries: 0, keys: 1, values: 2 };

// JavaScript has no 32 x 32 -> 64 bit product: the upper word comes from four 16-bit ones.
function upperWord(a) {
  const low = a & 0xffff;
  const high = a >>> 16;
  const cross = low * M_HIGH + ((low * M_LOW) >>> 16);
  const rest = high * M_LOW + (cross & 0xffff);
  return (high * M_HIGH + Math.floor(cross / 65536) + Math.floor(rest / 65536)) >>> 0;
}

/** Philox2x32 with ten rounds; writes two words into `out`. */
export function philox2x32(c0, c1, key, out) {
  for (let round = 0; round < ROUNDS; round++) {
    const upper = upperWord(c0);
    const lower = Math.imul(c0, MULTIPLIER);
    c0 = (upper ^ key ^ c1) >>> 0;
    c1 = lower >>> 0;
    key = (key + KEY_STEP) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
}

function fillRows(seed, stream, nRows, nColumns, write) {
  const words = [0, 0];
  const out = new Float64Array(nRows * nColumns);
  for (let row = 0; row < nRows; row++) {
    for (let column = 0; column < nColumns; column += 2) {
      philox2x32(column / 2, row + stream * MAX_ROWS, seed, words);
      const at = row * nColumns + column;
      write(out, at, (words[0] + 0.5) / WORD, (words[1] + 0.5) / WORD, column + 1 < nColumns);
    }
  }
  return out;
}

/** Numbers between 0 and 1, row after row in one Float64Array. */
export function uniforms(seed, stream, nRows, nColumns) {
  return fillRows(seed, stream, nRows, nColumns, (out, at, u, v, both) => {
    out[at] = u;
    if (both) out[at + 1] = v;
  });
}

/** Standard normal numbers (Box-Muller), row after row in one Float64Array. */
export function normals(seed, stream, nRows, nColumns) {
  return fillRows(seed, stream, nRows, nColumns, (out, at, u, v, both) => {
    const radius = Math.sqrt(-2 * Math.log(u));
    const angle = 2 * Math.PI * v;
    out[at] = radius * Math.cos(angle);
    if (both) out[at + 1] = radius * Math.sin(angle);
  });
}
