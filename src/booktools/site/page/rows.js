// A link into a closed row or fold opens it, also in browsers that do not do so themselves.
function openAround() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  let fold = target && target.closest("details:not([open])");
  if (!fold) return;
  for (; fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
  target.scrollIntoView();
}

export function startRows() {
  openAround();
  addEventListener("hashchange", openAround);
}
