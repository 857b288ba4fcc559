// A quiz shows one question at a time: numbers to choose from, back and next. Without
// this script, on paper and for a search in the page all questions are there.
import { make, word } from "./dom.js";

class AttnQuiz extends HTMLElement {
  connectedCallback() {
    if (this.line) return;
    this.line = this.querySelector(".attn-quiz-progress");
    this.text = make("span", { role: "status" });
    this.again = make("button", { type: "button" }, word("again"));
    this.again.addEventListener("click", () => this.restart());
    this.line.replaceChildren(this.text, " ", this.again);
    this.addEventListener("attn-answer", () => this.count());
    this.page();
    this.count();
  }

  questions() {
    return [...this.querySelectorAll("attn-question")];
  }

  page() {
    const all = this.questions();
    this.numbers = [...this.querySelectorAll(".attn-quiz-numbers a")];
    this.numbers.forEach((link, i) => link.addEventListener("click", (event) => {
      event.preventDefault();
      this.go(all[i]);
    }));
    this.back = this.step("quiz_back", -1);
    this.next = this.step("quiz_next", 1);
    const steps = make("p", { className: "attn-quiz-steps" }, this.back, this.next);
    this.append(steps);
    all.forEach((question) => question.addEventListener("beforematch", () => this.show(question)));
    addEventListener("hashchange", () => this.follow());
    const open = all.findIndex((question) => !question.result);
    this.show(all[Math.max(open, 0)]);
    this.follow();
  }

  step(name, by) {
    const button = make("button", { type: "button" }, word(name));
    button.addEventListener("click", () => {
      const all = this.questions();
      this.go(all[all.indexOf(this.here) + by]);
    });
    return button;
  }

  // A link to a question of this quiz opens it.
  follow() {
    const asked = location.hash && document.getElementById(location.hash.slice(1));
    const question = asked && asked.closest("attn-question");
    if (!question || !this.contains(question)) return;
    this.show(question);
    question.scrollIntoView();
  }

  go(question) {
    this.show(question);
    question.querySelector(".attn-q-title").focus({ preventScroll: true });
  }

  show(question) {
    const all = this.questions();
    this.here = question;
    all.forEach((one, i) => {
      // Hidden, but found by a search in the page where the browser can.
      if (one === question) one.removeAttribute("hidden");
      else one.setAttribute("hidden", "until-found");
      one.querySelector(".attn-q-title").tabIndex = -1;
      this.numbers[i].setAttribute("aria-current", one === question ? "step" : "false");
    });
    this.back.disabled = question === all[0];
    this.next.disabled = question === all.at(-1);
  }

  count() {
    const all = this.questions();
    const done = all.filter((question) => question.result).length;
    const right = all.filter((question) => question.right).length;
    this.text.textContent = word("progress", { done, total: all.length, right });
    this.again.hidden = done === 0;
    all.forEach((question, i) => this.mark(this.numbers[i], question, i + 1));
  }

  mark(link, question, number) {
    const how = !question.result ? "open" : question.right ? "right" : "wrong";
    const said = { open: "quiz_open", right: "quiz_right", wrong: "quiz_wrong" };
    link.dataset.how = how;
    link.title = word(said[how], { number });
  }

  restart() {
    this.questions().forEach((question) => question.forget());
    this.show(this.questions()[0]);
    this.querySelector("input").focus();
  }
}

// Questions first: a quiz counts those that are there.
export function startQuizzes() {
  customElements.define("attn-quiz", AttnQuiz);
}
