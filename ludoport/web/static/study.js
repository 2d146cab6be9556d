// Studies: tables of transfer with intervals, and what is behind a cell.

import { announce, get, guarded, make, shell } from "./page.js";
import { drawCurves } from "./curves.js";
import { gamesTable } from "./replay.js";

const $ = (id) => document.getElementById(id);
let id = "";

// From red (0 %) over grey to green (100 %); light enough for dark text.
const colour = (percent) => (percent >= 50 ? `hsl(145 ${(percent - 50) * 1.3}% ${86 - (percent - 50) * 0.4}%)` : `hsl(8 ${(50 - percent) * 1.7}% ${86 - (50 - percent) * 0.25}%)`);
const spread = (cell) => `${cell.low.toFixed(0)} to ${cell.high.toFixed(0)} %`;

async function open() {
  $("about").replaceChildren(make("p", { class: "soft", text: "Reading the study…" }));
  $("behind").replaceChildren();
  const study = await get(`/api/studies/${id}`);
  const jobs = Object.entries(study.jobs).map(([state, count]) => `${count} ${state}`).join(", ");
  const minutes = study.minutes ? `, ${study.minutes.toFixed(1)} minutes of work` : "";
  const parts = [make("div", { class: "panel" }, make("h2", { text: `${study.name} (${study.preset})` }),
    make("p", { class: "small", text: `${study.training} ${study.playing}`.replaceAll("`", "") }), make("p", { class: "small soft", text: `Jobs: ${jobs}${minutes}.` }),
    study.command ? make("pre", { class: "command", tabindex: "0", "aria-label": "Command", text: study.command }) : null)];
  for (const table of study.tables) parts.push(matrix(table));
  if (study.scores.length) parts.push(scores(study.scores));
  $("about").replaceChildren(...parts);
}

function matrix(table) {
  const name = `${table.table}, ${table.setting}`;
  const rows = table.rows.map((source, at) => make("tr", {}, make("th", { text: source, scope: "row" }), ...table.columns.map((target, column) => {
    const cell = table.cells[at][column];
    if (!cell) return make("td", { class: "empty", text: "–" });
    const told = `${source} to ${target}: ${cell.percent.toFixed(0)} %, 95 % interval ${spread(cell)}, ${cell.games} games`;
    const button = make("button", { type: "button", "aria-label": told, title: told, "aria-pressed": "false", onclick: guarded((event) => drill(cell.job, `${source} → ${target}`, event.currentTarget)) },
      make("strong", { text: `${cell.percent.toFixed(0)} %${cell.mark ? ` ${cell.mark}` : ""}` }), make("small", { text: spread(cell) }));
    button.style.background = colour(cell.percent);
    return make("td", {}, button);
  })));
  return make("section", { class: "panel" }, make("h2", { text: name }),
    make("p", { class: "small soft", text: "Win rate of the transferred network against one trained on the target from scratch, with its 95 % interval. Rows: source; columns: target. + or - : differs from 50 %; doubled: also after correction for all cells." }),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, make("table", { class: "matrix" },
      make("thead", {}, make("tr", {}, make("td"), ...table.columns.map((column) => make("th", { text: column, scope: "col" })))), make("tbody", {}, ...rows))));
}

function scores(list) {
  const rows = list.map((score) => make("tr", {}, make("td", { text: score.group }), make("td", { class: "words", text: score.player }), make("td", { class: "words", text: score.against }),
    make("td", { text: `${score.percent.toFixed(0)} %` }), make("td", { text: spread(score) }), make("td", { text: String(score.games) }),
    make("td", { class: "act" }, make("button", { type: "button", text: "Details", "aria-label": `Details of ${score.player} against ${score.against}`, onclick: guarded((event) => drill(score.job, `${score.player} – ${score.against}`, event.currentTarget)) }))));
  const head = ["", "player", "against", "score", "95 % interval", "games", ""].map((text, at) => (text ? make("th", { text, scope: "col", class: at < 3 ? "words" : undefined }) : make("td")));
  return make("section", { class: "panel" }, make("h2", { text: "Other matches" }), make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Other matches" },
    make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))));
}

async function drill(job, title, button) {
  for (const other of document.querySelectorAll(".matrix button")) other.setAttribute("aria-pressed", String(other === button));
  announce(`Reading ${title}`);
  const found = await get(`/api/studies/${id}/job?name=${encodeURIComponent(job)}`);
  const learned = found.steps.filter((step) => step.run);
  const curves = make("div", { class: "grid" });
  for (const [name, words] of [["policy_loss", "Policy loss"], ["value_loss", "Value loss"]]) {
    const place = make("div", { class: "panel" });
    drawCurves(place, { title: words, series: learned.map((step) => ({ name: step.job, points: step.run.news.epochs.map((one) => ({ x: one.seconds / 60, y: one[name] })) })) });
    curves.append(place);
  }
  const replay = make("div");
  const game = { name: found.game, options: found.options };
  const games = found.games.length ? gamesTable(found.games, `/api/studies/${id}/replay?name=${encodeURIComponent(job)}`, replay, game) : make("p", { class: "soft", text: "No games were kept." });
  $("behind").replaceChildren(make("h2", { text: title, tabindex: "-1", id: "behind-title" }), learned.length ? curves : null,
    make("div", { class: "panel stack" }, make("h3", { text: "How it was made" }), ...found.steps.map((step) => make("div", {},
      make("p", { class: "small", text: `${step.kind}: ${step.job}${step.seconds ? `, ${step.seconds.toFixed(0)} s` : ""}` }),
      make("pre", { class: "command", tabindex: "0", "aria-label": `Command of ${step.job}`, text: step.command })))),
    make("div", { class: "panel stack" }, make("h3", { text: `Games (${found.games.length})` }), make("div", { class: "scroll tall", tabindex: "0", role: "group", "aria-label": "Games" }, games), replay));
  $("behind-title").focus();
}

await shell();
const studies = (await get("/api/things")).filter((thing) => thing.kind === "study");
$("none").hidden = studies.length > 0;
$("study").append(...studies.map((study) => make("option", { value: study.id, text: study.title })));
$("study").addEventListener("change", guarded(() => { id = $("study").value; return open(); }));
if (studies.length) {
  id = studies[0].id;
  await guarded(open)();
}
