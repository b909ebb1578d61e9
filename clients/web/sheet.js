// The sheet of a phone: settings and files, above the board.

import { byId } from "./dom.js";

/** Closes the sheet, which hides the page. */
export function closeSheet() {
  if (byId("sheet").matches(":popover-open")) byId("sheet").hidePopover();
}

/** Listens to presses in the sheet and outside it. */
export function listenToSheet() {
  const sheet = byId("sheet");
  const isOpen = () => sheet.matches(":popover-open");
  // A press outside only closes the sheet; the element below does not receive it.
  let closes = false;
  const press = (/** @type {Event} */ event) => (closes = isOpen() && !sheet.contains(event.target));
  addEventListener("pointerdown", press, true);
  addEventListener(
    "click",
    (event) => {
      // A click without a press comes from the keyboard.
      if (!closes || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  // The effect of a button, and the sentence about it, are seen outside the sheet.
  sheet.addEventListener("click", (/** @type {Event} */ event) => {
    if (event.target instanceof Element && event.target.closest("button")) closeSheet();
  });
}
