// TODO: what the figure shows, in one line.
import spec from "./spec.json" with { type: "json" };
import words from "./en.json" with { type: "json" };
import { defineFigure } from "../../kit/define.js";

const weightOf = (lead) => 1 / (1 + Math.exp(-lead));
const LEADS = Float64Array.from({ length: 121 }, (_, k) => -6 + k / 10);

function createCompute() {
  const curve = { x: LEADS, y: LEADS.map(weightOf) }; // caches live here, one set a figure
  return (state) => ({ curve, values: { ...state, weight: weightOf(state.lead) } });
}

function build(ui) {
  const plot = ui.plot({ name: "curve", x: { domain: [-6, 6] }, y: { domain: [0, 1] } });
  const curve = plot.curve("attn-now");
  const former = plot.point("attn-ghost");
  const point = plot.point("attn-now");
  const numbers = ui.readouts(["weight"]);
  const lead = ui.slider("lead", { format: (value) => value.toFixed(1) });
  ui.picture({ wide: '"curve" 1fr / 1fr', narrow: '"curve" 1fr / 1fr' }, { curve: ui.panel(ui.t("curve.title"), plot) });
  ui.rail(numbers, lead);
  return ({ curve: { x, y }, values }, state, formerResult, formerState) => {
    plot.fit();
    curve.draw(x, y);
    point.draw(state.lead, values.weight);
    if (formerResult) former.draw(formerState.lead, formerResult.values.weight);
    else former.hide();
    plot.describe(values);
    numbers.update(values, formerResult?.values);
    lead.update(state, formerState);
  };
}

export default defineFigure({ name: "@name@", python: "@class@", spec, words, createCompute, build });
