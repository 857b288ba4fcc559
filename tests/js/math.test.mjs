// The kernel's twin: masks, dead rows, extremes, the entropy curve, prefix sums.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as math from "../../src/attnbook/widgets/kit/attention_math.js";
import { normals } from "../../src/attnbook/widgets/kit/random_stream.js";

const near = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("a hidden key gets exactly zero, the others as if it were not there", () => {
  const scores = Float64Array.of(1, NaN, 3, 0.5, 2, 9000);
  const mask = Uint8Array.of(1, 0, 1, 1, 1, 0);
  const weights = math.softmaxRows(scores, 2, 3, 0.5, mask);
  assert.deepEqual([weights[1], weights[5]], [0, 0]);
  const alone = math.softmaxRows(Float64Array.of(1, 3), 1, 2, 0.5);
  near(weights[0], alone[0]);
  near(weights[2], alone[1]);
});

test("a row with no key is all zero, with entropy and effective keys zero", () => {
  const scores = Float64Array.of(-Infinity, -Infinity, 1, 2);
  for (const mask of [null, Uint8Array.of(0, 0, 1, 1)]) {
    const weights = math.softmaxRows(scores, 2, 2, 1, mask);
    assert.deepEqual([...weights.slice(0, 2)], [0, 0]);
    assert.equal(math.entropy(weights, 2, 2)[0], 0);
    assert.equal(math.effectiveKeys(weights, 2, 2)[0], 0);
  }
});

test("a visible NaN reaches its own row and no other", () => {
  const weights = math.softmaxRows(Float64Array.of(NaN, 1, 1, 1), 2, 2);
  assert.ok(Number.isNaN(weights[0]) && Number.isNaN(weights[1]));
  assert.deepEqual([...weights.slice(2)], [0.5, 0.5]);
});

test("huge scores and tiny temperatures: the winners share", () => {
  const weights = math.softmaxRows(Float64Array.of(1e4, 1e4, -1e4), 1, 3, 1e-6);
  assert.deepEqual([...weights], [0.5, 0.5, 0]);
  near(math.entropy(weights, 1, 3)[0], Math.LN2);
  near(math.effectiveKeys(weights, 1, 3)[0], 2);
  assert.equal(math.largestWeight(weights, 1, 3)[0], 0.5);
});

test("a weight of zero passes nothing on, not even NaN", () => {
  assert.deepEqual([...math.mix(Float64Array.of(0, 1), Float64Array.of(NaN, 7), 1, 2, 1)], [7]);
});

test("the entropy curve is the entropy of the softmax at each of its temperatures", () => {
  const scores = math.scaled(normals(1, 0, 5, 9), 30);
  const { temperature, entropy } = math.entropyCurve(scores, 5, 9, 0.05 / 32, 20);
  assert.ok(temperature[0] === 20 && temperature.at(-1) <= 0.05 / 32);
  temperature.forEach((t, k) => {
    near(entropy[k], math.mean(math.entropy(math.softmaxRows(scores, 5, 9, t), 5, 9)), 1e-10);
  });
});

test("the entropy curve survives scores of minus infinity", () => {
  const { entropy } = math.entropyCurve(Float64Array.of(-Infinity, 0, 0), 1, 3, 0.05, 20);
  for (const value of entropy) near(value, Math.LN2);
});

test("prefix sums give every width and every size", () => {
  const [Q, K] = [0, 1].map((stream) => normals(2, stream, 6, 100));
  const prefix = new math.PrefixScores(Q, K, 6, 6, 100, [2, 4, 64, 200]);
  for (const [d, n] of [[1, 6], [2, 6], [3, 5], [64, 2], [99, 6], [100, 6]]) {
    const got = prefix.at(d, n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let c = 0; c < d; c++) sum += Q[i * 100 + c] * K[j * 100 + c];
        near(got[i * n + j], sum);
      }
    }
  }
});

test("sorted rows are averaged from the largest down", () => {
  const mean = math.meanSorted(Float64Array.of(0.1, 0.9, 0.6, 0.4), 2, 2);
  near(mean[0], 0.75);
  near(mean[1], 0.25);
});
