// A short visit of the site in Firefox, over WebDriver BiDi. Prints what went wrong, as JSON.
// node firefox.mjs PROGRAM ADDRESS PAGE...
import puppeteer from "puppeteer-core";

const [program, root, ...pages] = process.argv.slice(2);
const problems = [];

async function figuresComeAlive(page, name) {
  const ids = await page.$$eval("attn-figure[id]", (all) => all.map((figure) => figure.id));
  for (const id of ids) {
    await page.$eval(`#${id}`, (figure) => figure.scrollIntoView());
    await page
      .waitForFunction((key) => window.attnFigures?.[key]?.ready, { timeout: 15000 }, id)
      .catch(() => problems.push(`${name}: figure ${id} does not come alive`));
  }
  return ids;
}

async function aKeyMovesAFigure(page, name, id) {
  const slider = await page.$(`#${id} input[type=range]`);
  if (!slider) return;
  const state = () => page.evaluate((key) => JSON.stringify(window.attnFigures[key].values()), id);
  const before = await state();
  await slider.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await new Promise((done) => setTimeout(done, 300));
  if ((await state()) === before) problems.push(`${name}: no key moves figure ${id}`);
}

async function aCommitUncovers(page, name) {
  const question = await page.$("attn-question[data-kind=choice]:not(attn-quiz *)");
  if (!question) return;
  const key = await question.evaluate((one) => one.dataset.name);
  await question.$eval("input", (input) => input.click());
  await question.$eval(".attn-q-commit", (button) => button.click());
  const shown = await question.$(".attn-q-result");
  if (!shown) problems.push(`${name}: the answer to ${key} is not judged`);
  const covered = await page.$(`.attn-veil[data-for="${key}"]:not(.attn-lifted)`);
  if (covered) problems.push(`${name}: ${key} stays covered after a commit`);
}

async function itPrints(page, name) {
  const paper = await page.pdf({ format: "A4" });
  const head = new TextDecoder().decode(paper.slice(0, 5));
  if (head !== "%PDF-" || paper.length < 20000) problems.push(`${name}: does not print`);
}

async function visit(browser, name) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`${name}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${name}: ${message.text()}`);
  });
  await page.goto(root + name, { waitUntil: "load" });
  await page.evaluate(() => document.querySelector(".attn-veil-box")?.click());
  const attempt = (part) => part.catch((error) => problems.push(`${name}: ${error.message}`));
  const ids = (await attempt(figuresComeAlive(page, name))) || [];
  if (ids.length) await attempt(aKeyMovesAFigure(page, name, ids[0]));
  await page.evaluate(() => document.querySelector(".attn-veil-box")?.click());
  await attempt(aCommitUncovers(page, name));
  await attempt(itPrints(page, name));
  await page.close();
}

const browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true });
try {
  for (const name of pages) await visit(browser, name);
} finally {
  await browser.close();
}
console.log(JSON.stringify(problems));
