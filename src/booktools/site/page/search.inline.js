// Sphinx's search shows the text around a match. Rendered formulas hold their text twice,
// and a page opened as a file cannot fetch its neighbours: both are handled here.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
Search.htmlToText = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const doubles = ".katex-html, annotation, .headerlink, .report-link, script, style, .prev-next, attn-figure";
  page.querySelectorAll(doubles).forEach((part) => part.remove());
  const main = page.querySelector("main");
  return main ? main.textContent : "";
};

// The index is looked up by what a reader types: "constructor" is a word of the book or none.
const setIndex = Search.setIndex;
Search.setIndex = (index) => {
  const bare = Object.create(null, { hasOwnProperty: { value: Object.prototype.hasOwnProperty } });
  for (const part of [index.terms, index.titleterms]) Object.setPrototypeOf(part, bare);
  setIndex(index);
};
