// A network carried to another game: the mapping with its reasons, and three networks on boards side by side.

import { Failure, announce, get, guarded, make, post, shell } from "./page.js";
import { drawBoard } from "./board.js";
import { gameChooser } from "./games.js";
import { openTable } from "./replay.js";

const $ = (id) => document.getElementById(id);
const VIEWS = [["own", "source", "in its own game"], ["carried", "target", "carried to the target"], ["untrained", "target", "untrained"]];
let network = "", chooser = null, edits = { state: {}, moves: {} }, seed = 1;
let lines = { source: null, target: null };   // moves of both positions; null: random ones
let boards = {};

const asked = () => ({ target: chooser.value(), edits: Object.keys(edits.state).length || Object.keys(edits.moves).length ? edits : null });

async function explain() {
  $("status").textContent = "Comparing the channels…";
  try {
    const found = await post(`/api/transfer/${network}/explain`, asked());
    table("state", found);
    table("moves", found);
    $("status").textContent = "The three networks judge the position…";
    await compare();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    $("boards").replaceChildren();
    for (const part of ["state", "moves"]) $(part).replaceChildren();
    $("actions").hidden = true;
    $("status").textContent = error.message;
  }
}

function table(part, found) {
  const rows = found[part].map((row, number) => {
    const select = make("select", { "aria-label": `Source of ${row.target}` }, make("option", { value: "-1", text: "nothing" }),
      ...found.choices[part].map((name, index) => make("option", { value: String(index), text: name })));
    select.value = String(row.index);
    select.addEventListener("change", guarded(() => {
      edits[part][number] = select.value === "-1" ? null : Number(select.value);
      return explain();
    }));
    return make("tr", { class: row.reason === "given" ? "changed" : undefined }, make("td", { class: "words", text: row.target }), make("td", { class: "words" }, select),
      make("td", { class: "words", text: row.reason === "given" ? "your choice" : row.reason === "none" ? "no counterpart" : row.reason }), make("td", { text: row.distance === null ? "" : String(row.distance) }));
  });
  const head = ["target", "copied from", "because of", "distance"].map((text) => make("th", { text, scope: "col", class: text === "distance" ? undefined : "words" }));
  $(part).replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

async function compare() {
  const shown = await post(`/api/transfer/${network}/compare`, { ...asked(), moves: lines.target, own_moves: lines.source, seed });
  lines = { source: shown.source.line, target: shown.target.line };
  $("boards").replaceChildren(...VIEWS.map(([name, side, words]) => {
    const place = make("div"), judged = shown[name], { title, board, position } = shown[side];
    boards[name] = drawBoard(place, board, { label: `${title}, ${words}`, onmove: guarded((move) => { lines[side] = [...lines[side], move.text]; return compare(); }) });
    boards[name].update(position, judged.moves);
    const most = Math.max(1e-9, judged.moves[0]?.share ?? 0);
    boards[name].overlay(judged.moves.filter((move) => move.share > 0.005).map((move, at) => ({ from: move.from, to: move.to, size: move.share / most, value: 2 * move.share / most - 1, text: `${Math.round(100 * move.share)}`, first: at === 0 })));
    const best = judged.moves.slice(0, 5).map((move) => `${move.label} ${(100 * move.share).toFixed(0)} %`).join(", ");
    return make("figure", { class: "panel", "data-view": name }, make("h2", { text: `${title}: ${words}` }), place,
      make("figcaption", { class: "small" }, make("p", { text: `Value for the player to move: ${judged.value >= 0 ? "+" : ""}${judged.value.toFixed(2)}` }), make("p", { class: "soft", text: `Policy: ${best.replaceAll(" %", "\u00a0%")}` })));
  }));
  $("actions").hidden = false;
  $("status").textContent = "Numbers on the boards: probability of each move in percent, without search. Click a move to play it on both networks of that game.";
  announce("The boards are shown");
}

async function apply() {
  $("status").textContent = "Writing the carried network…";
  const made = await post(`/api/transfer/${network}/carry`, asked());
  $("status").textContent = `Kept as ${made.title}.`;
  await openTable(chooser.value(), ["human", `thing:${made.id}`]);
}

const again = guarded(() => { edits = { state: {}, moves: {} }; lines = { source: null, target: null }; return explain(); });

await shell();
const [things, games] = await Promise.all([get("/api/things"), get("/api/games")]);
const networks = things.filter((thing) => ["run", "network"].includes(thing.kind) && thing.game);
$("none").hidden = networks.length > 0;
$("choose").hidden = !networks.length;
$("network").append(...networks.map((one) => make("option", { value: one.id, text: `${one.title} (${[one.game, ...one.options.map((option) => option.split("/").pop())].join(" ")})` })));
const other = (one) => {
  const game = games.find((known) => known.name === one.game), size = game?.options.find((option) => option.items.length > 1);
  const now = one.options.find((option) => option.startsWith(`${size?.heading}/`))?.slice(size.heading.length + 1) ?? size?.items[0];
  const next = size?.items.filter((item) => item !== now).find((item) => parseInt(item, 10) === parseInt(now, 10) + 2) ?? size?.items.find((item) => item !== now);
  return game ? { name: game.name, options: next ? [`${size.heading}/${next}`] : [] } : { name: "Hex", options: [] };
};
const choose = () => {
  const one = networks.find((known) => known.id === $("network").value);
  network = one.id;
  chooser = gameChooser($("target"), games, things, { label: "Target", value: other(one), onchange: again });
  again();
};
$("network").addEventListener("change", choose);
$("other").addEventListener("click", guarded(() => { seed += 1; lines = { source: null, target: null }; return compare(); }));
$("start").addEventListener("click", guarded(() => { lines = { source: [], target: [] }; return compare(); }));
$("apply").addEventListener("click", guarded(apply));
if (networks.length) choose();
