// A curve drawn by hand sets the columns that the hand crossed, and no others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../../src/booktools/site/questions/sketch.js";
import { stroke } from "../../src/booktools/site/questions/stroke.js";

const UNEVEN = [34, 41, 48, 75, 89, 117, 144, 200, 255, 310]; // as a question's columns lie
const curve = (x) => 180 - 8 * Math.sqrt(x - 30);

function drawn(columns, xs, height = curve) {
  const heights = columns.map(() => 100);
  const hand = stroke(columns);
  for (const x of xs) hand.move([x, height(x)]).forEach(([i, level]) => (heights[i] = level));
  return heights;
}

const every = (step, from = 30, to = 315) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

for (const step of [1, 3, 7]) {
  test(`a slow curve in steps of ${step} is drawn as the hand drew it, both ways`, () => {
    for (const xs of [every(step), every(step).reverse()]) {
      drawn(UNEVEN, xs).forEach((height, i) => {
        assert.ok(Math.abs(height - curve(UNEVEN[i])) < 5, `column ${i}: ${height}`);
      });
    }
  });
}

test("a press moves the nearest column alone", () => {
  for (const x of [36, 40, 44, 60, 120, 290]) {
    const moved = stroke(UNEVEN).move([x, 20]);
    const gaps = UNEVEN.map((cx) => Math.abs(cx - x));
    assert.deepEqual(moved, [[gaps.indexOf(Math.min(...gaps)), 20]]);
  }
});

test("a quick stroke leaves no gap: what it jumps over lies on its line", () => {
  const hand = stroke(UNEVEN);
  hand.move([34, 180]);
  const set = new Map(hand.move([310, 42]));
  UNEVEN.forEach((cx, i) => assert.ok(Math.abs(set.get(i) - (180 - (cx - 34) / 2)) < 1e-9));
});

test("a column once crossed keeps its height while the hand goes on", () => {
  const hand = stroke(UNEVEN);
  [[90, 50], [115, 50], [119, 50]].forEach((point) => hand.move(point));
  assert.deepEqual(hand.move([125, 150]), []); // still nearest to the column at 117
  const [[column, level]] = hand.move([113, 90]); // gone back over it on purpose
  assert.equal(column, 5);
  assert.ok(level > 90 && level < 150);
});

test("a handle that is pulled straight up comes along, however the hand trembles", () => {
  const hand = stroke(UNEVEN);
  hand.move([116, 150]);
  [[118, 120], [116, 100], [119, 60]].forEach((point) => {
    assert.deepEqual(hand.move(point).at(-1), [5, point[1]]);
  });
});

test("a stroke that stops short of the last column still sets it", () => {
  const heights = drawn(UNEVEN, every(2, 30, 305));
  assert.equal(heights.at(-1), curve(304));
});

const TRUTH = [0, 0.1, 0.2, 0.3, 0.25, 0.25, 0.24, 0.23];
const FALLS = TRUTH.map((_, i) => 0.3 - 0.03 * i);
const room = 1 / 16;

test("a curve drawn by a trembling hand is told by its kind", () => {
  const drawn = TRUTH.map((height, i) => height + (i % 2 ? 0.05 : -0.05));
  assert.equal(nearest(drawn, [TRUTH, FALLS], room), 0);
  assert.equal(nearest(FALLS, [TRUTH, FALLS], room), 1);
});

test("a curve that leaves its kind in one place is not of the kind", () => {
  const drawn = TRUTH.map((height, i) => (i === 5 ? height + 0.14 : height));
  assert.equal(nearest(drawn, [TRUTH, FALLS], room), -1);
});
