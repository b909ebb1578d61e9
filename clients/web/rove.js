// Groups of buttons that are one stop of the Tab key: arrows move the focus inside.

/** @param {HTMLElement} group @returns {HTMLElement[]} */
const buttonsOf = (group) => [.../** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("button"))].filter((one) => one.checkVisibility());

/**
 * Makes one button the stop of its group: the one that has the focus, or else the one that is wanted, or the first.
 * @param {HTMLElement} group
 * @param {Element | null} [wanted]
 * @param {boolean} [isNew] whether another one was wanted before: a focus in the group goes to it
 */
export function settle(group, wanted, isNew = false) {
  const buttons = buttonsOf(group);
  const focus = () => buttons.find((one) => one === document.activeElement);
  if (isNew && focus() && wanted instanceof HTMLElement) wanted.focus({ preventScroll: true });
  const stop =
    focus() ??
    buttons.find((one) => one === wanted) ??
    buttons.find((one) => one.tabIndex === 0 && !(/** @type {HTMLButtonElement} */ (one).disabled)) ??
    buttons[0];
  for (const one of group.querySelectorAll("button")) if (one.tabIndex !== (one === stop ? 0 : -1)) one.tabIndex = one === stop ? 0 : -1;
}

/** Lets arrows, Home and End move the focus among the buttons of a toolbar. @param {HTMLElement} bar */
export function rove(bar) {
  settle(bar);
  bar.addEventListener("keydown", (event) => {
    const buttons = buttonsOf(bar).filter((one) => !(/** @type {HTMLButtonElement} */ (one).disabled));
    const at = buttons.findIndex((one) => one === document.activeElement);
    const { length } = buttons;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(to + length) % length].focus();
    settle(bar);
  });
  // After the mouse the arrows are for moves.
  bar.addEventListener("click", ({ detail, target }) => void (detail && target instanceof Element && target.closest("button")?.blur()));
}

/** The nearest button in the next or previous row of a list. @param {HTMLElement} list @param {Element} from @param {1 | -1} step */
export function inNextRow(list, from, step) {
  const rows = [...list.children].filter((row) => row.querySelector("button"));
  const row = rows[rows.findIndex((one) => one.contains(from)) + step];
  const far = (/** @type {Element} */ one) => Math.abs(one.getBoundingClientRect().x - from.getBoundingClientRect().x);
  return row ? [...row.querySelectorAll("button")].reduce((best, one) => (far(one) < far(best) ? one : best)) : null;
}
