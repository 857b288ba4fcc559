// The kit's parts that need no page: schema, store, address, words.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { clean, defaults, pythonLine, scaleOf } from "../../src/attnbook/widgets/kit/schema.js";
import { Store } from "../../src/attnbook/widgets/kit/store.js";
import { linkTo, readAddress, withState } from "../../src/attnbook/widgets/kit/url.js";
import { plain } from "../../src/attnbook/widgets/kit/numbers.js";
import { fill, say, sayKit } from "../../src/attnbook/widgets/kit/words.js";
import { formatLike } from "../../src/attnbook/widgets/kit/prose.js";
import { colourIndex } from "../../src/attnbook/widgets/kit/heatmap.js";
import { logTicks } from "../../src/attnbook/widgets/kit/plot.js";

const schema = {
  d: { type: "integer", default: 8, min: 1, max: 64, stops: [1, 2, 4, 8, 16, 32, 64] },
  t: { type: "number", default: 1, min: 0.05, max: 20, scale: "log" },
  on: { type: "boolean", default: true },
  kind: { type: "choice", default: "a", options: ["a", "b"] },
  row: { type: "integer", default: null, min: 0, max: 9, nullable: true },
};

test("good values of an address become state", () => {
  const { partial, problems } = clean(schema, { d: "16", t: "0.5", on: "off", kind: "b", row: "none" });
  assert.deepEqual(partial, { d: 16, t: 0.5, on: false, kind: "b", row: null });
  assert.deepEqual(problems, []);
});

test("bad values are moved into range or dropped, and named", () => {
  const { partial, problems } = clean(schema, { d: "5000", t: "-1", on: "maybe", kind: "z", row: "x", what: "1" });
  assert.deepEqual(partial, { d: 64, t: 0.05 });
  assert.deepEqual(problems.map(({ key, used }) => [key, used]), [
    ["d", 64], ["t", 0.05], ["on", undefined], ["kind", undefined], ["row", undefined], ["what", undefined],
  ]);
});

test("a text is taken where it has the form of its pattern", () => {
  const cells = { edits: { type: "text", default: "", pattern: "(V\\d:\\d)*" } };
  assert.deepEqual(clean(cells, { edits: "V1:2V3:4" }).partial, { edits: "V1:2V3:4" });
  assert.deepEqual(clean(cells, { edits: "" }).partial, { edits: "" });
  assert.deepEqual(clean(cells, { edits: "xV1:2" }).problems.map(({ key, used }) => [key, used]), [["edits", undefined]]);
});

test("nothing like a number passes for one", () => {
  for (const given of ["", " ", "NaN", "Infinity", null, undefined, "1e999"]) {
    assert.deepEqual(clean(schema, { d: given }).partial, {}, String(given));
  }
  assert.deepEqual(clean(schema, { d: "7.6" }), { partial: { d: 8 }, problems: [{ key: "d", given: "7.6", used: 8 }] });
});

test("a slider's positions reach both ends, the middle, and every stop", () => {
  const log = scaleOf(schema.t);
  assert.deepEqual([log.value(0), log.value(100), log.value(200)], [0.05, 1, 20]);
  const stops = scaleOf(schema.d);
  schema.d.stops.forEach((stop, k) => assert.deepEqual([stops.value(k), stops.position(stop)], [stop, k]));
  assert.equal(stops.position(50), 6); // between two stops: the nearer, on a log scale
  const whole = scaleOf({ type: "integer", min: 1, max: 6 });
  assert.deepEqual([whole.max, whole.value(4), whole.position(6)], [5, 5, 5]);
  const line = scaleOf({ min: -1, max: 1, step: 0.1 });
  assert.deepEqual([line.max, line.value(13), line.position(0.3)], [20, 0.3, 13]);
});

test("a logarithmic slider may have 0 as its first position", () => {
  const field = { type: "number", default: 1, min: 0, max: 20, low: 0.05, scale: "log" };
  const scale = scaleOf(field);
  assert.deepEqual([0, 1, 101, scale.max].map(scale.value), [0, 0.05, 1, 20]);
  for (let at = 0; at <= scale.max; at++) assert.equal(scale.position(scale.value(at)), at);
  assert.equal(scale.position(0.001), 1); // above 0, however little
  assert.deepEqual(clean({ t: field }, { t: 0 }).partial, { t: 0 });
});

test("undo steps back by gestures, and the ghost is the state before the last", () => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const store = new Store(schema);
  store.set({ d: 16 }, { gesture: "d" });
  store.set({ d: 32 }, { gesture: "d" });
  assert.equal(store.ghost.d, 8);
  mock.timers.tick(5000);
  store.set({ d: 64 }, { gesture: "d" });
  assert.equal(store.ghost.d, 32);
  store.undo();
  store.undo();
  assert.deepEqual([store.state.d, store.ghost], [8, null]);
  store.undo();
  assert.equal(store.state.d, 8);
  mock.timers.reset();
});

test("while a pointer is down all moves are one gesture, and the next is another", () => {
  mock.timers.enable({ apis: ["Date"], now: 0 });
  const store = new Store(schema);
  for (const values of [[2, 4, 8], [16, 32]]) {
    store.hold("d");
    for (const d of values) { store.set({ d }, { gesture: "d" }); mock.timers.tick(5000); }
    store.hold(null);
  }
  store.undo();
  assert.equal(store.state.d, 8);
  store.undo();
  assert.deepEqual([store.state.d, store.ghost], [8, null]);
  mock.timers.reset();
});

test("reset returns to the first state and can be undone; no change is no step", () => {
  const store = new Store(schema, { d: 4 });
  store.set({ d: 4 });
  assert.equal(store.ghost, null);
  store.set({ on: false });
  store.reset();
  assert.deepEqual(store.state, { ...defaults(schema), d: 4 });
  store.undo();
  assert.equal(store.state.on, false);
});

test("the address holds what differs, beside what others wrote", () => {
  const base = defaults(schema);
  const text = withState("x", { ...base, d: 16, on: false, row: 3 }, base, "?other.d=3&x.t=9");
  assert.equal(text, "?other.d=3&x.d=16&x.on=off&x.row=3");
  assert.deepEqual(readAddress("x", text), { d: "16", on: "off", row: "3" });
  globalThis.location = { search: "", pathname: "/page.html" };
  assert.equal(linkTo("x", base, base), "/page.html#x");
  delete globalThis.location;
});

test("words: formats, plain numbers, unknown names", () => {
  assert.equal(fill("{a:.2f} of {n}, {t}, {w:.0%}", { a: -1.234, n: 64, t: 0.05, w: 0.771 }), "−1.23 of 64, 0.05, 77%");
  assert.deepEqual([1, 0.1 + 0.2, 1e-3, "it"].map(plain), ["1", "0.3", "0.001", "it"]);
  assert.equal(fill("{n}, {x}", { n: 1048576, x: 2 / 3 }), "1048576, 0.666667");
  assert.throws(() => fill("{nothing}", {}), /no value named nothing/);
  assert.throws(() => sayKit("nothing"), /no words at nothing/);
  assert.equal(say({ a: { b: "{n} keys" } }, "a.b", { n: 3 }), "3 keys");
  assert.throws(() => say({ a: {} }, "a.b"), /no words at a.b/);
});

test("a live number keeps the author's decimals", () => {
  assert.equal(formatLike("1.6 keys")(2.345), "2.3 keys");
  assert.equal(formatLike("86 %")(0.071), "7 %");
  assert.equal(formatLike("64")(9.7), "10");
  assert.equal(formatLike("2.46")(null), "–"); // no finite number to show
});

test("colours fall into matplotlib's bins", () => {
  assert.deepEqual([0, 0.5, 0.999, 1, 2, -1].map((v) => colourIndex(v, 0, 1)), [0, 128, 255, 255, 255, 0]);
});

test("log ticks thin out to powers of ten", () => {
  assert.deepEqual(logTicks(0.05, 20, 9), [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]);
  assert.deepEqual(logTicks(0.05, 20, 5), [0.1, 1, 10]);
});

test("the Python line names what differs from the defaults", () => {
  const state = { ...defaults(schema), d: 16, on: false, kind: "b", row: 0, t: 0.5 };
  assert.equal(pythonLine("X", schema, state, "x"), 'X(id="x", d=16, t=0.5, on=False, kind="b", row=0)');
  assert.equal(pythonLine("X", schema, defaults(schema), "x"), 'X(id="x")');
});

test("a change of what is shown leaves the ghost where it is, and can be undone", () => {
  const looks = { ...schema, kind: { ...schema.kind, look: true } };
  const store = new Store(looks);
  store.set({ d: 16 });
  assert.equal(store.ghost.d, 8);
  store.set({ kind: "b" });
  assert.equal(store.ghost.d, 8);
  store.undo();
  assert.deepEqual([store.state.kind, store.state.d], ["a", 16]);
  store.undo();
  assert.equal(store.ghost, null);
  store.set({ kind: "b" });
  assert.equal(store.ghost, null); // nothing that is drawn has moved
  assert.ok(store.canUndo);
});
