// The end of a game, in large letters, and what can follow it.

import { byId, described, patch } from "./dom.js";
import { parsePosition } from "./notation.js";
import { sideName, t } from "./texts.js";

/** "You lost 13–27". @param {import("./app.js").App} app */
function headline({ game, play }) {
  const outcome = game.outcome();
  const [south, north] = parsePosition(game.root.leaf().fen).stores;
  // A resignation says nothing about the stores.
  const scored = outcome?.by !== "settled";
  if (outcome?.result === "1/2-1/2") return t("drawnGame", { score: scored ? `${south}–${north}` : "" }).trim();
  const winner = outcome?.result === "1-0" ? "S" : "N";
  const { person } = play;
  const side = person ?? winner;
  const score = scored ? (side === "S" ? `${south}–${north}` : `${north}–${south}`) : "";
  if (!person) return t("sideWon", { side: sideName(winner), score }).trim();
  return t(winner === person ? "youWon" : "youLost", { score }).trim();
}

/** @param {import("./app.js").App} app */
export function showEnd(app) {
  const { game, state } = app;
  const leaf = game.root.leaf();
  const isOver = state.phase === "over" && !app.analyses && game.current === leaf;
  const isNew = isOver && byId("end").hidden;
  byId("end").hidden = !isOver;
  if (!isOver) return;
  const button = (/** @type {string} */ id, /** @type {string} */ name, /** @type {() => any} */ onclick, kind = "") =>
    described("button", { type: "button", id, class: kind || null, onclick }, [t(name)]);
  const review = () => {
    app.setMode("analyse");
    app.analysis.review();
  };
  patch(byId("end"), [
    described("h2", {}, [headline(app)]),
    described("div", { class: "row" }, [
      button("rematch", "rematch", () => app.play.rematch(), "main"),
      button("swap-end", "swapSides", () => app.play.rematch({ swaps: true })),
      ...(leaf.parent ? [button("review", "mistakes", review)] : []),
    ]),
  ]);
  // On a small phone it is below the window.
  if (isNew) byId("end").scrollIntoView({ block: "nearest" });
}
