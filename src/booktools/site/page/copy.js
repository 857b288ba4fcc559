// A copy button on each block of code. The icon's two states come from the style sheet.
import copyIcon from "../icons/copy.svg";
import doneIcon from "../icons/check.svg";

const SHOWN = 1500; // milliseconds for which "Copied" stays

// navigator.clipboard is missing on plain http and on file addresses.
function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyButton(block) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-button";
  button.innerHTML = copyIcon;
  button.setAttribute("aria-label", "Copy this code");
  button.addEventListener("click", async () => {
    const done = await copyText(block.querySelector("pre").textContent.trimEnd() + "\n");
    button.innerHTML = done ? doneIcon : copyIcon;
    button.setAttribute("aria-label", done ? "Copied" : "Copying is not possible here");
    setTimeout(() => {
      button.innerHTML = copyIcon;
      button.setAttribute("aria-label", "Copy this code");
    }, SHOWN);
  });
  return button;
}

export function startCopyButtons() {
  const blocks = document.querySelectorAll("main .cell_input .highlight, main article > section .highlight-python");
  for (const block of blocks) {
    if (!block.querySelector(".copy-button")) block.append(copyButton(block));
  }
}
