import { make, word } from "./dom.js";

// A choice: radio buttons, which the static page holds already.
export function choice(root) {
  const radios = [...root.querySelectorAll("input[type=radio]")];
  const reasons = [...root.querySelectorAll(".attn-q-reason")];
  const rowOf = (value) => radios[value].closest(".attn-q-choice");

  // Tags say in words what the colours of the rows say.
  function mark(answer) {
    hide();
    for (const reason of reasons) {
      const row = rowOf(reason.dataset.value);
      const own = Number(reason.dataset.value) === answer;
      const right = "right" in reason.dataset;
      if (own && !right) row.classList.add("attn-q-is-wrong");
      if (right) row.classList.add("attn-q-is-right");
      if (own) row.append(make("span", { className: "attn-q-tag" }, word("choose_kept")));
      else if (right) row.append(make("span", { className: "attn-q-tag" }, word("right")));
    }
  }

  function hide() {
    root.querySelectorAll(".attn-q-tag").forEach((tag) => tag.remove());
    radios.forEach((_, i) => rowOf(i).classList.remove("attn-q-is-wrong", "attn-q-is-right"));
  }

  return {
    missing: "choose_first",
    others: "others",
    first: radios[0],
    read: () => {
      const chosen = radios.find((radio) => radio.checked);
      return chosen ? Number(chosen.value) : null;
    },
    write: (answer) => radios.forEach((radio, i) => (radio.checked = i === answer)),
    lock: (locked) => radios.forEach((radio) => (radio.disabled = locked)),
    fits: (answer) => Number.isInteger(answer) && answer >= 0 && answer < radios.length,
    reveal: mark,
    hide,
    judge(answer) {
      const own = reasons.find((reason) => Number(reason.dataset.value) === answer);
      const right = "right" in own.dataset;
      const letter = own.dataset.letter;
      const verdict = `${letter}: ${word(right ? "right" : "wrong")}`;
      return { right, own: [own], verdict };
    },
  };
}
