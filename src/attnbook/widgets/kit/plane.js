// A plane: a plot whose two axes have the same unit, so lengths and right angles look as they are.
import { s } from "./dom.js";

const HEAD = 9; // pixels of an arrow's head
const round = (pixel) => Math.round(pixel * 10) / 10;

/**
 * plane(ui, { name, reach: { x, y }, margin }): a plot that shows at least -x to x and -y to y; where there is more room
 * in one direction it shows more. Words as for a plot. Beside the layers of a plot it has segment(class), arrow(class)
 * and circle(class).
 */
export function plane(ui, { name, reach, margin }) {
  const self = ui.plot({ name, margin, x: { domain: [-reach.x, reach.x], count: 9 }, y: { domain: [-reach.y, reach.y], count: 9 } });
  const fit = self.fit;
  self.fit = () => {
    if (self.dirty) setUnit(self, reach);
    fit();
  };
  self.perUnit = () => self.x(1) - self.x(0);
  for (const [kind, make] of Object.entries(LAYERS)) self[kind] = (className) => make(self, className);
  return self;
}

function setUnit(self, reach) {
  const { width, height, margin } = self;
  const across = width - margin.left - margin.right;
  const down = height - margin.top - margin.bottom;
  const unit = Math.min(across / (2 * reach.x), down / (2 * reach.y));
  self.setDomain("x", [-across / (2 * unit), across / (2 * unit)]);
  self.setDomain("y", [-down / (2 * unit), down / (2 * unit)]);
}

function path(self, className) {
  const element = s("path", { class: className });
  self.layers.append(element);
  return { element, set: (d) => element.setAttribute("d", d), hide: () => element.setAttribute("d", "") };
}

const LAYERS = {
  /** draw([x, y], [x, y]): a straight line from point to point. */
  segment(self, className) {
    const line = path(self, `attn-segment ${className}`);
    const at = ([x, y]) => `${round(self.x(x))} ${round(self.y(y))}`;
    return { ...line, draw: (from, to) => line.set(`M${at(from)}L${at(to)}`) };
  },

  /** draw([x, y], gap): an arrow from the origin; its head ends `gap` pixels before the point. */
  arrow(self, className) {
    const line = path(self, `attn-arrow ${className}`);
    const draw = ([x, y], gap = 0) => {
      const [x0, y0] = [self.x(0), self.y(0)];
      const [dx, dy] = [self.x(x) - x0, self.y(y) - y0];
      const length = Math.hypot(dx, dy);
      if (length < gap + 1) return line.hide();
      const [ux, uy] = [dx / length, dy / length];
      const end = length - gap;
      const head = Math.min(HEAD, end);
      const place = (along, aside) => `${round(x0 + along * ux - aside * uy)} ${round(y0 + along * uy + aside * ux)}`;
      return line.set(`M${place(0, 0)}L${place(end, 0)}M${place(end - head, head / 2)}L${place(end, 0)}L${place(end - head, -head / 2)}`);
    };
    return { ...line, draw };
  },

  /** draw(radius): a circle around the origin. */
  circle(self, className) {
    const line = path(self, `attn-segment ${className}`);
    const draw = (radius) => {
      const [x, y, r] = [self.x(0), self.y(0), self.x(radius) - self.x(0)].map(round);
      line.set(`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`);
    };
    return { ...line, draw };
  },
};
