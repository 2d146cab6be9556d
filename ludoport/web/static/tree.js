// Saved search trees: walk through positions, see visits and values, and what another game would keep.

import { announce, get, guarded, make, post, shell } from "./page.js";
import { drawBoard } from "./board.js";
import { gameChooser } from "./games.js";

const $ = (id) => document.getElementById(id);
let id = "", own = {}, board = null, chooser = null, target = null;
let line = [];   // texts and labels from the root

async function open() {
  line = [];
  target = null;
  $("kept").textContent = "";
  $("walk").hidden = false;
  $("about").textContent = "Reading the tree…";
  const about = await get(`/api/trees/${id}`);
  own = { name: about.game, options: about.options };
  const n = (number) => number.toLocaleString("en");
  const from = about.carried_from ? ` Carried from ${about.carried_from.game}.` : "";
  $("about").textContent = `${[about.game, ...about.options.map((option) => option.split("/").pop())].join(" ")}: ${n(about.simulations)} simulations, ${n(about.states)} positions, ${n(about.edges)} moves, ${n(about.visits)} visits, up to ${about.depth} moves deep.${from}`;
  $("board").replaceChildren();
  board = drawBoard($("board"), about.board, { label: `Board of ${about.game}`, onmove: guarded((move) => go([...line, move])) });
  await show();
}

async function show() {
  const here = await post(`/api/trees/${id}/walk`, { moves: line.map((move) => move.text), target });
  board.update(here.position, here.children);
  const most = Math.max(1, ...here.children.map((child) => child.visits));
  board.overlay(here.children.map((child, at) => ({ from: child.from, to: child.to, size: child.visits / most, value: 2 * child.value - 1, text: `${Math.round(100 * child.value)}`, more: short(child.visits), first: at === 0 })));
  $("line").replaceChildren(make("button", { type: "button", class: "quiet", text: "Root", onclick: guarded(() => go([])) }),
    ...line.map((move, at) => make("button", { type: "button", class: "quiet", text: move.label, "aria-current": at === line.length - 1 ? "step" : undefined, onclick: guarded(() => go(line.slice(0, at + 1))) })));
  const rows = here.children.map((child) => {
    const meter = make("span", { class: "meter" });
    meter.style.width = `${(70 * child.visits / most).toFixed(0)}px`;
    const sign = child.kept === null ? null : make("td", { class: `plain ${child.kept ? "good" : "bad"}`, text: child.kept ? "kept" : "pruned" });
    return make("tr", { class: child.kept === false ? "pruned" : undefined },
      make("td", { class: "plain" }, make("button", { type: "button", text: child.label, "aria-label": `Go to ${child.label}`, onclick: guarded(() => go([...line, child])) })),
      make("td", {}, `${child.visits.toLocaleString("en")} `, meter), make("td", { text: `${(100 * child.value).toFixed(1)} %` }), sign,
      make("td", { class: "words small", text: child.expected.slice(1).join(" ") }));
  });
  const head = ["move", "visits", "value", ...(target ? ["there"] : []), "expected"].map((text) => make("th", { text, scope: "col", class: text === "expected" ? "words" : undefined }));
  const rest = here.unvisited.length ? make("caption", { class: "small soft", text: `Not in the tree: ${here.unvisited.slice(0, 40).join(" ")}${here.unvisited.length > 40 ? " …" : ""}` }) : null;
  if (rest) rest.style.captionSide = "bottom";
  $("moves").replaceChildren(...[rest, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)].filter(Boolean));
  if (!rows.length) $("moves").replaceChildren(make("caption", { text: here.position.over ? "The game is over." : "The tree ends here." }));
  announce(`${here.position.title}; ${here.children.length} moves in the tree`);
}

const short = (count) => (count >= 1000 ? `${(count / 1000).toFixed(count >= 10000 ? 0 : 1)}k` : String(count));

async function go(next) {
  line = next.map((move) => ({ text: move.text, label: move.label }));
  await show();
}

async function compare(keep) {
  $("kept").textContent = "Replaying the tree in the other game…";
  const there = chooser.value();
  try {
    const found = await post(`/api/trees/${id}/carry`, { target: there, keep });
    $("kept").textContent = found.text;
    target = there;
    if (keep) {
      await list(found.id);
      await open();
      $("kept").textContent = found.text;
    } else await show();
  } catch (error) {
    $("kept").textContent = error.message;
  }
}

async function list(chosen) {
  const things = await get("/api/things"), trees = things.filter((thing) => thing.kind === "tree");
  $("none").hidden = trees.length > 0;
  $("tree").replaceChildren(...trees.map((tree) => make("option", { value: tree.id, text: tree.title })));
  id = chosen ?? trees[0]?.id ?? "";
  $("tree").value = id;
  return things;
}

await shell();
const things = await list();
$("tree").addEventListener("change", guarded(() => { id = $("tree").value; return open(); }));
$("compare").addEventListener("click", guarded(() => compare(false)));
$("carry").addEventListener("click", guarded(() => compare(true)));
$("alone").addEventListener("click", guarded(() => { target = null; $("kept").textContent = ""; return show(); }));
if (id) {
  await guarded(open)();
  chooser = gameChooser($("target"), await get("/api/games"), things, { label: "Game", value: own });
}
