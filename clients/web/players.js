// The players that can be chosen, and the engines that play for them.

import { fresh } from "./clock.js";
import { byId, choices } from "./dom.js";
import { Engine, Refused } from "./engine.js";
import { seatsOf } from "./state.js";
import { t } from "./texts.js";
import { INCREMENT, MINUTES, TIMES } from "./untrusted.js";

/** @typedef {"S" | "N"} Side */

const SIDES = /** @type {Side[]} */ (["S", "N"]);

/** A name in the page's language; an engine may have others. @param {string} kind @param {string} name */
function known(kind, name) {
  const text = t(`${kind} ${name}`);
  return text === `${kind} ${name}` ? name : text;
}

export class Players {
  /** @param {import("./app.js").App} app @param {() => void} changed called when a side has another player */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    /** @type {Record<string, {key: string, engine: Promise<Engine>} | null>} */
    this.engines = { S: null, N: null };
    /** The keys and names of all players. @type {[string, string][]} */
    this.all = [];
    /** @type {Map<string, Set<string>>} the players that cannot play a rule set */
    this.unable = new Map();
    /** @type {Map<string, Promise<[number, number]>>} the least and the largest Elo of a rule set */
    this.ranges = new Map();
  }

  /** Fills the lists of choices with the players that the engines offer. */
  fillLists() {
    const { app } = this;
    const { rules, transport } = app;
    this.all = [
      ["person", t("person")],
      ...rules.valuesOf("Level").map((name) => /** @type {[string, string]} */ ([`level:${name}`, t("level", { name: known("level", name) })])),
      ...(rules.options.has("uci_elo") ? [/** @type {[string, string]} */ (["elo", t("byElo")])] : []),
      ...rules
        .valuesOf("Player")
        .filter((name) => name !== "kroo")
        .map((name) => /** @type {[string, string]} */ ([`player:${name}`, t("player", { name: known("playerName", name) })])),
      ...transport.names
        .slice(1)
        .map((/** @type {string} */ name, /** @type {number} */ index) => /** @type {[string, string]} */ ([`engine:${index + 1}`, name])),
    ];
    this.fillGames();
    this.offer();
  }

  /** Fills the list of games. */
  fillGames() {
    const { app } = this;
    const games = app.titles.variants.map((variant) => /** @type {[string, string]} */ ([variant, app.titles.of(variant) || variant]));
    choices(byId("variant"), games, app.state.games.play.variant);
  }

  /** Fills what can be chosen, and listens. */
  fill() {
    const { app } = this;
    this.fillLists();
    for (const side of SIDES) {
      const select = byId(`player-${side}`);
      select.addEventListener("change", () => {
        this.seat({ players: { ...this.seats.players, [side]: select.value } });
        this.changed();
        this.showElo();
      });
      const name = byId(`name-${side}`);
      name.addEventListener("change", () => this.seat({ names: { ...this.seats.names, [side]: name.value.trim() } }));
      const slider = byId(`elo-${side}`);
      const show = () => (byId(`elo-of-${side}`).textContent = slider.value);
      slider.addEventListener("input", show);
      slider.addEventListener("change", () => {
        this.seat({ elo: { ...this.seats.elo, [side]: Number(slider.value) } });
        this.changed();
      });
    }
    for (const [name, least, most, range] of /** @type {const} */ ([
      ["minutes", 0, MINUTES, "clockRange"],
      ["increment", 0, INCREMENT, "clockRange"],
      ["time", ...TIMES, "timeRange"],
    ])) {
      const field = byId(name);
      field.value = app.settings[name];
      field.addEventListener("change", () => {
        const value = Number(field.value);
        const isIn = value >= least && value <= most;
        if (isIn) app.choose({ [name]: value });
        else app.say(t(range, { least, most }));
        field.value = app.settings[name];
        if (isIn && name === "time") app.play.timeChanged();
        if (!isIn || name === "time") return;
        // A game that has no move yet begins with it.
        const { play } = app.state.games;
        if (!play.root.children.length) play.clock = fresh(app.settings);
        app.keep();
        app.update();
      });
    }
  }

  /** Who plays the game that is played. @returns {import("./state.js").Seats} */
  get seats() {
    const { app } = this;
    return app.state.games.play.seats ?? app.settings;
  }

  /** Seats others from now on, in this game and in the next one. @param {Partial<import("./state.js").Seats>} change */
  seat(change) {
    const { app } = this;
    app.state.games.play.seats = seatsOf({ ...this.seats, ...change });
    app.keep();
    app.choose(change);
  }

  /** Shows who plays the game; a field that is being written in stays. */
  show() {
    const { players, names, elo } = this.seats;
    for (const side of SIDES) {
      const [select, name, slider] = [byId(`player-${side}`), byId(`name-${side}`), byId(`elo-${side}`)];
      if (select.value !== players[side]) select.value = players[side];
      byId(`name-row-${side}`).hidden = players[side] !== "person";
      byId(`elo-row-${side}`).hidden = players[side] !== "elo";
      if (document.activeElement !== name) name.value = names[side];
      if (document.activeElement === slider || players[side] !== "elo") continue;
      slider.value = String(elo[side]);
      byId(`elo-of-${side}`).textContent = slider.value;
    }
  }

  /** Gives the sliders the range of the rule set. */
  async showElo() {
    const { variant } = this.app.state.games.play;
    if (!Object.values(this.seats.players).includes("elo")) return;
    const [least, most] = await this.rangeOf(variant).catch(() => [0, 2000]);
    // In whole steps; the engine clamps values beyond its range.
    for (const side of SIDES) [byId(`elo-${side}`).min, byId(`elo-${side}`).max] = [10 * Math.floor(least / 10), 10 * Math.ceil(most / 10)];
    this.show();
  }

  /** The least and the largest Elo of a rule set: an engine says so of an Elo beyond. @param {string} variant @returns {Promise<[number, number]>} */
  rangeOf(variant) {
    const known = this.ranges.get(variant);
    if (known) return known;
    const { rules } = this.app;
    const lines = ["UCI_LimitStrength value true", "UCI_Elo value 0", "UCI_Elo value 2000", "UCI_LimitStrength value false"];
    const asked = rules.askAbout(variant, ...lines.map((line) => `setoption name ${line}`)).then((said) => {
      const range = said.map((line) => / from (\d+) to (\d+) Elo/.exec(line)).find((found) => found);
      return /** @type {[number, number]} */ (range ? [Number(range[1]), Number(range[2])] : [0, 2000]);
    });
    this.ranges.set(variant, asked);
    return asked;
  }

  /** Offers the players that can play the game, and asks which those are. Another plays for one that cannot. */
  async offer() {
    const { app } = this;
    const { rules } = app;
    const game = app.state.games.play;
    const known = this.unable.get(game.variant);
    const able = this.all.filter(([key]) => !known?.has(key));
    const players = { ...this.seats.players };
    for (const side of SIDES) {
      choices(byId(`player-${side}`), able, players[side]);
      players[side] = byId(`player-${side}`).value;
    }
    if (SIDES.some((side) => players[side] !== this.seats.players[side])) {
      game.seats = seatsOf({ ...this.seats, players });
      app.keep();
    }
    this.show();
    this.showElo();
    if (known) return;
    /** @type {Set<string>} */
    const unable = new Set();
    this.unable.set(game.variant, unable);
    const tried = this.all.filter(([key]) => key.startsWith("player:"));
    await Promise.all(
      tried.map(([key]) =>
        rules.tries(game.variant, "Player", key.slice(7), "kroo").catch((error) => {
          if (error instanceof Refused) unable.add(key);
        }),
      ),
    );
    if (unable.size && app.state.games.play === game) {
      this.offer();
      app.update();
    }
  }

  /** The name of a side's player. @param {import("./state.js").Seats} seats @param {Side} side */
  nameOf({ players, names, elo }, side) {
    if (players[side] === "person" && names[side]) return names[side];
    if (players[side] === "elo") return t("level", { name: `${elo[side]} Elo` });
    return this.all.find(([key]) => key === players[side])?.[1] ?? "?";
  }

  /**
   * The name of a player in a file, whatever the language of the page, and the value of its tag; unknown without seats.
   * @param {import("./state.js").Seats | null} seats @param {Side} side
   */
  writtenOf(seats, side) {
    if (!seats) return ["?", ""];
    const { players, names, elo } = seats;
    const [kind, name] = players[side].split(":");
    if (kind === "person") return [names[side] || "a person", "person"];
    if (kind === "engine") return Array(2).fill(this.nameOf(seats, side));
    const player = kind === "player" ? name : `Kroo (${kind === "elo" ? elo[side] : name})`;
    return [player, player];
  }

  /** Calls a function with each running engine; errors of engines that are gone are reported elsewhere. @param {(engine: Engine) => any} act */
  each(act) {
    return Promise.all(Object.values(this.engines).map((player) => player?.engine.then(act).catch(() => {})));
  }

  /** The engine of a side is gone. @param {Side} side */
  forget(side) {
    this.engines[side] = null;
  }

  /** The engine of a side, started if need be. @param {Side} side */
  async engineOf(side) {
    const { players, elo } = this.seats;
    const wanted = players[side] === "elo" ? `elo:${elo[side]}` : players[side];
    const { variant } = this.app.state.games.play;
    const key = `${wanted} ${variant}`;
    const known = this.engines[side];
    if (known?.key === key) return known.engine;
    known?.engine.then((engine) => engine.close()).catch(() => {});
    const player = { key, engine: this.start(wanted, variant) };
    this.engines[side] = player;
    try {
      return await player.engine;
    } catch (error) {
      if (this.engines[side] === player) this.engines[side] = null;
      throw error;
    }
  }

  /** Starts the engine of a player. @param {string} wanted @param {string} variant */
  async start(wanted, variant) {
    const { app } = this;
    const [kind, name] = wanted.split(":");
    const engine = await Engine.start(app.transport, kind === "engine" ? Number(name) : 0);
    try {
      if (engine.options.has("uci_variant")) await engine.set("UCI_Variant", variant);
      if (kind === "level") await engine.set("Level", name);
      if (kind === "elo") {
        await engine.set("UCI_Elo", name);
        await engine.set("UCI_LimitStrength", "true");
      }
      if (kind === "player") await engine.set("Player", name);
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }
}
