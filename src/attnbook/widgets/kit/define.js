// What a figure is. It stands apart from the kit, so that a figure's script holds the figure alone.

/**
 * A figure is a plain object:
 *   name           the name of its folder
 *   python         the name of its Python class
 *   spec           its spec.json: { state, guides }
 *   words          its words: en.json
 *   createCompute  () => (state) => result; a result has `values`, a flat table for words and tests
 *   build          (ui) => draw(result, state, former result or null, former state or null)
 *   summary        (values) => name of the sentence under words.summary (optional)
 */
export function defineFigure(figure) {
  for (const part of ["name", "python", "spec", "words", "createCompute", "build"]) {
    if (!figure[part]) throw new Error(`a figure needs ${part}: ${figure.name ?? "(no name)"}`);
  }
  return { summary: (values) => values.summary ?? "default", ...figure };
}
