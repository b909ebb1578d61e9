// Small helpers for the document.

/**
 * The element with this id.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an element. `on…` properties are listeners, others are attributes; `text` is its text.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {(Node | string)[]} [children]
 * @returns {any}
 */
export function element(tag, properties = {}, children = []) {
  return fill(document.createElement(tag), properties, children);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for a part of a drawing.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {(Node | string)[]} [children]
 * @returns {any}
 */
export function drawn(tag, properties = {}, children = []) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** @param {Element} made @param {Record<string, any>} properties @param {(Node | string)[]} children */
function fill(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Fills a list to choose from.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} choices values and names
 * @param {string} chosen
 */
export function choices(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, name]) => element("option", { value, text: name })));
  select.value = choices.some(([value]) => value === chosen) ? chosen : (choices[0]?.[0] ?? "");
}

/** Whether the user wants nothing to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
