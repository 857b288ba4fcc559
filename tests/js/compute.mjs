// Reads { figure, states } on standard input; prints what the figure computes in each state: its arrays, values,
// sentence and Python line. One figure's caches serve all states, as on a page.
import { readFileSync } from "node:fs";
import { pythonLine } from "../../src/attnbook/widgets/kit/schema.js";
import { say } from "../../src/attnbook/widgets/kit/words.js";

const { figure: name, states } = JSON.parse(readFileSync(0, "utf8"));
const { default: figure } = await import(`../../src/attnbook/widgets/figures/${name}/figure.js`);
const compute = figure.createCompute();

// Arrays at any depth become plain lists.
const plain = (value) => JSON.parse(JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? [...part] : part)));

const answers = states.map((state) => {
  const result = compute(state);
  return { ...plain(result),
    sentence: say(figure.words, `summary.${figure.summary(result.values)}`, result.values),
    line: pythonLine(figure.python, figure.spec.state, state, "explorer") };
});

process.stdout.write(JSON.stringify(answers));
