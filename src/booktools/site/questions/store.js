// Answers are kept in the reader's own browser and nowhere else.
const ANSWER = "attnbook.answer.";
const SHOWN = "attnbook.shown."; // covered text that the reader asked to see
const VEILS = "attnbook.veils";
const memory = new Map();

// A browser may refuse storage (private windows, some file addresses): then
// answers live as long as the page.
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function read(key) {
  try {
    return JSON.parse(storage().getItem(key)) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

function write(key, value) {
  memory.set(key, value);
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // The copy in memory has to do.
  }
}

function remove(key) {
  memory.delete(key);
  try {
    storage().removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

export const load = (name) => read(ANSWER + name);
export const keep = (name, answer) => write(ANSWER + name, answer);
export const forget = (name) => remove(ANSWER + name);

export const wasShown = (name) => read(SHOWN + name) === 1;
export const keepShown = (name) => write(SHOWN + name, 1);
export const forgetShown = (name) => remove(SHOWN + name);

// The word stands without quotes: the script in the page's head reads it too.
export function veilsWanted() {
  try {
    return (storage().getItem(VEILS) ?? memory.get(VEILS)) !== "off";
  } catch {
    return memory.get(VEILS) !== "off";
  }
}

export function wantVeils(wanted) {
  if (wanted) return remove(VEILS);
  memory.set(VEILS, "off");
  try {
    storage().setItem(VEILS, "off");
  } catch {
    // The copy in memory has to do.
  }
}

export function forgetAll() {
  for (const key of [...memory.keys()]) if (isAnswer(key)) memory.delete(key);
  try {
    Object.keys(storage()).filter(isAnswer).forEach((key) => storage().removeItem(key));
  } catch {
    // Nothing was stored.
  }
}

function isAnswer(key) {
  return key.startsWith(ANSWER) || key.startsWith(SHOWN);
}
