// A pointer on a slider's track. A mouse sets the value at once. A finger sets it once it has moved sideways, or when
// it lifts without having moved: a swipe up or down scrolls the page and changes nothing.
const THRESHOLD = 8; // pixels
const GRAB = 24; // so near to the thumb a pointer takes hold of it, and does not move it to where it is

/** Calls set(share) with the place on the track, 0 to 1; shareNow() tells where the thumb is. */
export function slide(track, store, gesture, { shareNow, set, thumb }) {
  let held = null;
  const along = () => {
    const box = track.getBoundingClientRect();
    const half = thumb(box.height);
    return { share: (x) => Math.min(Math.max((x - box.left - half) / (box.width - 2 * half), 0), 1), length: box.width - 2 * half };
  };
  const move = (event) => set(along().share(event.clientX - held.offset));
  const begin = (event) => {
    held.sliding = true;
    track.setPointerCapture(event.pointerId);
    move(event);
  };
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const { share, length } = along();
    const off = (share(event.clientX) - shareNow()) * length;
    held = { x: event.clientX, y: event.clientY, offset: Math.abs(off) < GRAB ? off : 0, sliding: false };
    store.hold(gesture);
    if (event.pointerType !== "touch") begin(event);
  });
  track.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (held.sliding) move(event);
    else if (isSideways(event, held)) begin(event);
  });
  const end = (event) => {
    if (held && !held.sliding && event.type === "pointerup" && !hasMoved(event, held)) set(along().share(event.clientX));
    held = null;
    store.hold(null);
  };
  for (const name of ["pointerup", "pointercancel"]) track.addEventListener(name, end);
}

const hasMoved = (event, { x, y }) => Math.hypot(event.clientX - x, event.clientY - y) >= THRESHOLD;

/** Whether a finger went further along than across, beyond what a tap may tremble. */
export function isSideways(event, from) {
  const [across, down] = [Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y)];
  return across >= THRESHOLD && across > down;
}
