import { word } from "./dom.js";

// A choice: radio buttons, which the static page holds already.
export function choice(root) {
  const radios = [...root.querySelectorAll("input[type=radio]")];
  const reasons = [...root.querySelectorAll(".attn-q-reason")];
  const rowOf = (value) => radios[value].closest(".attn-q-choice");

  function mark(answer) {
    for (const reason of reasons) {
      const own = Number(reason.dataset.value) === answer;
      const right = "right" in reason.dataset;
      const row = rowOf(reason.dataset.value);
      row.classList.toggle("attn-q-is-right", answer !== null && right);
      row.classList.toggle("attn-q-is-wrong", answer !== null && own && !right);
    }
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
    hide: () => mark(null),
    judge(answer) {
      const own = reasons.find((reason) => Number(reason.dataset.value) === answer);
      const right = "right" in own.dataset;
      const letter = own.dataset.letter;
      const verdict = `${letter}: ${word(right ? "right" : "wrong")}`;
      return { right, own: [own], verdict };
    },
  };
}
