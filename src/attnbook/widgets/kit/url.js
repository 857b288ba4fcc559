// A figure's state in the page's address: ?explorer.d_k=512&explorer.scaling=off
import { difference, encode } from "./schema.js";

const WRITE_DELAY_MS = 250; // browsers refuse many replaceState calls in a row

export function readAddress(id, search = location.search) {
  const found = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (name.startsWith(`${id}.`)) found[name.slice(id.length + 1)] = value;
  }
  return found;
}

/** The query string with this figure's part replaced by what differs from `base`. */
export function withState(id, state, base, search = location.search) {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) if (name.startsWith(`${id}.`)) query.delete(name);
  for (const [key, value] of Object.entries(difference(state, base))) query.set(`${id}.${key}`, encode(value));
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** A link to this page with the figure in this state. */
export function linkTo(id, state, base) {
  return `${withState(id, state, base) || location.pathname}#${id}`;
}

/** Keeps the address in step with the store. */
export function keepAddress(id, store) {
  let timer = null;
  store.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(id, store), WRITE_DELAY_MS);
  });
}

function writeAddress(id, store) {
  const address = location.pathname + withState(id, store.state, store.initial) + location.hash;
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // A sandboxed frame may forbid it: the figure works without an address.
  }
}
