// Renders formulas for mathematics.py: a line of JSON in, a line of JSON out, until the
// input ends. So it ends with the build, however the build ends.
const [katexPath] = process.argv.slice(2);
const katex = require(katexPath);
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { latex, options } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(latex, options) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
