// The running sentence of attnbook.toydata.running_example(); a test keeps them equal.

export const tokens = ["The", "dog", "saw", "Kim", "it", "barked"];
export const width = 4;

// prettier-ignore
export const Q = new Float64Array([
  2, 0, 0, 0,
  0, 2, 0, 1,
  1, 0, 2, 0,
  0, 2, -1, 0,
  2, 0, -1, 0,
  2, -1, 0, 0,
]);

// prettier-ignore
export const K = new Float64Array([
  0, 0, 0, 2,
  3, 0, 0, 0,
  0, 3, 0, 0,
  0, 0, 3, 0,
  1, 0, 0, 1,
  0, 2, 0, 0,
]);

// prettier-ignore
export const V = new Float64Array([0, -1, 2, 0, 0, 2, -2, 0, 1, -1, 1, 2]);
