import { makeSvg, word } from "./dom.js";
import { stroke } from "./stroke.js";

// Where the axes lie in the drawing: the same numbers as in sketch.py.
const BOX = { left: 34, right: 310, top: 22, bottom: 182 };
const STEPS = 32; // levels that the keyboard can reach

const NEAR = 1 / 16; // of the y axis: a hand-drawn curve within this is told by its kind
const ASTRAY = 2; // times that room: no single point may lie farther off

// The kind of curve that heights are nearest to by mean distance; -1 if near none. A curve
// that leaves its kind in one place shows another belief there, however small the mean.
export function nearest(heights, kinds, room) {
  const gaps = (kind) => kind.map((height, i) => Math.abs(height - heights[i]));
  const mean = (kind) => gaps(kind).reduce((sum, gap) => sum + gap, 0) / kind.length;
  const distances = kinds.map(mean);
  const best = distances.indexOf(Math.min(...distances));
  const near = distances[best] <= room && Math.max(...gaps(kinds[best])) <= ASTRAY * room;
  return near ? best : -1;
}

// The runs of places where heights lie above (side 1) or below (side -1) the truth.
export function runs(heights, truth, at, room, side) {
  const found = [];
  let last = -2;
  at.forEach((place, i) => {
    if (side * (heights[i] - truth[i]) <= room) return;
    if (last === i - 1) found[found.length - 1][1] = place;
    else found.push([place, place]);
    last = i;
  });
  return found.map(([from, to]) => (from === to ? String(from) : word("run", { from, to })));
}

export function sketch(root) {
  const holder = root.querySelector(".attn-q-sketch");
  const svg = holder.querySelector("svg");
  const { x, y, given, curve } = JSON.parse(holder.dataset.sketch);
  const hint = root.querySelector(".attn-q-hint");
  const reasons = [...root.querySelectorAll(".attn-q-reason")];
  const start = given.length ? given[0][1] : (y.start + y.end) / 2;
  const step = (y.end - y.start) / STEPS;
  const room = (y.end - y.start) * NEAR;
  let heights = x.at.map(() => start);
  let touched = false;
  let locked = false;

  const across = (value) =>
    BOX.left + ((value - x.start) / (x.end - x.start)) * (BOX.right - BOX.left);
  const up = (value) =>
    BOX.bottom - ((value - y.start) / (y.end - y.start)) * (BOX.bottom - BOX.top);
  const path = (pairs) => pairs.map(([a, b]) => `${across(a)},${up(b)}`).join(" ");
  const clamp = (value) => Math.min(y.end, Math.max(y.start, value));
  const plain = (value) => String(Number(value.toFixed(2)));

  // Where a curve of no known kind goes wrong.
  function astray(answer, truth) {
    const sides = [["sketch_high", 1], ["sketch_low", -1]];
    const told = sides.map(([key, side]) => {
      const places = runs(answer, truth, x.at, room, side).join(", ");
      return places && word(key, { label: x.label, places });
    });
    return told.filter(Boolean).join(" ");
  }

  root.querySelector(".attn-q-true").remove(); // the true curve is drawn over the reader's
  hint.textContent = word("draw");
  svg.setAttribute("role", "group");
  const line = makeSvg("polyline", { class: "attn-q-mine" });
  const truth = makeSvg("polyline", { class: "attn-q-curve", points: path(curve) });
  svg.insertBefore(line, svg.querySelector(".attn-q-given"));
  const handles = x.at.map((place, i) => handle(place, i));
  svg.append(...handles);

  function handle(place, i) {
    const group = makeSvg("g", {
      class: "attn-q-handle",
      role: "slider",
      tabindex: i ? -1 : 0,
      "aria-orientation": "vertical",
      "aria-label": word("point_label", { label: x.label, x: place }),
      "aria-valuemin": y.start,
      "aria-valuemax": y.end,
    });
    group.append(makeSvg("circle", { r: 14 }), makeSvg("circle", { r: 6 }));
    group.addEventListener("keydown", (event) => onKey(event, i));
    group.addEventListener("focus", () => handles.forEach((h, j) => (h.tabIndex = i === j ? 0 : -1)));
    return group;
  }

  function draw() {
    const all = [...x.at.map((place, i) => [place, heights[i]]), ...given];
    line.setAttribute("points", path(all.sort((a, b) => a[0] - b[0])));
    line.classList.toggle("attn-q-untouched", !touched);
    handles.forEach((group, i) => {
      group.setAttribute("transform", `translate(${across(x.at[i])} ${up(heights[i])})`);
      group.setAttribute("aria-valuenow", plain(heights[i]));
      group.setAttribute("aria-disabled", locked);
    });
  }

  function set(i, height) {
    heights[i] = clamp(height);
    touched = true;
    draw();
    root.dispatchEvent(new CustomEvent("attn-drawn"));
  }

  function onKey(event, i) {
    const sideways = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const upward = { ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4 }[event.key];
    const confirmed = event.key === "Enter" || event.key === " ";
    if (sideways) handles[Math.min(handles.length - 1, Math.max(0, i + sideways))].focus();
    else if (upward && !locked) set(i, heights[i] + upward * step);
    else if (confirmed && !locked) set(i, heights[i]);
    else return;
    event.preventDefault();
  }

  let pressed = null;
  function onPointer(event) {
    const box = svg.getBoundingClientRect();
    const scale = 320 / box.width;
    const point = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    for (const [i, level] of pressed.move(point)) {
      set(i, y.start + ((BOX.bottom - level) / (BOX.bottom - BOX.top)) * (y.end - y.start));
    }
  }
  svg.addEventListener("pointerdown", (event) => {
    if (locked) return;
    pressed = stroke(x.at.map(across));
    svg.setPointerCapture(event.pointerId);
    onPointer(event);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (!locked && svg.hasPointerCapture(event.pointerId)) onPointer(event);
  });

  draw();
  return {
    missing: "draw_first",
    others: "others_sketch",
    first: handles[0],
    read: () => (touched ? heights.map((height) => Number(height.toPrecision(4))) : null),
    write(answer) {
      touched = answer !== null;
      heights = answer ? [...answer] : x.at.map(() => start);
      draw();
    },
    lock(value) {
      locked = value;
      draw();
    },
    fits: (answer) =>
      Array.isArray(answer) && answer.length === x.at.length && answer.every(Number.isFinite),
    reveal() {
      svg.insertBefore(truth, line);
      hint.textContent = word("curves");
    },
    hide() {
      truth.remove();
      hint.textContent = word("draw");
    },
    judge(answer) {
      const kinds = reasons.map((reason) => JSON.parse(reason.dataset.heights));
      const match = nearest(answer, kinds, room);
      if (match < 0) {
        const verdict = `${word("wrong")} ${astray(answer, kinds[0])}`;
        return { right: false, own: [reasons[0]], verdict };
      }
      const right = match === 0;
      const own = right ? [reasons[0]] : [reasons[match], reasons[0]];
      return { right, own, verdict: word(right ? "near" : "wrong") };
    },
  };
}
