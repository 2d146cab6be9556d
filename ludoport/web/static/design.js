// Writing a game: what is wrong as one types, what may follow, the board, and a report.

import { announce, complain, get, guarded, make, post, remember, remembered, shell } from "./page.js";
import { drawBoard } from "./board.js";
import { openTable } from "./replay.js";

const $ = (id) => document.getElementById(id);
const text = $("text"), LINE = 20, PAD = 10;
const FIRST = `(game "My Game"
    (players 2)
    (equipment {
        (board (square 5))
        (piece "Disc" Each)
    })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line 4) (result Mover Win)))
    )
)
`;

// Problems and the board: one question at a time, always about the newest text.

let asking = false, asked = "", problems = [];

async function check() {
  if (asking) return;
  asking = true;
  try {
    while (text.value !== asked) {
      const now = asked = text.value;
      const quick = await post("/api/design/problems", { text: now });
      if (text.value !== now) continue;
      showProblems(quick.problems);
      if (quick.problems.length) continue;
      $("problem").textContent = "Reads well; compiling…";
      const found = await post("/api/design/look", { text: now });
      if (text.value !== now) continue;
      showProblems(found.problems);
      if (found.board) {
        $("board").replaceChildren();
        drawBoard($("board"), found.board, { label: `Board of ${found.name}` }).update(found.position, []);
        $("caption").textContent = `${found.name}: the board at the start`;
      }
    }
  } catch (error) {
    asked = "";
    complain(error);
  } finally { asking = false; }
}

function showProblems(found) {
  problems = found;
  const line = $("problem");
  line.className = `panel small ${found.length ? (found[0].missing ? "warn" : "bad") : "good"}`;
  line.textContent = found.length ? `Line ${found[0].line}, column ${found[0].column}: ${found[0].message}${found[0].hint ? `; ${found[0].hint}` : ""}` : "OK: compiles";
  if (found.length) line.append(" ", make("button", { type: "button", class: "quiet", text: "Go there", onclick: () => { select(found[0]); } }));
  $("play").disabled = $("report").disabled = found.length > 0;
  draw();
}

const offsetOf = (problem) => text.value.split("\n").slice(0, problem.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + problem.column - 1;

function select(problem) {
  const at = offsetOf(problem);
  text.focus();
  text.setSelectionRange(at, at + problem.length);
}

function draw() {
  const lines = text.value.split("\n"), wrong = new Set(problems.map((problem) => problem.line));
  $("numbers").replaceChildren(...lines.map((_, at) => make("div", { text: wrong.has(at + 1) ? `● ${at + 1}` : String(at + 1), class: wrong.has(at + 1) ? "wrong" : undefined })));
  $("marks").replaceChildren();
  if (problems.length && asked === text.value) {
    const at = offsetOf(problems[0]);
    $("marks").append(text.value.slice(0, at), make("mark", { text: text.value.slice(at, at + problems[0].length) || " " }), text.value.slice(at + problems[0].length), "\n\n");
  }
  scrolled();
}

function scrolled() {
  $("numbers").scrollTop = $("marks").scrollTop = text.scrollTop;
  $("marks").scrollLeft = text.scrollLeft;
}

// Completions

let items = [], chosen = 0, start = 0, wanted = 0;

async function complete(all = false) {
  const offset = text.selectionStart, number = ++wanted;
  const before = text.value.slice(0, offset);
  if (!all && !/\([A-Za-z]+( [A-Z]\w*)?$|\([A-Za-z]+ $/.test(before)) return closeList();
  if (items.length) narrow(before);
  const found = await post("/api/design/complete", { text: text.value, offset });
  if (number !== wanted || text.selectionStart !== offset) return;
  const typed = before.slice(found.start);
  items = found.items.filter((item) => item.insert !== typed);
  if (!items.length && !(all && found.inside)) return closeList();
  [chosen, start] = [0, found.start];
  list();
  const lines = text.value.slice(0, found.start).split("\n");
  const ruler = make("span", { text: "0".repeat(50) });
  ruler.style.cssText = "position:absolute;visibility:hidden;white-space:pre";
  document.querySelector(".editor .text").append(ruler);
  const wide = ruler.getBoundingClientRect().width / 50;
  ruler.remove();
  $("popup").hidden = false;
  const room = text.clientWidth - $("popup").offsetWidth - 8, top = PAD + lines.length * LINE - text.scrollTop;
  $("popup").style.left = `${Math.max(4, Math.min(room, PAD + lines.at(-1).length * wide - text.scrollLeft))}px`;
  const above = top + $("popup").offsetHeight > text.clientHeight && top - LINE > $("popup").offsetHeight;
  $("popup").style.top = above ? `${top - LINE - $("popup").offsetHeight}px` : `${top}px`;
  pick(0, found.inside);
}

function list() {
  $("completions").replaceChildren(...items.map((item, at) => make("li", { role: "option", id: `completion-${at}`, class: item.fits ? undefined : "other", text: item.label, onpointerdown: (event) => { event.preventDefault(); chosen = at; take(); } })));
}

// Until the answer about the newest text arrives, Enter takes nothing that does not fit it.
function narrow(before) {
  const typed = before.slice(start).toLowerCase();
  items = items.filter((item) => item.insert.toLowerCase().startsWith(typed));
  $("popup").hidden = !items.length;
  list();
  pick(0);
}

function pick(at, inside = null) {
  chosen = Math.max(0, Math.min(items.length - 1, at));
  [...$("completions").children].forEach((one, number) => one.setAttribute("aria-selected", String(number === chosen)));
  const item = items[chosen] ?? inside;
  if (items.length) {
    text.setAttribute("aria-activedescendant", `completion-${chosen}`);
    $("completions").children[chosen].scrollIntoView({ block: "nearest" });
  }
  $("help").replaceChildren(make("div", { text: item?.help || item?.kind || "" }), ...(item?.forms ?? []).map((form) => make("code", { text: form })));
}

function take() {
  const item = items[chosen];
  closeList();
  if (!item) return;
  text.setRangeText(item.insert, start, text.selectionStart, "end");
  changed();
}

function closeList() {
  wanted += 1;
  $("popup").hidden = true;
  items = [];
  text.removeAttribute("aria-activedescendant");
}

text.addEventListener("keydown", (event) => {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    guarded(complete)(true);
  } else if (!$("popup").hidden) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }[event.key];
    if (step) { event.preventDefault(); pick(chosen + step); }
    else if (event.key === "Enter" && items.length) { event.preventDefault(); take(); }
    else if (event.key === "Escape") { event.preventDefault(); closeList(); }
    else if (["ArrowLeft", "ArrowRight", "Home", "End", "Tab"].includes(event.key)) closeList();
  }
});

let waiting;
function changed() {
  remember("design", text.value);
  draw();
  clearTimeout(waiting);
  waiting = setTimeout(check, 120);
}
text.addEventListener("input", () => { changed(); guarded(complete)(); });
text.addEventListener("scroll", () => { scrolled(); closeList(); });
text.addEventListener("blur", closeList);

// The report

let stopping = null;

async function report() {
  if (stopping) { stopping.abort(); return; }
  stopping = new AbortController();
  const panel = $("result"), bar = make("progress", { max: "1", value: "0", "aria-label": "Report" }), words = make("p", { class: "small", text: "compiling…" });
  panel.hidden = false;
  panel.replaceChildren(make("h2", { text: "Report" }), words, bar);
  $("report").textContent = "Stop";
  announce("Playing for the report");
  try {
    const answer = await fetch("/api/design/report", { method: "POST", credentials: "same-origin", signal: stopping.signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: text.value, seconds: 10 }) });
    if (!answer.ok) throw new Error((await answer.json()).error);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const step of lines.map((one) => JSON.parse(one))) {
        if (step.error) throw new Error(step.error);
        if (step.report) showReport(step);
        else { words.textContent = `${step.stage}…`; bar.value = step.share; }
      }
    }
  } catch (error) {
    panel.replaceChildren(make("h2", { text: "Report" }), make("p", { class: "small", text: error.name === "AbortError" ? "Stopped." : error.message }));
  } finally {
    stopping = null;
    $("report").textContent = "Report";
  }
}

function showReport({ report: found, board, position }) {
  const [head, ...rows] = found.rows, place = make("div");
  const skill = found.skill ? `uct:${found.skill.stronger} against uct:${found.skill.weaker}: ${(100 * found.skill.score.value).toFixed(0)} % of the points in ${found.skill.score.count} games` : null;
  $("result").replaceChildren(make("h2", { text: `Report: ${found.game}` }), make("ul", {}, ...found.findings.map((one) => make("li", { text: one }))),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Numbers" }, make("table", {}, make("thead", {}, make("tr", {}, ...head.map((one) => (one ? make("th", { text: one, scope: "col" }) : make("td"))))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((one) => make("td", { text: one }))))))),
    skill ? make("p", { class: "small", text: skill }) : null, make("h3", { text: "First moves" }), place,
    make("p", { class: "small soft", text: `${found.seconds.toFixed(1)} s of play; 95 % intervals in brackets. Numbers on the board: share of a long search in percent.` }));
  const drawn = drawBoard(place, board, { label: "First moves" }), most = Math.max(1e-9, ...found.first.map((one) => one.share));
  drawn.update(position, []);
  drawn.overlay(found.first.filter((one) => one.site !== null).map((one, at) => ({ to: one.site, size: one.share / most, value: one.value ?? 0, text: `${Math.round(100 * one.share)}`, first: at === 0 })));
  announce(found.findings.join(" "));
}

// Begin, download, play

async function begin() {
  const name = $("begin").value;
  if (!name) return;
  text.value = name === "new" ? FIRST : (await get(`/api/design/text?name=${encodeURIComponent(name)}`)).text;
  text.scrollTop = 0;
  changed();
}

await shell();
text.value = remembered("design", "") || FIRST;
$("begin").append(make("option", { value: "", text: "…" }), make("option", { value: "new", text: "a small game" }));
$("begin").addEventListener("change", guarded(begin));
$("report").addEventListener("click", guarded(report));
$("play").addEventListener("click", guarded(() => openTable({ name: text.value.match(/\(game\s+"([^"]*)"/)?.[1] || "game", text: text.value }, ["human"])));
$("save").addEventListener("click", () => {
  const link = make("a", { href: URL.createObjectURL(new Blob([text.value], { type: "text/plain" })), download: `${text.value.match(/\(game\s+"([^"]*)"/)?.[1] || "game"}.lud` });
  link.click();
  URL.revokeObjectURL(link.href);
});
changed();
for (const game of await get("/api/games")) if (game.language !== "chess") $("begin").append(make("option", { value: game.name, text: game.name }));
