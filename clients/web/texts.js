// The texts of the page, from the table of its language.

import { ENGLISH } from "./english.js";
import { MOVE_LIMIT } from "./limits.js";
import { parsePosition } from "./notation.js";

let table = ENGLISH;
/** @type {Record<string, string>} */
let rules = {};
let plural = new Intl.PluralRules(String(table.language));

/**
 * Takes a language for all texts from now on.
 * @param {import("./english.js").Table} [other]
 * @param {Record<string, string>} [otherRules] the rules in it, by the engine's paragraphs
 */
export function useTexts(other = ENGLISH, otherRules = {}) {
  table = other;
  rules = otherRules;
  plural = new Intl.PluralRules(String(table.language));
}

/**
 * The text with this name, its braces replaced by values.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const entry = table[name] ?? ENGLISH[name] ?? name;
  const text = typeof entry === "string" ? entry : plural.select(Number(values.n)) === "one" ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}

/** A paragraph of the rules, which the engine tells in English, with its language if that is not the page's. @param {string} text */
export function ruleText(text) {
  const own = table.language === "en" ? text : rules[text];
  return own ? { text: own } : { text, lang: "en" };
}

/** Fills the texts of the document. */
export function fillTexts() {
  document.documentElement.lang = t("language");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(String(element.getAttribute("data-text")));
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(String(element.getAttribute("data-label"))));
    element.setAttribute("title", t(String(element.getAttribute("data-label"))));
  }
}

/** The values of each reason before the one that follows them. @type {Record<string, number>} */
const BEFORE = { move: 2, pit: 1, illegal: 0, rest: 0 };

/** Those before the text that was found. @type {Record<string, number>} */
const FOUND = { banked: 2, stores: 2, result: 1 };

/** A reason of the engine's in a sentence: a word, its values, and perhaps the reason behind it. @param {string} reason */
export function reasonText(reason) {
  const [word, ...values] = reason.split(" ");
  const [first, second] = values;
  const side = first === "S" || first === "N" ? sideName(first) : first;
  const place = word === "field" && side !== first ? t("storeOf", { side }) : first;
  /** @type {string} */
  const why = word in BEFORE ? reasonText(values.slice(BEFORE[word]).join(" ")) : "";
  return t(`reason ${word}`, { first, second, side, place, why, found: values.slice(FOUND[word] ?? 0).join(" ") });
}

/** Why something is not possible, in the page's words if an engine gives a reason. @param {unknown} error */
export function errorText(error) {
  const { message, reason } = /** @type {Partial<import("./engine.js").Refused>} */ (error instanceof Error ? error : { message: String(error) });
  // A chosen pit is not the first of several moves.
  return reason ? reasonText(reason.replace(/^move 1 /, "pit ")) : String(message);
}

/** An error at a place of a file. @param {import("./game-files.js").Fault} fault @param {number} [lines] the lines before it */
export const faultText = ([line, column, reason], lines = 0) => t("atPlace", { line: line + lines, column, error: reasonText(reason) });

/** The name of a rule set, which the engine gives in English with its options. @param {string} title */
export function titleText(title) {
  const [name, ...options] = title.split(", ");
  const told = options.map((option) => {
    const seeds = /^(\d+) seeds? a pit$/.exec(option);
    return seeds ? t("titleSeeds", { n: seeds[1] }) : (table[`title ${option}`] ?? option);
  });
  return [name, ...told].join(", ");
}

/** A side's name. @param {"S" | "N"} side */
export const sideName = (side) => t(side === "S" ? "south" : "north");

/** The effect of a move, in a sentence or two. @param {import("./notation.js").Told} told @param {string} who */
export function moveSentence(told, who) {
  const seeds = told.laps[0]?.places.length ?? 0;
  const at = told.laps.at(-1)?.places.at(-1) ?? "";
  const place = at === "S" || at === "N" ? t("theStore") : at;
  const name = told.laps.length > 1 ? "movedLaps" : "moved";
  const parts = [t(name, { who, pit: told.move, seeds: t("seeds", { n: seeds }), laps: told.laps.length, place })];
  if (told.captures.length) {
    parts.push(t("captured", { list: told.captures.map(([pit, count]) => t("capturedFrom", { pit, n: count })).join(", ") }));
  }
  return parts.join(" ");
}

/** Why a game is over, and how. @param {string} end @param {[number, number]} awarded @param {[number, number]} stores @param {string} result */
export function endSentence(end, awarded, stores, result) {
  const [reason, who] = end.split(" ");
  const parts = [t(`end ${reason}`, { side: who ? sideName(who === "N" ? "N" : "S") : "", n: who ?? "" })];
  if (awarded[0] + awarded[1] > 0) parts.push(t("awarded", { south: awarded[0], north: awarded[1] }));
  const [south, north] = stores;
  if (result === "1-0") parts.push(t("wins", { side: t("south"), more: south, less: north }));
  else if (result === "0-1") parts.push(t("wins", { side: t("north"), more: north, less: south }));
  else parts.push(t("draw", { more: south, less: north }));
  return parts.join(" ");
}

/**
 * The end of a game that the rules did not end. The stores did not decide it and are not mentioned.
 * @param {string} result @param {string | undefined} termination
 */
export function settledSentence(result, termination) {
  const reason = ["resign", "time", "agree"].find((word) => (word === "agree") === (result === "1/2-1/2") && termination?.toLowerCase().includes(word));
  if (reason === "agree") return t("settled agree");
  const [winner, loser] = result === "1-0" ? ["south", "north"] : ["north", "south"];
  const why = reason || termination ? [t(`settled ${reason ?? "other"}`, { side: t(loser), reason: termination ?? "" })] : [];
  return [...why, result === "1/2-1/2" ? t("drawSettled") : t("winsSettled", { side: t(winner) })].join(" ");
}

/**
 * How a game is over at a node; empty if it is not.
 * @param {import("./game.js").Game} game @param {import("./game.js").Node} node
 */
export function outcomeSentence(game, node) {
  const outcome = game.outcome(node);
  if (!outcome) return "";
  const stores = /** @type {[number, number]} */ (parsePosition(node.fen).stores);
  if (outcome.by === "settled") return settledSentence(outcome.result, outcome.termination);
  if (outcome.by === "limit") return endSentence(`limit ${MOVE_LIMIT}`, [0, 0], stores, outcome.result);
  return endSentence(node.told?.end || "setup", node.told?.awarded ?? [0, 0], stores, outcome.result);
}

/** A score short enough to fit next to a pit: a proven one is a whole number. @param {import("./notation.js").Score} score */
export function shortScore(score) {
  const { cp, proven, bound, mate } = score;
  if (mate !== null || !proven || proven === "draw" || (bound && Math.abs(cp) <= 100)) return scoreText({ ...score, found: null });
  return `${bound ? (cp > 0 ? "≥ " : "≤ ") : ""}${cp > 0 ? "+" : "−"}${Math.abs(cp) / 100}`;
}

/** A score in seeds. @param {import("./notation.js").Score} score */
export function scoreText({ cp, proven, found, bound, mate }) {
  if (mate !== null) return `#${mate}`;
  const seeds = `${cp > 0 ? "+" : cp < 0 ? "−" : ""}${proven ? Math.abs(cp) / 100 : (Math.abs(cp) / 100).toFixed(2)}`;
  if (!proven) return found ? `${t(found)}? ${seeds}` : seeds;
  const word = t(proven === "draw" ? "draw score" : proven);
  // Of such a win no margin is known.
  if (bound && Math.abs(cp) <= 100) return word;
  return `${word} ${bound ? t("atLeast", { seeds }) : seeds}`;
}
