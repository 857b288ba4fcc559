// Predict-first questions and quizzes: upgrades the static folds in place.
import { choice } from "./choice.js";
import { make, word } from "./dom.js";
import { number } from "./number.js";
import { startQuizzes } from "./quiz.js";
import { sketch } from "./sketch.js";
import { forget, forgetAll, keep, load } from "./store.js";

const KINDS = { choice, number, sketch };

class AttnQuestion extends HTMLElement {
  connectedCallback() {
    if (this.kind) return;
    this.name = this.dataset.name;
    this.fold = this.querySelector(".attn-q-fold");
    this.reasons = [...this.fold.querySelectorAll(".attn-q-reason")];
    this.kind = KINDS[this.dataset.kind](this);
    this.status = make("p", { className: "attn-q-status", role: "status" });
    this.sketchWord = this.dataset.kind === "sketch" ? "commit_sketch" : "commit";
    this.button = make("button", { type: "button", className: "attn-q-commit" });
    this.button.textContent = word(this.sketchWord);
    this.button.addEventListener("click", () => this.commit());
    this.addEventListener("keydown", (event) => this.onEnter(event));
    // What was asked for ("Draw first ...") goes once the reader sets about it.
    const begin = () => this.result || (this.status.textContent = "");
    ["input", "change", "attn-drawn"].forEach((kind) => this.addEventListener(kind, begin));
    this.act = make("div", { className: "attn-q-act" }, this.button, this.status);
    this.fold.replaceWith(this.act);
    const kept = load(this.name);
    if (kept !== undefined && this.kind.fits(kept)) this.restore(kept);
    this.setAttribute("data-ready", "");
  }

  onEnter(event) {
    const entry = event.target.matches("input");
    if (event.key !== "Enter" || !entry || this.result) return;
    event.preventDefault();
    this.commit();
  }

  commit() {
    const answer = this.kind.read();
    if (answer === null) {
      this.status.textContent = this.kind.unclear?.() ?? word(this.kind.missing);
      this.kind.first.focus();
      return;
    }
    keep(this.name, answer);
    this.show(answer, true);
    this.heading.focus();
    this.tell();
  }

  // After a reload the reasons stay in a closed fold as tall as the button was:
  // nothing below it moves.
  restore(answer) {
    this.kind.write(answer);
    this.show(answer, false);
  }

  show(answer, open) {
    const { right, own, verdict } = this.kind.judge(answer);
    this.right = right;
    this.kind.lock(true);
    this.kind.reveal(answer);
    this.heading = make("p", { className: "attn-q-verdict", tabIndex: -1 }, verdict);
    this.heading.classList.add(right ? "attn-q-good" : "attn-q-bad");
    const rest = this.reasons.filter((reason) => !own.includes(reason));
    const body = make("div", { className: "attn-q-result" }, this.heading, ...own);
    if (rest.length) body.append(this.others(rest));
    body.append(this.footer());
    const fold = make("details", { className: "attn-q-kept", open });
    fold.append(make("summary", {}, word("kept")), body);
    this.result = fold;
    this.act.replaceWith(fold);
    this.classList.add("attn-q-done");
  }

  others(reasons) {
    const title = make("p", { className: "attn-q-others" }, word(this.kind.others));
    return make("div", {}, title, ...reasons);
  }

  footer() {
    const one = make("button", { type: "button" }, word("forget"));
    one.addEventListener("click", () => this.forget(word("forgotten")));
    const all = make("button", { type: "button" }, word("forget_all"));
    all.addEventListener("click", () => forgetEverything(this));
    return make("p", { className: "attn-q-footer" }, word("stays_here"), " ", one, " ", all);
  }

  // Back to the state before any answer. With a message, the focus comes along.
  forget(message) {
    forget(this.name);
    if (!this.result) return;
    this.result.replaceWith(this.act);
    this.result = null;
    this.right = undefined;
    this.kind.hide();
    this.kind.lock(false);
    this.kind.write(null);
    this.classList.remove("attn-q-done");
    this.status.textContent = message ?? "";
    if (message) this.kind.first.focus();
    this.tell();
  }

  tell() {
    this.dispatchEvent(new CustomEvent("attn-answer", { bubbles: true }));
  }
}

function forgetEverything(asked) {
  forgetAll();
  const all = document.querySelectorAll("attn-question");
  all.forEach((question) => question !== asked && question.forget());
  document.dispatchEvent(new CustomEvent("attn-forgotten"));
  asked.forget(word("forgotten_all"));
}

export function startQuestions() {
  customElements.define("attn-question", AttnQuestion);
  startQuizzes();
}
