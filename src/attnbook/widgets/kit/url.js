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

/**
 * Keeps address and store in step: the first move is written at once, those of a drag now and then, and the last one
 * when the page is left or a link is followed. After "back" the figure shows what the address says.
 */
export function keepAddress(id, store, follow) {
  let timer = null;
  let waits = false;
  const write = () => {
    if (!waits) return;
    waits = false;
    writeAddress(id, store);
  };
  const later = () => {
    timer = waits ? setTimeout(later, WRITE_DELAY_MS) : null;
    write();
  };
  store.subscribe((source) => {
    if (source === "address") return;
    waits = true;
    if (timer === null) later();
  });
  addEventListener("pagehide", write);
  addEventListener("visibilitychange", write); // a phone may end a hidden page without a word
  addEventListener("click", write, true); // a link to a section starts from this address
  addEventListener("popstate", () => (waits ? write() : follow()));
}

/** The address names the figure too, so that a copy of it opens there. */
function writeAddress(id, store) {
  const query = withState(id, store.state, store.initial);
  const address = location.pathname + query + (readsAs(id, query) ? `#${id}` : location.hash);
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // A sandboxed frame may forbid it: the figure works without an address.
  }
}

const readsAs = (id, query) => Object.keys(readAddress(id, query)).length > 0;
