// What every page has: navigation, light and dark, requests, the stream of events.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (key === "text") element.textContent = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// Requests. An answer that is not a success becomes a Failure with the server's sentence.

export class Failure extends Error {
  constructor(status, answer) {
    super(answer.error || `the server answered ${status}`);
    this.status = status;
    this.answer = answer;
  }
}

async function request(method, path, body) {
  const settings = { method, credentials: "same-origin", headers: {} };
  if (method !== "GET") {
    settings.headers["Content-Type"] = "application/json";
    settings.body = JSON.stringify(body ?? {});
  }
  let answer;
  try {
    answer = await fetch(path, settings);
  } catch {
    throw new Failure(0, { error: "the server does not answer; is `ludoport web` still running?" });
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Failure(answer.status, data);
  return data;
}

export const get = (path) => request("GET", path);
export const post = (path, body) => request("POST", path, body);
export const remove = (path) => request("DELETE", path);

// One stream of events a page: listen({topics, events: {kind: handler(data, topic)}, opened}) returns {close}.

export function listen({ topics, events, opened = () => {} }) {
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join("&");
  let source = null, closed = false;
  const open = () => {
    source = new EventSource(`/api/events?${query}`);
    source.addEventListener("open", () => opened());
    for (const [kind, handler] of Object.entries(events)) {
      source.addEventListener(kind, (event) => {
        const { topic, data } = JSON.parse(event.data);
        handler(data, topic);
      });
    }
    source.addEventListener("error", () => {
      if (!closed && source.readyState === EventSource.CLOSED) setTimeout(() => !closed && open(), 1500);
    });
  };
  open();
  return { close() { closed = true; source.close(); } };
}

// Messages: said to screen readers politely; errors shown as well.

let announcer;
export function announce(text) {
  if (!announcer) {
    announcer = make("div", { class: "visually-hidden", "aria-live": "polite", role: "status", id: "announcer" });
    document.body.append(announcer);
  }
  announcer.textContent = text;
}

let toast, hiding;
export function complain(error) {
  if (!toast) {
    toast = make("div", { class: "toast", role: "alert", hidden: true });
    document.body.append(toast);
  }
  toast.textContent = error.message || String(error);
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { toast.hidden = true; }, 7000);
}

// Wraps an event handler, so that what goes wrong is shown.
export const guarded = (work) => async (...given) => {
  try {
    return await work(...given);
  } catch (error) {
    complain(error);
    if (!(error instanceof Failure)) throw error;
  }
};

// Things that a browser remembers.

export function remembered(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(`ludoport.${key}`)) ?? otherwise; } catch { return otherwise; }
}
export function remember(key, value) {
  try { localStorage.setItem(`ludoport.${key}`, JSON.stringify(value)); } catch { /* private windows */ }
}

// Light and dark

const dark = matchMedia("(prefers-color-scheme: dark)");
function applyTheme() {
  const chosen = remembered("theme", "");
  document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light");
}
dark.addEventListener("change", applyTheme);
applyTheme();

function themeButton() {
  const button = make("button", { class: "quiet icon", type: "button" });
  const show = () => {
    const now = document.documentElement.dataset.theme;
    button.textContent = now === "dark" ? "☀" : "☾";
    button.setAttribute("aria-label", now === "dark" ? "Light colours" : "Dark colours");
    button.title = button.getAttribute("aria-label");
  };
  button.addEventListener("click", () => {
    remember("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    applyTheme();
    show();
  });
  show();
  return button;
}

// The head of the page: <header class="top"> is filled in; returns when that is done.

export async function shell() {
  const header = document.querySelector("header.top") || document.body.insertBefore(make("header", { class: "top" }), document.body.firstChild);
  const navigation = make("nav", { "aria-label": "Pages" });
  header.replaceChildren(make("a", { class: "brand", href: "/", text: "Ludoport" }), navigation, themeButton());
  announce("");
  const pages = await get("/api/pages");
  for (const page of pages) {
    const here = location.pathname === page.path;
    navigation.append(make("a", { href: page.path, text: page.title, "aria-current": here ? "page" : undefined }));
  }
}

// A player as a page shows it
export function playerTitle(text) {
  const [kind, rest] = [text.split(":")[0], text.slice(text.indexOf(":") + 1)];
  if (text === "human") return "You";
  if (text === "random") return "Random moves";
  if (kind === "uct" && /^\d+$/.test(rest)) return `UCT, ${Number(rest).toLocaleString("en")} simulations`;
  if (kind === "minimax" && /^\d+$/.test(rest)) return `Alpha-beta, depth ${rest}`;
  return text;
}
