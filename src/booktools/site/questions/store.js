// Answers are kept in the reader's own browser and nowhere else.
const PREFIX = "attnbook.answer.";
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

export function load(name) {
  try {
    return JSON.parse(storage().getItem(PREFIX + name)) ?? memory.get(name);
  } catch {
    return memory.get(name);
  }
}

export function keep(name, answer) {
  memory.set(name, answer);
  try {
    storage().setItem(PREFIX + name, JSON.stringify(answer));
  } catch {
    // The copy in memory has to do.
  }
}

export function forget(name) {
  memory.delete(name);
  try {
    storage().removeItem(PREFIX + name);
  } catch {
    // Nothing was stored.
  }
}

export function forgetAll() {
  memory.clear();
  try {
    const keys = Object.keys(storage()).filter((key) => key.startsWith(PREFIX));
    keys.forEach((key) => storage().removeItem(key));
  } catch {
    // Nothing was stored.
  }
}
