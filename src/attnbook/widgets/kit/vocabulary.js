// The small vocabulary of attnbook.vocabulary; a test keeps the two tables and the two readings equal.

export const MOST = 8; // words in a sentence
export const WIDTH = 4; // entries of a query and of a key

/** What words of a kind ask for, what they are found by, what they tell; the words. */
export const KINDS = {
  "article": { asks: [2, 0, 0, 0], is: [0, 0, 0, 2], tells: [0, -1], words: "the a" },
  "animal": { asks: [0, 2, 0, 1], is: [3, 0, 0, 0], tells: [2, 0], words: "dog cat horse bird" },
  "person": { asks: [0, 2, -1, 0], is: [0, 0, 3, 0], tells: [-2, 0], words: "Kim Ann girl boy" },
  "meeting": { asks: [1, 0, 2, 0], is: [0, 3, 0, 0], tells: [0, 2], words: "saw fed heard called" },
  "animal's doing": { asks: [2, -1, 0, 0], is: [0, 2, 0, 0], tells: [1, 2], words: "barked meowed neighed chirped" },
  "person's doing": { asks: [0, -1, 2, 0], is: [0, 2, 0, 0], tells: [-1, 2], words: "laughed waved wrote" },
  "animal's pronoun": { asks: [2, 0, -1, 0], is: [1, 0, 0, 1], tells: [1, -1], words: "it" },
  "person's pronoun": { asks: [-1, 0, 2, 0], is: [0, 0, 1, 1], tells: [-1, -1], words: "she he" },
};

const listed = Object.entries(KINDS).flatMap(([kind, { words }]) => words.split(" ").map((word) => [word.toLowerCase(), { word, kind }]));
const known = new Map(listed);

/** The words of a text in small letters, and those of them that the vocabulary does not have. */
export function read(text) {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return { words, unknown: words.filter((word) => !known.has(word)) };
}

const flat = (kinds, part) => Float64Array.from(kinds.flatMap((kind) => KINDS[kind][part]));

/** A sentence of known words, in small letters: its tokens, and Q, K and V, row after row. */
export function sentence(text) {
  const entries = text.split(" ").map((word) => known.get(word));
  const kinds = entries.map(({ kind }) => kind);
  const tokens = entries.map(({ word }, i) => (i === 0 ? word[0].toUpperCase() + word.slice(1) : word));
  return { tokens, kinds, Q: flat(kinds, "asks"), K: flat(kinds, "is"), V: flat(kinds, "tells") };
}

/** The place of the word whose look back is shown: the first pronoun, or the last word. */
export function asker({ kinds }) {
  const pronoun = kinds.findIndex((kind) => kind.endsWith("noun"));
  return pronoun < 0 ? kinds.length - 1 : pronoun;
}
