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
 * An element to be: its tag, the properties that `element` takes, and its children.
 * @typedef {{tag: string, properties: Record<string, any>, children: (Described | string)[]}} Described
 */

/**
 * Describes an element for `patch`.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {(Described | string)[]} [children]
 * @returns {Described}
 */
export const described = (tag, properties = {}, children = []) => ({ tag, properties, children });

/** The properties that an element has from `patch`. @type {WeakMap<Element, Record<string, any>>} */
const patched = new WeakMap();

/**
 * Makes an element's children match a description. Existing children are changed in place: they keep the focus, and a
 * press and its release hit the same element.
 * @param {Element} parent
 * @param {(Described | string)[]} children
 */
export function patch(parent, children) {
  for (const [index, child] of children.entries()) {
    const old = parent.childNodes[index];
    if (typeof child === "string") {
      if (!(old instanceof Text)) parent.insertBefore(new Text(child), old ?? null);
      else if (old.data !== child) old.data = child;
      continue;
    }
    let found = old instanceof Element && old.localName === child.tag && patched.has(old) ? old : null;
    if (!found) {
      found = document.createElementNS(parent.namespaceURI, child.tag);
      if (old) old.replaceWith(found);
      else parent.append(found);
    }
    change(found, child.properties);
    patch(found, child.children);
  }
  while (parent.childNodes.length > children.length) parent.lastChild?.remove();
}

/** @param {Element} changed @param {Record<string, any>} properties */
function change(changed, properties) {
  const before = patched.get(changed) ?? {};
  patched.set(changed, properties);
  for (const name of new Set([...Object.keys(before), ...Object.keys(properties)])) {
    const value = properties[name];
    if (name.startsWith("on")) {
      // One listener for all time, which calls the latest.
      if (!(name in before)) changed.addEventListener(name.slice(2), (event) => patched.get(changed)?.[name]?.(event));
    } else if (value === before[name]) continue;
    else if (value === undefined || value === null || value === false) changed.removeAttribute(name);
    else changed.setAttribute(name, value === true ? "" : String(value));
  }
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

/** Shows a text above everything, to the end. @param {string} text */
export function showBanner(text) {
  byId("banner").textContent = text;
  byId("banner").hidden = false;
}

/** Whether the user wants nothing to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
