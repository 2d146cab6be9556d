// The page to play and to analyse.

import { Failure, announce, complain, get, guarded, listen, make, playerTitle, post, remember, remembered, remove, shape, shell } from "./page.js";
import { drawBoard, valueColour } from "./board.js";

const $ = (id) => document.getElementById(id);
const AGENTS = ["uct:1000", "uct:10000", "uct:100000", "uct:1000000", "minimax:3", "minimax:time=5"];
const SEATS = ["human", "random", "uct:100", "uct:1000", "uct:10000", "uct:time=2", "minimax:2", "minimax:4"];

let table = null;      // id of the table
let view = null;       // the position on the board, as the server told it last
let scene = null;      // the board
let board = null, second = null;
let stream = null;
let things = [];
let found = [null, null];
const values = new Map();   // value of positions for the first seat, by node
let analysing = false;
let reviewing = null;

// Opening a table

async function openTable(id) {
  stream?.close();
  table = id;
  view = null;
  found = [null, null];
  values.clear();
  $("status").textContent = "Reading the rules…";
  const answer = await get(`/api/tables/${id}`);
  if (table !== id) return;
  scene = answer.board;
  $("title").textContent = scene.title;
  document.title = `${scene.title} · Ludoport`;
  $("export").href = `/api/tables/${id}/export`;
  $("record").href = `/api/tables/${id}/record`;
  $("record").hidden = answer.game.text;
  $("board").replaceChildren();
  board = drawBoard($("board"), scene, settings({ onmove: guarded(playMove), onhover: (site) => showHovered(0, site), label: `Board of ${scene.title}` }));
  second = null;
  $("board-1").replaceChildren();
  drawSeats(answer.seats, answer.game.name);
  drawAgents(answer.game.name);
  show(answer);
  stream = listen({
    topics: [`table:${id}`],
    events: {
      view: show, status: showStatus, review: showReview,
      analysis0: (data) => showFound(0, data), analysis1: (data) => showFound(1, data),
    },
    opened: guarded(async () => {
      if (analysing) await askAnalysis();
      const now = await get(`/api/tables/${id}`);
      if (table === id && (now.node !== view.node)) show(now);
    }),
  });
}

const settings = (more = {}) => ({ flip: $("flip").getAttribute("aria-pressed") === "true", coordinates: $("coordinates").getAttribute("aria-pressed") === "true", ...more });

function show(next) {
  // An answer may arrive after the event that tells of the next move.
  if (next.id !== table || (view && next.version < view.version)) return;
  const fresh = !view || view.node !== next.node;
  const forward = fresh && view && next.tree[next.node][0] === view.node;
  if (!fresh && view.moves.length === next.moves.length && view.seats.join() === next.seats.join()) {
    view = next;
    showStatus(next.status);
    return;
  }
  view = next;
  const playable = personMoves() ? next.moves : [];
  board.update(next.position, playable, forward);
  second?.update(next.position, [], false);
  if (fresh) {
    found = [null, null];
    board.overlay([]);
    second?.overlay([]);
    showFoundTables();
  }
  showSiteless();
  showTree();
  showGraph();
  showScores();
  showStatus(next.status);
  if (fresh) announce(spoken());
  writeAddress();
  $("undo").disabled = $("first").disabled = next.node === 0;
  $("redo").disabled = $("last").disabled = next.line[next.line.length - 1] === next.node;
}

const seatOf = (number) => view.seats[(number - 1) % view.seats.length];
const personMoves = () => !view.position.over && (seatOf(view.position.seat) === "human" || view.paused);
const programMoves = () => !view.position.over && !view.paused && seatOf(view.position.seat) !== "human";
const playerName = (number) => scene.players[number - 1]?.name ?? `Player ${number}`;

function spoken() {
  const last = view.position.last, taken = view.position.taken?.length;
  const moved = last ? `${last.label}${taken ? `, takes ${taken}` : ""}. ` : "";
  return `${moved}${statusText()}`;
}

function statusText() {
  const { position } = view;
  if (!position.over) return `${playerName(position.mover)} to move`;
  if (position.winner > 0) return `${playerName(position.winner)} won`;
  return "The game is a draw";
}

function showStatus(status) {
  view.status = status;
  const waiting = view.paused && !view.position.over && seatOf(view.position.seat) !== "human";
  const thinking = status.thinking ? ` · ${seatTitle(status.thinking.player)} is thinking…` : "";
  $("status").textContent = statusText() + thinking;
  $("resume").hidden = !waiting;
  $("pause").hidden = !status.thinking;
  $("board").dataset.ply = view.ply;
  if (status.thinking || programMoves()) $("board").dataset.waiting = "1";
  else delete $("board").dataset.waiting;
  $("problem").hidden = !(status.error || status.note);
  $("problem").textContent = status.error || status.note;
  showCompiling(status.compiling);
}

let ticking = null;
function showCompiling(seconds) {
  const box = $("compiling");
  box.hidden = seconds === null;
  clearInterval(ticking);
  if (seconds === null) return;
  const begin = Date.now() - 1000 * seconds;
  const tick = () => { box.querySelector("span").textContent = `Compiling the game to machine code: ${Math.round((Date.now() - begin) / 1000)} s. Moves work meanwhile, a little slower.`; };
  tick();
  ticking = setInterval(tick, 1000);
}

// Moves

async function playMove(move) {
  const sent = view;
  try {
    show(await post(`/api/tables/${table}/play`, { node: sent.node, ply: sent.ply, move: move.text }));
  } catch (error) {
    if (error instanceof Failure && error.status === 409) show(await get(`/api/tables/${table}`));
    throw error;
  }
}

function showSiteless() {
  const moves = board.siteless();
  const box = $("siteless");
  box.replaceChildren(...moves.map((move) => make("button", { type: "button", "data-move": move.text, text: move.kind === "pass" ? "Pass" : move.kind === "swap" ? "Swap" : move.label, onclick: guarded(() => playMove(move)) })));
  box.hidden = !moves.length;
}

const goTo = guarded(async (node) => show(await post(`/api/tables/${table}/go`, { node })));

// Undo goes back to where a person was to move.
function undo() {
  if (view.node === 0) return;
  let node = view.tree[view.node][0];
  const humans = view.seats.filter((seat) => seat === "human").length;
  const program = (one) => view.tree[one][2] && seatOf(view.tree[one][2]) !== "human";
  if (humans && !view.paused) while (node > 0 && program(node)) node = view.tree[node][0];
  goTo(node);
}
function redo() {
  const place = view.line.indexOf(view.node);
  if (place + 1 < view.line.length) goTo(view.line[place + 1]);
}

function showTree() {
  const children = new Map();
  view.tree.forEach(([parent], node) => { if (node) children.set(parent, [...(children.get(parent) ?? []), node]); });
  const ply = [0];
  view.tree.forEach(([parent], node) => { if (node) ply[node] = ply[parent] + 1; });
  const on = new Set(view.line);
  // The line on the board comes first; everything else is a variation below it.
  const line = (start, into) => {
    let node = start;
    while (node !== undefined) {
      if ((ply[node] - 1) % 2 === 0 || node === start) into.append(make("span", { class: "number", text: `${ply[node]}.` }));
      const here = node;
      into.append(make("button", { type: "button", text: view.tree[node][1], "aria-current": node === view.node ? "true" : undefined, onclick: () => goTo(here) }));
      const next = children.get(node) ?? [];
      const main = next.find((child) => on.has(child)) ?? next[0];
      for (const other of next) if (other !== main) variation(other, into);
      node = main;
    }
  };
  const variation = (node, into) => { const box = make("div", { class: "variation" }); line(node, box); into.append(box); };
  const tree = $("tree"), next = children.get(0) ?? [], main = next.find((child) => on.has(child)) ?? next[0];
  tree.replaceChildren();
  if (main === undefined) tree.append(make("span", { class: "soft small", text: "No moves yet." }));
  else {
    line(main, tree);
    for (const other of next) if (other !== main) variation(other, tree);
  }
  const current = tree.querySelector("[aria-current]");
  if (current) tree.scrollTop = Math.max(0, current.offsetTop - tree.offsetTop - tree.clientHeight / 2);
}

// Players

// Networks of the zoo are offered for their own game; what the server was started with, for all.
function seatChoices(current, kinds, game, sorts = ["run", "network", "player"]) {
  const players = things.filter((thing) => sorts.includes(thing.kind) && (!thing.zoo || thing.game === game));
  const known = [...kinds, ...players.map((thing) => `thing:${thing.id}`)];
  if (current && !known.includes(current)) known.push(current);
  return known.map((text) => make("option", { value: text, text: seatTitle(text), selected: text === current }));
}

function seatTitle(text) {
  if (!text.startsWith("thing:")) return playerTitle(text);
  const [id, ...rest] = text.slice(6).split(",");
  const thing = things.find((one) => one.id === id);
  return `${thing?.kind === "player" ? "" : "Network: "}${thing ? thing.title : "not here"}${rest.length ? `, ${rest.join(", ")}` : ""}`;
}

function seatSelect(current, label, game, onchange) {
  const select = make("select", { "aria-label": label }, ...seatChoices(current, SEATS, game), make("option", { value: "other", text: "Other…" }));
  let before = current;
  select.addEventListener("change", () => {
    if (select.value === "other") {
      const text = prompt("A player such as uct:5000, uct:time=1, minimax:6 or random", before === "human" ? "uct:5000" : before);
      if (!text) { select.value = before; return; }
      select.replaceChildren(...seatChoices(text.trim(), SEATS, game), make("option", { value: "other", text: "Other…" }));
    }
    before = select.value;
    onchange?.(select.value);
  });
  return select;
}

function drawSeats(seats, game) {
  const box = $("seats");
  box.replaceChildren();
  scene.players.forEach((player, number) => {
    const disc = make("span", { class: "disc", "aria-hidden": "true" });
    disc.style.background = player.fill;
    const select = seatSelect(seats[number % seats.length], `Player of ${player.name}`, game, guarded(changeSeats));
    box.append(make("div", { class: "seat", "data-seat": String(number + 1) }, disc,
      make("label", { class: "grow" }, make("span", { class: "name", text: player.name }), select), make("span", { class: "score" })));
  });
}

// Programs that analyse: those that search.
function drawAgents(game) {
  for (const slot of [0, 1]) {
    const select = $(`analyst-${slot}`);
    const current = select.value || (slot ? "" : "uct:100000");
    const left = things.find((thing) => current === `thing:${thing.id}`);
    const kept = left?.zoo && left.game !== game ? "" : current;
    select.replaceChildren(...seatChoices(kept || (slot ? "" : "uct:100000"), slot ? ["", ...AGENTS] : AGENTS, game, ["run", "network"]));
    if (slot) select.firstChild.textContent = "none";
  }
}

async function changeSeats() {
  const seats = [...$("seats").querySelectorAll("select")].map((select) => select.value);
  try {
    show(await post(`/api/tables/${table}/resume`, { seats }));
  } catch (error) {
    drawSeats(view.seats, view.game.name);
    throw error;
  }
}

function showScores() {
  const { position } = view;
  for (const seat of $("seats").children) {
    // After a swap each seat plays the other colour.
    const number = Number(seat.dataset.seat), colour = position.swapped && scene.players.length === 2 ? 3 - number : number;
    seat.classList.toggle("moving", !position.over && position.seat === number);
    const score = position.scores ? position.scores[colour - 1] : position.over ? { 1: "1", "-1": "0", 0: "½" }[position.seat_utilities[number - 1]] ?? "" : "";
    seat.querySelector(".score").textContent = score;
    seat.querySelector(".name").textContent = playerName(colour);
    seat.querySelector("select").setAttribute("aria-label", `Player of ${playerName(colour)}`);
    seat.querySelector(".disc").style.background = scene.players[colour - 1].fill;
  }
}

// Analysis

async function askAnalysis() {
  const players = analysing ? [$("analyst-0").value, $("analyst-1").value] : [];
  await post(`/api/tables/${table}/analyse`, { players });
}

async function toggleAnalysis(on) {
  analysing = on;
  $("analyse").setAttribute("aria-pressed", String(on));
  $("analyse").textContent = on ? "Stop" : "Analyse";
  $("analysis").hidden = !on;
  found = [null, null];
  board?.overlay([]);
  showSecond();
  showFoundTables();
  if (table) await askAnalysis();
}

function showSecond() {
  const on = analysing && $("analyst-1").value;
  $("second").hidden = !on;
  $("caption-0").hidden = !on;
  if (!on) { second = null; $("board-1").replaceChildren(); return; }
  if (!second && scene) {
    second = drawBoard($("board-1"), scene, settings({ onhover: (site) => showHovered(1, site), label: "The same position, second player" }));
    second.update(view.position, [], false);
  }
  $("caption-0").textContent = seatTitle($("analyst-0").value);
  $("caption-1").textContent = seatTitle($("analyst-1").value);
}

function showFound(slot, data) {
  if (!analysing || !view || data.node !== view.node) return;
  if (data.error) { found[slot] = { error: data.error }; showFoundTables(); return; }
  if (data.found) {
    found[slot] = data.found;
    const best = data.found.moves[0];
    if (slot === 0 && best && best.value !== null) { values.set(view.node, data.found.seat === 1 ? best.value : -best.value); showGraph(); }
  }
  if (found[slot] && data.done) found[slot].done = true;
  showOverlay(slot);
  showFoundTables();
}

const short = (number) => (number >= 1e6 ? `${(number / 1e6).toFixed(1)}M` : number >= 1e4 ? `${Math.round(number / 1e3)}k` : number >= 1e3 ? `${(number / 1e3).toFixed(1)}k` : String(number));
const percent = (value) => `${Math.round(50 + 50 * value)}%`;

function showOverlay(slot) {
  const target = slot ? second : board, result = found[slot], mode = $("shown").value;
  if (!target) return;
  if (!result?.moves || !mode) { target.overlay([]); return; }
  const moves = new Map(view.moves.map((move) => [move.text, move]));
  const amount = (one) => (mode === "priors" ? one.prior ?? 0 : one.visits ?? (one.value === null ? 0 : 1));
  const most = Math.max(1e-9, ...result.moves.map(amount));
  target.overlay(result.moves.filter((one) => amount(one) > 0 && moves.has(one.move)).map((one, number) => ({
    from: moves.get(one.move).from, to: moves.get(one.move).to, size: amount(one) / most, value: one.value, first: number === 0,
    text: mode === "priors" ? `${Math.round(100 * one.prior)}%` : one.value === null ? short(one.visits) : percent(one.value),
    more: mode === "priors" ? "" : one.visits === null ? "" : short(one.visits),
  })));
}

function showFoundTables() {
  for (const slot of [0, 1]) {
    const box = $(`found-${slot}`), result = found[slot];
    box.replaceChildren();
    if (!analysing || (slot && !$("analyst-1").value)) continue;
    if (!result) { box.append(make("p", { class: "soft small", text: view?.position.over ? "The game is over." : "Thinking…" })); continue; }
    if (result.error) { box.append(make("p", { class: "error small", text: result.error })); continue; }
    const counted = result.moves.some((one) => one.visits !== null), priors = result.moves.some((one) => one.prior !== null);
    if (!$("shown").value) { box.append(make("p", { class: "soft small", text: "Hidden while you play; the graph follows." })); continue; }
    const head = ["Move", counted ? "Visits" : null, "Wins", priors ? "Prior" : null, "Line"].filter(Boolean);
    const rows = result.moves.filter((one) => one.visits || one.value !== null || one.prior).slice(0, 6).map((one, place) => make("tr", { "data-move": one.move, onclick: guarded(() => playIfLegal(one.move)) },
      make("td", {}, make("button", { type: "button", class: "quiet", text: one.label })), counted ? make("td", { text: (one.visits ?? 0).toLocaleString("en") }) : null,
      make("td", { text: one.value === null ? "" : one.proved ? (one.value > 0 ? "won" : one.value < 0 ? "lost" : "drawn") : percent(one.value) }),
      priors ? make("td", { text: one.prior === null ? "" : `${(100 * one.prior).toFixed(1)}%` }) : null,
      make("td", { class: "line small", text: (result.lines[place] ?? []).slice(1, 12).join(" "), title: (result.lines[place] ?? []).join(" ") })));
    box.append(
      make("p", { class: "small soft" , text: `${seatTitle($(`analyst-${slot}`).value)}: ${result.simulations.toLocaleString("en")} ${counted ? "simulations" : "positions"}${result.done ? "" : "…"}` }),
      make("table", { class: "lines moving-lines" }, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { text, scope: "col", class: text === "Line" ? "line" : undefined })))), make("tbody", {}, ...rows)));
  }
}

// The moves of a site: their lines are shown in full.
function showHovered(slot, site) {
  const here = new Set(site === null ? [] : view.moves.filter((move) => (move.to ?? move.from) === site).map((move) => move.text));
  for (const row of $(`found-${slot}`).querySelectorAll("tr[data-move]")) row.classList.toggle("hovered", here.has(row.dataset.move));
}

async function playIfLegal(text) {
  const move = view.moves.find((one) => one.text === text);
  if (move && personMoves()) await playMove(move);
}

// The graph of values

function showGraph() {
  const box = $("graph"), line = view.line, width = 340, height = 130, left = 26, right = 6, top = 8, bottom = 16;
  const known = line.map((node, place) => ({ node, place, value: values.get(node) })).filter((one) => one.value !== undefined);
  $("review-note").hidden = known.length > 0 && !reviewing;
  box.replaceChildren();
  if (!known.length) return;
  const x = (place) => left + (width - left - right) * (line.length > 1 ? place / (line.length - 1) : 0.5);
  const y = (value) => top + (height - top - bottom) * (1 - value) / 2;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `Value for the first player over the game, now ${values.has(view.node) ? percent(values.get(view.node)) : "unknown"}` });
  for (const value of [1, 0, -1]) {
    svg.append(shape("line", { class: "zero", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      shape("text", { x: 0, y: y(value) + 4, text: percent(value) }));
  }
  const points = known.map((one) => `${x(one.place).toFixed(1)},${y(one.value).toFixed(1)}`);
  svg.append(shape("polygon", { class: "area", points: `${x(known[0].place)},${y(0)} ${points.join(" ")} ${x(known.at(-1).place)},${y(0)}` }),
    shape("polyline", { class: "curve", points: points.join(" ") }));
  for (const one of known) svg.append(shape("circle", { class: "dot", cx: x(one.place), cy: y(one.value), r: known.length > 60 ? 1.4 : 2.6 }));
  const here = line.indexOf(view.node);
  svg.append(shape("line", { class: "here", x1: x(here), x2: x(here), y1: top, y2: height - bottom }));
  svg.append(shape("text", { x: left, y: height - 2, text: "first player, by move" }));
  svg.addEventListener("click", (event) => {
    const place = svg.getBoundingClientRect(), share = ((event.clientX - place.left) / place.width * width - left) / (width - left - right);
    goTo(line[Math.max(0, Math.min(line.length - 1, Math.round(share * (line.length - 1))))]);
  });
  box.append(svg);
}

async function review() {
  if (reviewing) { await post(`/api/tables/${table}/review`, { player: "" }); endReview("Stopped."); return; }
  await post(`/api/tables/${table}/review`, { player: $("analyst-0").value });
}

function showReview(data) {
  if (data.begun) { reviewing = { done: 0, of: data.path.length }; $("review").textContent = "Stop"; }
  if (data.found) {
    const one = data.found, node = data.path[one.ply];
    const value = one.values ? one.values[0] : one.value === null ? null : one.seat === 1 ? one.value : -one.value;
    if (value !== null && value !== undefined) values.set(node, value);
    if (reviewing) reviewing.done += 1;
  }
  if (data.error) endReview(data.error);
  else if (data.done) endReview("");
  else if (reviewing) { $("review-note").textContent = `${reviewing.done} of ${reviewing.of} positions with ${seatTitle(data.player)}`; $("review-note").hidden = false; }
  showGraph();
}

function endReview(text) {
  reviewing = null;
  $("review").textContent = "Analyse the game";
  $("review-note").textContent = text || "Analysed.";
}

// The address holds the game and the position.

function writeAddress() {
  const address = new URLSearchParams({ table });
  if (!view.game.text) {
    address.set("game", view.game.name);
    for (const option of view.game.options) address.append("option", option);
    if (view.game.ruleset) address.set("ruleset", view.game.ruleset);
    if (view.moves_played.length) address.set("moves", view.moves_played.join(";"));
  }
  history.replaceState(null, "", `/play?${address}`);
}

async function readAddress() {
  const address = new URLSearchParams(location.search), moves = (address.get("moves") ?? "").split(";").filter(Boolean);
  const id = address.get("table");
  if (id) {
    try {
      await openTable(id);
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 404 || !address.get("game")) complain(error);
    }
  }
  if (!address.get("game")) return false;
  const game = { name: address.get("game"), options: address.getAll("option"), ruleset: address.get("ruleset") ?? "" };
  const { id: made } = await post("/api/tables", { game, moves, seats: ["human"] });
  await openTable(made);
  return true;
}

// New games

let catalogue = [], chosen = null, source = "bundled";
let described = null;   // what the server says about a text: players, options, rulesets

async function setup() {
  $("setup-error").hidden = true;
  $("setup").showModal();
  if (!catalogue.length) {
    $("catalogue").textContent = "Reading the list of games…";
    const own = things.filter((thing) => thing.kind === "game").map((thing) => ({ name: thing.title, thing: thing.id, board: "given at start" }));
    catalogue = [...own, ...await get("/api/games")];
    chosen = catalogue.find((game) => game.name === remembered("game", "Hex")) ?? catalogue[0];
  }
  showCatalogue();
  showOptions();
}

function showCatalogue() {
  const wanted = $("find").value.trim().toLowerCase();
  const rows = catalogue.filter((game) => game.name.toLowerCase().includes(wanted));
  $("catalogue").replaceChildren(...rows.map((game) => make("div", { role: "option", id: `game-${catalogue.indexOf(game)}`, "aria-selected": String(game === chosen), onclick: () => choose(game) },
    make("span", { text: game.name }), make("span", { class: "soft small", text: [game.board, (game.players ?? 2) !== 2 ? `${game.players} players` : ""].filter(Boolean).join(", ") }))));
  if (chosen) $("catalogue").setAttribute("aria-activedescendant", `game-${catalogue.indexOf(chosen)}`);
  $("catalogue").querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}

function choose(game) { chosen = game; showCatalogue(); showOptions(); guarded(describe)(); }

// The game of the dialog, as the server understands it; null for games that the list describes
const undescribed = () => (source === "bundled" && chosen?.thing ? { thing: chosen.thing } : source === "text" && $("text").value.trim() ? { name: textName(), text: $("text").value } : null);

let asking = 0;
async function describe() {
  const game = undescribed(), number = asking += 1;
  described = null;
  if (!game) { showOptions(); return; }
  try {
    const found = await post("/api/games/about", { game });
    if (number === asking) described = found;
  } catch { /* `Start` says what is wrong */ }
  if (number === asking) showOptions();
}

function showOptions() {
  const known = undescribed() ? described : source === "bundled" ? chosen : null;
  const lists = (known?.options ?? []).map((option) => make("label", { class: "grow", text: option.heading },
    make("select", { "data-heading": option.heading, "data-first": option.chosen ?? option.items[0] }, ...option.items.map((item) => make("option", { value: item, text: item, selected: item === option.chosen })))));
  if (known?.rulesets?.length) {
    lists.push(make("label", { class: "grow", text: "Ruleset" }, make("select", { id: "ruleset" }, make("option", { value: "", text: "none" }), ...known.rulesets.map((name) => make("option", { value: name, text: name })))));
  }
  $("options").replaceChildren(...(source === "import" ? [] : lists));
  const names = Array.isArray(known?.players) ? known.players : [], players = names.length || known?.players || 2;
  const before = [...$("setup-seats").querySelectorAll("select")].map((select) => select.value);
  $("setup-seats").replaceChildren(...(source === "import" ? [] : Array.from({ length: players }, (_, number) => make("label", { class: "grow", text: names[number] ?? `Player ${number + 1}` },
    seatSelect(before[number] ?? (number === 0 ? "human" : "uct:1000"), names[number] ?? `Player ${number + 1}`, chosen?.name ?? "")))));
  $("setup-moves-label").hidden = source === "import";
}

async function start(event) {
  event.preventDefault();
  $("setup-error").hidden = true;
  $("start").disabled = true;
  try {
    const seats = [...$("setup-seats").querySelectorAll("select")].map((select) => select.value);
    let body;
    if (source === "import") {
      const file = $("import-file").files[0];
      if (!file) throw new Failure(0, { error: "Choose a file first." });
      const given = await file.text();
      try { body = { import: JSON.parse(given) }; } catch { body = { record: given }; }
    } else {
      const moves = $("setup-moves").value;
      if (source === "text" && !$("text").value.trim()) throw new Failure(0, { error: "Paste a text first." });
      const options = [...$("options").querySelectorAll("[data-heading]")].filter((one) => one.value !== one.dataset.first).map((one) => `${one.dataset.heading}/${one.value}`);
      const ruleset = document.getElementById("ruleset")?.value ?? "";
      body = { game: { ...(undescribed() ?? { name: chosen.name }), options, ruleset }, seats, moves };
      if (source === "bundled") remember("game", chosen.name);
    }
    const { id } = await post("/api/tables", body);
    try {
      await openTable(id);
    } catch (error) {
      await remove(`/api/tables/${id}`).catch(() => {});
      throw error;
    }
    $("setup").close();
  } catch (error) {
    $("setup-error").textContent = error.message;
    $("setup-error").hidden = false;
  } finally {
    $("start").disabled = false;
  }
}

const textName = () => $("text").value.match(/\(\s*(?:game|match)\s*"([^"]+)"/)?.[1] ?? $("text-file").files[0]?.name.replace(/\.\w+$/, "") ?? "Own game";

function chooseSource(name) {
  source = name;
  for (const button of document.querySelectorAll("[data-tab]")) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
  for (const pane of document.querySelectorAll("[data-pane]")) pane.hidden = pane.dataset.pane !== name;
  showOptions();
  guarded(describe)();
}

async function library() {
  const tables = await get("/api/tables");
  $("tables").replaceChildren(...tables.map((one) => {
    const row = make("div", { class: "row" },
      make("button", { type: "button", class: "grow", text: `${one.title}, ${one.plies} ${one.plies === 1 ? "move" : "moves"}, ${new Date(1000 * one.changed).toLocaleString()}`, onclick: guarded(async () => { await openTable(one.id); $("library").close(); }) }),
      make("button", { type: "button", "aria-label": `Delete ${one.title}`, text: "Delete", onclick: guarded(async () => { await remove(`/api/tables/${one.id}`); row.remove(); }) }));
    return row;
  }));
  if (!tables.length) $("tables").append(make("p", { class: "soft", text: "No games yet." }));
  $("library").showModal();
}

// Controls

function connect() {
  $("new").addEventListener("click", guarded(setup));
  $("games").addEventListener("click", guarded(library));
  $("library-close").addEventListener("click", () => $("library").close());
  $("cancel").addEventListener("click", () => $("setup").close());
  $("setup").querySelector("form").addEventListener("submit", guarded(start));
  $("find").addEventListener("input", showCatalogue);
  $("catalogue").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = [...$("catalogue").children].map((row) => catalogue[Number(row.id.slice(5))]);
    choose(shown[Math.max(0, Math.min(shown.length - 1, shown.indexOf(chosen) + step))]);
  });
  for (const button of document.querySelectorAll("[data-tab]")) button.addEventListener("click", () => chooseSource(button.dataset.tab));
  $("text-file").addEventListener("change", guarded(async () => { const file = $("text-file").files[0]; if (file) { $("text").value = await file.text(); await describe(); } }));
  let waiting;
  $("text").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(guarded(describe), 400); });
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("first").addEventListener("click", () => goTo(0));
  $("last").addEventListener("click", () => goTo(view.line.at(-1)));
  $("resume").addEventListener("click", guarded(async () => show(await post(`/api/tables/${table}/resume`, {}))));
  $("pause").addEventListener("click", guarded(async () => show(await post(`/api/tables/${table}/pause`, {}))));
  for (const id of ["flip", "coordinates"]) {
    $(id).addEventListener("click", () => {
      const on = $(id).getAttribute("aria-pressed") !== "true";
      $(id).setAttribute("aria-pressed", String(on));
      remember(id, on);
      board?.set(settings());
      second?.set(settings());
      showOverlay(0);
      showOverlay(1);
    });
    const kept = remembered(id, null);
    if (kept !== null && id === "coordinates") $(id).setAttribute("aria-pressed", String(kept));
  }
  $("analyse").addEventListener("click", guarded(() => toggleAnalysis(!analysing)));
  $("review").addEventListener("click", guarded(review));
  drawAgents("");
  for (const slot of [0, 1]) {
    $(`analyst-${slot}`).addEventListener("change", guarded(async () => { found[slot] = null; showSecond(); showFoundTables(); await askAnalysis(); }));
  }
  $("shown").addEventListener("change", () => { showOverlay(0); showOverlay(1); showFoundTables(); });
  $("copy").addEventListener("click", guarded(async () => {
    const address = new URL(location.href);
    address.searchParams.delete("table");
    await navigator.clipboard.writeText(address.href);
    announce("Link copied");
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy link"; }, 1500);
  }));
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, textarea, select") || document.querySelector("dialog[open]") || !view) return;
    if (event.ctrlKey && event.key === "z") { event.preventDefault(); undo(); }
    if (event.ctrlKey && event.key === "y") { event.preventDefault(); redo(); }
    if (event.key === "Home" && !event.target.closest(".board")) goTo(0);
    if (event.key === "End" && !event.target.closest(".board")) goTo(view.line.at(-1));
  });
}

async function begin() {
  await shell();
  things = await get("/api/things");
  connect();
  try { if (await readAddress()) return; } catch (error) { complain(error); }
  const tables = await get("/api/tables"), given = things.find((thing) => thing.kind === "game" && !thing.title.includes("/"));
  const kept = given ? tables.find((one) => one.title === given.game) : tables[0];
  if (kept) {
    try { await openTable(kept.id); return; } catch (error) { complain(error); }
  }
  const game = given ? { thing: given.id } : { name: "Hex", options: ["Board Size/7x7"] };
  const { id } = await post("/api/tables", { game, seats: ["human", "uct:1000"] });
  await openTable(id);
}

guarded(begin)();
