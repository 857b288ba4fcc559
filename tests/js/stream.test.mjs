// The random stream in JavaScript against published and shared answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { normals, philox2x32, uniforms } from "../../src/attnbook/widgets/kit/random_stream.js";

const vectors = JSON.parse(readFileSync(new URL("stream_vectors.json", import.meta.url)));
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("philox gives the published answers", () => {
  for (const line of vectors.philox2x32_10) {
    const [c0, c1, key, first, second] = line.map((word) => parseInt(word, 16));
    const out = [0, 0];
    philox2x32(c0, c1, key, out);
    assert.deepEqual(out, [first, second]);
  }
});

test("the numbers are those that Python draws", () => {
  for (const { place: [seed, stream, row, column], normal, uniform } of vectors.normals) {
    if (row > 100) continue; // rows are drawn from the first on: spare the time
    const at = row * (column + 1) + column;
    near(normals(seed, stream, row + 1, column + 1)[at], normal);
    near(uniforms(seed, stream, row + 1, column + 1)[at], uniform);
  }
});

test("a smaller draw is the corner of a larger one", () => {
  const [small, large] = [normals(3, 1, 4, 7), normals(3, 1, 9, 20)];
  for (let i = 0; i < 4; i++) for (let j = 0; j < 7; j++) assert.equal(small[i * 7 + j], large[i * 20 + j]);
});
