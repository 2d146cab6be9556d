// A game that was played, step by step: showReplay(element, {board, positions}); and lists of games.

import { guarded, make, post } from "./page.js";
import { drawBoard } from "./board.js";

export function showReplay(element, replay, caption) {
  const place = make("div"), text = make("p", { class: "small", role: "status" });
  const last = replay.positions.length - 1;
  const slider = make("input", { type: "range", min: "0", max: String(last), value: "0", "aria-label": "Move" });
  const button = (name, sign, step) => make("button", { class: "icon", type: "button", text: sign, "aria-label": name, onclick: () => go(step()) });
  const now = () => Number(slider.value);
  element.replaceChildren(make("div", { class: "replay stack" }, make("h3", { text: caption ?? replay.title }), place,
    make("div", { class: "row" }, button("First position", "|◀", () => 0), button("Back", "◀", () => now() - 1), slider,
      button("Forward", "▶", () => now() + 1), button("Last position", "▶|", () => last)), text));
  const board = drawBoard(place, replay.board, { label: `Board of ${replay.title}` });
  function go(number) {
    const at = Math.max(0, Math.min(last, number)), { label, position } = replay.positions[at];
    slider.value = String(at);
    board.update(position, []);
    const end = position.over ? (position.winner ? `; ${replay.board.players[position.winner - 1]?.name} wins` : "; drawn") : "";
    text.textContent = at ? `Move ${at} of ${last}: ${label}${end}` : `Start of ${last} moves`;
  }
  slider.addEventListener("input", () => go(now()));
  go(last);
}

// The games of a match, each with a button that shows it; path: where positions are asked for; game: to play on.
export function gamesTable(games, path, replay, game) {
  const rows = games.map((one) => make("tr", {},
    make("td", { text: String(one.number + 1) }), make("td", { class: "words", text: one.first }), make("td", { class: "words", text: one.second }),
    make("td", { text: one.result }), make("td", { text: String(one.plies) }),
    make("td", { class: "act" }, make("button", { type: "button", text: "Look", "aria-label": `Look at game ${one.number + 1}`, onclick: guarded(() => look(one, path, replay, game)) }))));
  return make("table", {}, make("thead", {}, make("tr", {}, ...["game", "first seat", "second seat", "result", "moves"].map((name, at) =>
    make("th", { text: name, scope: "col", class: at === 1 || at === 2 ? "words" : undefined })), make("td"))), make("tbody", {}, ...rows));
}

export async function look(one, path, element, game) {
  element.replaceChildren(make("p", { class: "soft", text: "Reading the game…" }));
  showReplay(element, await post(path, { moves: one.moves, seed: one.seed }), `${one.first} – ${one.second}: ${one.result}`);
  if (game) {
    element.append(make("div", { class: "row" }, make("button", { type: "button", text: "Open on the play page", onclick: guarded(() => openTable(game, ["human"], one.moves)) })));
  }
  element.scrollIntoView({ block: "nearest" });
}

// Opens a table on the play page.
export async function openTable(game, seats, moves = []) {
  const { id } = await post("/api/tables", { game, seats, moves, seed: 1 });
  location.href = `/play?table=${id}`;
}
