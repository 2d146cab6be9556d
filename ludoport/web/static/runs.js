// Runs: curves while they learn, where the time goes, and games.

import { announce, get, guarded, make, post, shell } from "./page.js";
import { COLOURS, drawCurves } from "./curves.js";
import { gamesTable, look } from "./replay.js";

const $ = (id) => document.getElementById(id);
const EVERY = 1000;
const CURVES = [
  ["policy_loss", "Policy loss"], ["value_loss", "Value loss"], ["elo", "Elo"], ["games_per_second", "Games per second"],
  ["evaluations_per_second", "Evaluations per second"],
];
const runs = new Map();   // id: {title, chosen, about, epochs, elo, last, age}
const places = new Map();

async function refresh() {
  for (const run of await get("/api/runs")) {
    if (!runs.has(run.id)) runs.set(run.id, { ...run, chosen: runs.size < 4, epochs: [], elo: [], last: 0, number: runs.size });
  }
  $("none").hidden = runs.size > 0;
  let fresh = false;
  for (const run of runs.values()) {
    const news = await get(`/api/runs/${run.id}?after=${run.last}`);
    if (news.about) run.about = news.about;
    if (news.again) run.epochs = [];
    fresh ||= news.epochs.length > 0 || news.again || news.elo.length !== run.elo.length || !run.drawn;
    run.epochs.push(...news.epochs);
    Object.assign(run, { last: news.last, elo: news.elo, age: news.age, left: news.seconds_left, works: news.under_way, drawn: true });
  }
  list();
  if (fresh) draw();
}

function state(run) {
  const learns = run.works ?? (run.left > 0 && run.age < 120);
  if (learns) return run.left > 0 ? `learning, ${Math.ceil(run.left / 60)} min left` : "learning";
  return run.age === null || run.age === undefined ? "not started" : "stopped";
}
const number = (value, digits = 3) => (value === null || value === undefined ? "" : value.toFixed(digits));

function list() {
  const body = [...runs.values()].map((run) => {
    const last = run.epochs.at(-1), line = make("i");
    line.style.borderTopColor = COLOURS[run.number % COLOURS.length];
    const box = make("input", { type: "checkbox", checked: run.chosen, onchange: (event) => { run.chosen = event.target.checked; draw(); } });
    return make("tr", { "data-run": run.id },
      make("td", {}, make("label", { class: "key" }, box, line, make("span", { text: run.title }))),
      make("td", { text: run.about?.title ?? "" }), make("td", { text: String(run.last) }), make("td", { text: last ? number(last.seconds / 60, 1) : "" }),
      make("td", { text: number(last?.policy_loss) }), make("td", { text: number(last?.value_loss) }), make("td", { text: run.elo.at(-1)?.text ?? "" }),
      make("td", { text: state(run) }));
  });
  const focused = document.activeElement?.closest?.("[data-run]")?.dataset.run;
  const head = ["run", "game", "epochs", "minutes", "policy loss", "value loss", "Elo", ""].map((text) => (text ? make("th", { text, scope: "col" }) : make("td")));
  $("list").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  if (focused) $("list").querySelector(`[data-run="${focused}"] input`)?.focus();
}

function draw() {
  const chosen = [...runs.values()].filter((run) => run.chosen);
  const opponents = new Set(chosen.map((run) => run.about?.opponent));
  for (const [name, title] of CURVES) {
    if (!places.has(name)) {
      places.set(name, make("section", { class: "panel" }));
      $("curves").append(places.get(name));
    }
    const series = chosen.map((run) => ({
      name: run.title, number: run.number, colour: COLOURS[run.number % COLOURS.length],
      points: name === "elo" ? run.elo.map((one) => ({ x: one.seconds / 60, y: one.value, low: one.low, high: one.high, text: `epoch ${one.epoch}: ${one.text}` }))
        : run.epochs.map((one) => ({ x: one.seconds / 60, y: one[name] })),
    }));
    drawCurves(places.get(name), { title: name === "elo" && opponents.size === 1 && [...opponents][0] ? `Elo above ${[...opponents][0]}` : title, series });
  }
  $("spent").replaceChildren(...chosen.flatMap((run) => bar(run)), kinds(chosen));
  games();
}

function bar(run) {
  const total = {};
  for (const epoch of run.epochs) for (const [kind, seconds] of Object.entries(epoch.spent)) total[kind] = (total[kind] ?? 0) + seconds;
  const whole = Object.values(total).reduce((a, b) => a + b, 0);
  if (!whole) return [];
  const told = run.about.kinds.map((kind) => `${kind} ${Math.round(100 * total[kind] / whole)} %`).join(", ");
  const parts = run.about.kinds.map((kind, at) => {
    const part = make("span", { class: `kind-${at}`, title: `${kind}: ${total[kind].toFixed(1)} s` });
    part.style.width = `${100 * total[kind] / whole}%`;
    return part;
  });
  return [make("p", { class: "small", text: `${run.title}: ${told}` }), make("div", { class: "bar", role: "img", "aria-label": told }, ...parts)];
}

function kinds(chosen) {
  return make("p", { class: "small row" }, ...(chosen[0]?.about?.kinds ?? []).map((kind, at) => make("span", {}, make("span", { class: `swatch kind-${at}` }), kind)));
}

// Games

let drawn = "";
function games() {
  const chosen = [...runs.values()].filter((run) => run.chosen), key = chosen.map((run) => run.id).join();
  if (key === drawn) return;
  drawn = key;
  $("games").replaceChildren(make("h2", { text: "Games" }), ...chosen.map((run) => {
    const replay = make("div"), table = make("div", { class: "scroll tall", tabindex: "0", role: "group", "aria-label": `Rating games of ${run.title}` });
    const seed = make("input", { type: "number", min: "1", max: "999999", value: "1", "aria-label": `Random seed for ${run.title}` });
    seed.style.width = "7em";
    const game = { name: run.about.game, options: run.about.options };
    const play = guarded(async () => {
      announce("Playing a game of self-play");
      replay.replaceChildren(make("p", { class: "soft", text: "The newest network plays against itself; the first time its search is compiled…" }));
      await look(await post(`/api/runs/${run.id}/self-play`, { seed: Number(seed.value) || 1 }), `/api/runs/${run.id}/replay`, replay, game);
      announce("The game is shown");
    });
    const rated = guarded(async () => {
      const kept = await get(`/api/runs/${run.id}/games`);
      table.replaceChildren(kept.length ? gamesTable(kept, `/api/runs/${run.id}/replay`, replay, game) : make("p", { class: "soft", text: "No rating games yet." }));
    });
    return make("div", { class: "stack" }, make("h3", { text: run.title }), make("div", { class: "row" },
      make("button", { type: "button", text: "Play a game of self-play", onclick: play }), make("label", { class: "pick", text: "Seed" }, seed),
      make("button", { type: "button", text: "Rating games", onclick: rated })), table, replay);
  }));
}

await shell();
const loop = async () => {
  try { await refresh(); } finally { setTimeout(guarded(loop), EVERY); }
};
guarded(loop)();
