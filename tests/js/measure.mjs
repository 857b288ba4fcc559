// Reads a list of states on standard input; prints what AttentionExplorer measures for each.
import { readFileSync } from "node:fs";
import attentionExplorer from "../../src/attnbook/widgets/figures/attention_explorer/figure.js";
import { pythonLine } from "../../src/attnbook/widgets/kit/schema.js";
import { say } from "../../src/attnbook/widgets/kit/words.js";
import * as example from "../../src/attnbook/widgets/kit/running_example.js";
import { colourIndex, inkOn } from "../../src/attnbook/widgets/kit/heatmap.js";
import { KINDS, MOST, read } from "../../src/attnbook/widgets/kit/vocabulary.js";
import * as colormaps from "../../src/attnbook/widgets/kit/colormaps.js";

const request = JSON.parse(readFileSync(0, "utf8"));

const answers = {
  measure(states) {
    const compute = attentionExplorer.createCompute();
    return states.map((state) => {
      const { weights, bars, scores, values, curve } = compute(state);
      const sentence = say(attentionExplorer.words, `summary.${values.summary}`, values);
      const line = pythonLine("AttentionExplorer", attentionExplorer.spec.state, state, "explorer");
      return { weights: [...weights], bars: [...bars], scores: [...scores], values, sentence, line,
        curve: { scaled: [...curve.scaled], unscaled: [...curve.unscaled], entropy: [...curve.entropy] } };
    });
  },
  example: () => ({ tokens: example.tokens, Q: [...example.Q], K: [...example.K], V: [...example.V] }),
  vocabulary: (texts) => ({ kinds: KINDS, most: MOST, read: texts.map(read) }),
  colours: (values) => values.map((v) => colourIndex(v, 0, 1)),
  inks: () => Array.from({ length: 256 }, (_, k) => inkOn("cividis", k)),
  tables: () => ({ ...colormaps }),
};

process.stdout.write(JSON.stringify(answers[request.ask](request.of)));
