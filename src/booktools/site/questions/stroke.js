// Which columns one move of the pointer sets, and how high. A column that the stroke
// crosses gets the height at which it was crossed; else the nearest column alone moves.

function crossed(columns, from, to) {
  const [low, high] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
  const found = [];
  columns.forEach((cx, i) => {
    if (cx < low || cx > high || low === high) return;
    const share = (cx - from[0]) / (to[0] - from[0]);
    found.push([i, from[1] + share * (to[1] - from[1])]);
  });
  return found;
}

function nearestColumn(columns, px) {
  const distances = columns.map((cx) => Math.abs(cx - px));
  return distances.indexOf(Math.min(...distances));
}

// One press and its moves. `move` returns pairs of a column's index and its new height.
// Until it nears another column, a press moves the column that it began at, on either
// side of it: a hand that goes straight up trembles.
export function stroke(columns) {
  const kept = new Map(); // the heights at which columns were crossed
  let last = null;
  let home = null;
  return {
    move(point) {
      const near = nearestColumn(columns, point[0]);
      const set = last ? crossed(columns, last, point) : [];
      set.forEach(([i, level]) => kept.set(i, level));
      home = last ? home : near;
      if (near !== home) {
        if (kept.has(home)) set.push([home, kept.get(home)]);
        home = null;
      }
      if (near === home || !kept.has(near)) set.push([near, point[1]]);
      last = point;
      return set;
    },
  };
}
