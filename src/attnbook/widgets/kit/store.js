// The state of one figure, its past (for undo and for the ghost), and who listens.
import { defaults, sameState } from "./schema.js";

const SAME_GESTURE_MS = 800;

export class Store {
  #listeners = new Set();
  #past = [];
  #gesture = null;
  #last = -Infinity;
  #held = false;
  #looks; // keys that choose what is shown of a state

  constructor(schema, initial = {}) {
    this.schema = schema;
    this.#looks = Object.keys(schema).filter((key) => schema[key].look);
    this.initial = { ...defaults(schema), ...initial };
    this.state = { ...this.initial };
  }

  /** The state before the last gesture that changed more than what is shown of it, or null. */
  get ghost() {
    const asNow = Object.fromEntries(this.#looks.map((key) => [key, this.state[key]]));
    return this.#past.findLast((state) => !sameState({ ...state, ...asNow }, this.state)) ?? null;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the state. Moves of one gesture (a drag, a run of arrow keys) share a name and
   * are undone together; `source` tells listeners who changed it.
   */
  set(partial, { gesture = null, source = "figure" } = {}) {
    const next = { ...this.state, ...partial };
    if (sameState(next, this.state)) return;
    if (!this.#goesOn(gesture)) this.#past.push(this.state);
    this.#gesture = gesture;
    this.#last = Date.now();
    this.#replace(next, source);
  }

  #goesOn(gesture) {
    if (gesture === null || gesture !== this.#gesture) return false;
    return this.#held || Date.now() - this.#last < SAME_GESTURE_MS;
  }

  /** While a pointer is down, all moves belong to one gesture, however slow. */
  hold(gesture) {
    this.#gesture = null;
    this.#held = gesture !== null;
  }

  undo() {
    if (!this.#past.length) return;
    const former = this.#past.pop();
    this.#gesture = null;
    this.#replace(former, "undo");
  }

  reset() {
    this.set(this.initial, { source: "reset" });
  }

  #replace(next, source) {
    this.state = next;
    for (const listener of this.#listeners) listener(source);
  }
}
