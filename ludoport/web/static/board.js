// Boards of every shape as SVG: drawn from scenes (ludoport/drawing/scenes.py), played by mouse, touch and keyboard.
//
//   const board = drawBoard(element, scene, {onmove: (move) => ..., flip: false, coordinates: true, label: "Board"});
//   board.update(position, moves);   what stands where; the legal moves, if it can be played on
//   board.marks(sites, "class");     rings around sites
//   board.overlay([{to, from, size, value, text, more, title}]);   numbers on sites; size 0 to 1, value -1 to 1
//   board.onmove = (move) => ...;    called with an entry of the moves
//   board.onhover = (site) => ...;   called with the site below the pointer or with the focus; null for none

import { make, shape } from "./page.js";

const TILE = 48;
let sheet = null;

// The symbols of all pieces are put into the document once.
export function loadPieces() {
  sheet ??= fetch("/static/pieces.svg", { credentials: "same-origin" })
    .then((answer) => answer.text())
    .then((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      parsed.setAttribute("aria-hidden", "true");
      parsed.setAttribute("class", "visually-hidden");
      document.body.append(document.importNode(parsed, true));
    });
  return sheet;
}

export function drawBoard(element, scene, options = {}) {
  loadPieces();
  return new Board(element, scene, options);
}

class Board {
  constructor(element, scene, options) {
    this.element = element;
    this.scene = scene;
    this.options = { coordinates: true, flip: false, label: "Board", ...options };
    this.onmove = options.onmove ?? (() => {});
    this.onhover = options.onhover ?? (() => {});
    this.moves = [];
    this.position = null;
    this.selected = null;
    this.sites = new Map(scene.sites.map((site) => [site.site, site]));
    element.classList.add("board");
    this.redraw();
  }

  // Drawing

  redraw() {
    const scene = this.scene;
    this.closeMenu();
    this.element.replaceChildren();
    if (!scene.sites.length) {
      this.facts = make("pre", { tabindex: "0", role: "region", "aria-label": "Position" });
      this.element.append(this.facts);
      if (this.position) this.showFacts();
      return;
    }
    const [left, bottom, right, top] = this.bounds();
    this.box = { left, bottom, right, top };
    this.unit = TILE / scene.tile;
    const width = (right - left) * this.unit, height = (top - bottom) * this.unit;
    this.svg = shape("svg", { viewBox: `0 0 ${width.toFixed(2)} ${height.toFixed(2)}`, role: "grid", "aria-label": this.options.label });
    this.layers = {};
    for (const name of ["ground", "marks", "pieces", "overlay", "hints"]) {
      this.layers[name] = shape("g", { "aria-hidden": "true", class: `layer-${name}` });
      this.svg.append(this.layers[name]);
    }
    this.drawGround();
    this.drawSites();
    this.svg.append(this.layers.dragging = shape("g", { "aria-hidden": "true" }));
    this.element.append(this.svg);
    this.listen();
    if (this.position) this.update(this.position, this.moves, false);
  }

  bounds() {
    const whole = this.scene.bounds;
    if (this.options.coordinates || !this.scene.labels.length) return whole;
    // Without coordinates there is no room for them.
    const inner = [...whole], pad = 0.55 * this.scene.tile;
    const points = this.scene.sites.filter((site) => site.kind !== "hand").flatMap((site) => [...site.outline, [site.x, site.y]]);
    const hands = this.scene.sites.some((site) => site.kind === "hand");
    inner[0] = Math.min(...points.map((p) => p[0])) - pad;
    inner[2] = Math.max(...points.map((p) => p[0])) + pad;
    if (!hands) {
      inner[1] = Math.min(...points.map((p) => p[1])) - pad;
      inner[3] = Math.max(...points.map((p) => p[1])) + pad;
    }
    return inner;
  }

  at(x, y) {
    const { left, bottom, right, top } = this.box;
    const across = this.options.flip ? right - x : x - left, down = this.options.flip ? y - bottom : top - y;
    return [across * this.unit, down * this.unit];
  }

  // The place of a site, or of a level of a column where the board stands upright
  spot(site, level = 0) {
    const [x, y] = this.at(site.x, site.y);
    return this.scene.rack ? [x, y + (this.options.flip ? 1 : -1) * Math.max(0, Math.min(level, this.scene.rack - 1)) * TILE] : [x, y];
  }

  height(number) { return this.bySite?.get(number)?.length ?? 0; }

  points(outline) {
    return outline.map(([x, y]) => this.at(x, y).map((n) => n.toFixed(2)).join(",")).join(" ");
  }

  line([ax, ay, bx, by], attributes) {
    const [x1, y1] = this.at(ax, ay), [x2, y2] = this.at(bx, by);
    return shape("line", { x1, y1, x2, y2, "stroke-linecap": "round", ...attributes });
  }

  drawGround() {
    const { scene } = this, ground = this.layers.ground, { cells, line } = scene.colours;
    if (scene.lines.length) {
      const xs = scene.lines.flatMap((l) => [l[0], l[2]]), ys = scene.lines.flatMap((l) => [l[1], l[3]]), pad = 0.45 * scene.tile;
      const corners = [this.at(Math.min(...xs) - pad, Math.max(...ys) + pad), this.at(Math.max(...xs) + pad, Math.min(...ys) - pad)];
      const [x, y] = [0, 1].map((n) => Math.min(corners[0][n], corners[1][n]));
      const [width, height] = [0, 1].map((n) => Math.abs(corners[0][n] - corners[1][n]));
      ground.append(shape("rect", { x, y, width, height, rx: 6, fill: cells[0] }));
    }
    if (scene.pits) {
      for (const site of scene.sites) {
        const [cx, cy] = this.at(site.x, site.y);
        if (site.kind !== "hand") ground.append(shape("circle", { cx, cy, r: scene.pits * TILE, fill: cells[1], stroke: line }));
      }
    } else {
      for (const site of scene.sites) {
        if (site.kind !== "cell" || !site.outline.length) continue;
        ground.append(shape("polygon", { points: this.points(site.outline), fill: cells[site.shade % cells.length], stroke: line }));
        for (let level = 0; level < (scene.rack ?? 0); level += 1) {
          const [cx, cy] = this.spot(site, level);
          ground.append(shape("circle", { cx, cy, r: scene.hole * TILE, fill: line, "fill-opacity": 0.25 }));
        }
      }
      for (const edge of scene.lines) ground.append(this.line(edge, { stroke: line, "stroke-width": 1.2, "stroke-dasharray": scene.dashed ? "2 4" : null }));
      const edges = [...scene.lines, ...scene.sites.filter((site) => site.kind === "edge").map((site) => site.ends.flat())];
      const ends = new Map(edges.flatMap((l) => [[`${l[0]},${l[1]}`, [l[0], l[1]]], [`${l[2]},${l[3]}`, [l[2], l[3]]]]));
      for (const [x, y] of ends.values()) {
        const [cx, cy] = this.at(x, y);
        ground.append(shape("circle", { cx, cy, r: (scene.dashed ? 0.1 : 0.05) * TILE, fill: line }));
      }
    }
    for (const side of scene.sides) ground.append(this.line(side.line, { stroke: line, "stroke-width": 8.5 }));
    for (const side of scene.sides) ground.append(this.line(side.line, { stroke: this.fill(side.owner), "stroke-width": 6 }));
    if (this.options.coordinates) {
      for (const label of scene.labels) {
        const [x, y] = this.at(label.x, label.y);
        ground.append(shape("text", { x, y, dy: "0.35em", "text-anchor": "middle", "font-size": 0.3 * TILE, class: "label", text: label.text }));
      }
    }
    for (const site of scene.sites.filter((one) => one.kind === "hand")) {
      const [x, y] = this.at(site.x, site.y);
      ground.append(shape("rect", { x: x - TILE / 2 + 2, y: y - TILE / 2 + 2, width: TILE - 4, height: TILE - 4, rx: 6, fill: "#8a7a60", "fill-opacity": 0.22 }));
    }
  }

  // Sites lie above everything, in rows from top to bottom, so that people without a mouse can walk over them.
  drawSites() {
    this.cells = new Map();
    const order = { cell: 0, hand: 1, edge: 2, vertex: 3 };
    const placed = this.scene.sites.map((site) => ({ site, place: this.at(site.x, site.y) }));
    const rows = new Map();
    for (const one of placed) {
      const key = `${order[one.site.kind]}:${Math.round(one.place[1] / (TILE / 3))}`;
      if (!rows.has(key)) rows.set(key, []);
      rows.get(key).push(one);
    }
    const sorted = [...rows.entries()].sort((a, b) => order[a[1][0].site.kind] - order[b[1][0].site.kind] || a[1][0].place[1] - b[1][0].place[1]);
    for (const [, members] of sorted) {
      const row = shape("g", { role: "row" });
      for (const { site, place } of members.sort((a, b) => a.place[0] - b.place[0])) {
        const cell = shape("g", { role: "gridcell", class: "site", tabindex: "-1", "data-site": site.site }, this.hit(site, place));
        this.cells.set(site.site, cell);
        row.append(cell);
      }
      this.svg.append(row);
    }
    const first = this.focused && this.cells.get(this.focused) ? this.focused : this.cells.keys().next().value;
    this.cells.get(first)?.setAttribute("tabindex", "0");
  }

  hit(site, [x, y]) {
    if (site.kind === "hand") return shape("rect", { class: "hit", x: x - TILE / 2, y: y - TILE / 2, width: TILE, height: TILE });
    if (site.outline.length) return shape("polygon", { class: "hit", points: this.points(site.outline) });
    return shape("circle", { class: "hit", cx: x, cy: y, r: (this.mixed ? 0.25 : 0.48) * TILE });
  }

  get mixed() { return new Set(this.scene.sites.map((site) => site.kind).filter((kind) => kind !== "hand")).size > 1; }

  player(owner) { return this.scene.players[owner - 1]; }
  fill(owner) { return this.player(owner)?.fill ?? this.scene.colours.neutral; }
  ink(owner) { return this.player(owner)?.ink ?? "#ffffff"; }
  edge(owner) { return this.player(owner)?.edge ?? "#1c1c1c"; }

  // A piece with its centre at 0, 0
  piece({ glyph, owner, text, turned, size = 1, count }) {
    const seeds = glyph.startsWith("seeds-") && !this.player(owner);
    const wide = 0.92 * TILE * size, turn = (turned + (this.options.flip ? 180 : 0)) % 360;
    const directed = glyph === "tile" || glyph.startsWith("shogi-") || turned % 360;
    const group = shape("g", { class: "piece" });
    group.append(shape("use", {
      href: `#piece-${glyph}`, x: -wide / 2, y: -wide / 2, width: wide, height: wide, fill: seeds ? this.scene.colours.seed : this.fill(owner),
      stroke: this.edge(owner), color: this.ink(owner), "stroke-width": 3, "stroke-linejoin": "round",
      transform: directed && turn ? `rotate(${turn})` : null,
    }));
    if (text) {
      const high = text.length === 1 ? 0.42 : text.length === 2 ? 0.32 : 0.24;
      group.append(shape("text", { dy: "0.35em", "text-anchor": "middle", "font-size": high * TILE * size, fill: this.ink(owner), text }));
    }
    return group;
  }

  update(position, moves = [], moving = true) {
    const board = position.board;
    if (board && board.played !== this.scene.played) {
      // The next game of a match has a board of its own.
      this.scene = { ...this.scene, ...board };
      this.sites = new Map(board.sites.map((site) => [site.site, site]));
      this.position = null;
      this.selected = null;
      this.redraw();
    }
    this.position = position;
    this.moves = moves;
    this.select(null);
    this.closeMenu();
    if (!this.scene.sites.length) return this.showFacts();
    const pieces = this.layers.pieces;
    pieces.replaceChildren();
    this.bySite = new Map();
    for (const one of position.pieces) {
      const site = this.sites.get(one.site);
      if (!site) continue;
      if (!this.bySite.has(one.site)) this.bySite.set(one.site, []);
      this.bySite.get(one.site).push(one);
      if (site.kind === "edge") {
        pieces.append(this.line([...site.ends[0], ...site.ends[site.ends.length - 1]], { stroke: this.fill(one.owner), "stroke-width": 7, "data-at": one.site }));
        continue;
      }
      const [x, y] = this.spot(site, one.level), place = [x + one.right * TILE, y - (this.scene.rack ? 0 : one.up) * TILE];
      const drawn = this.piece(one);
      drawn.setAttribute("transform", `translate(${place[0].toFixed(2)} ${place[1].toFixed(2)})`);
      drawn.dataset.at = one.site;
      pieces.append(drawn);
    }
    for (const [number, text] of Object.entries(position.badges)) {
      const site = this.sites.get(Number(number));
      if (!site) continue;
      const [x, y] = this.at(site.x, site.y), cx = x + 0.32 * TILE, cy = y - 0.32 * TILE;
      pieces.append(shape("circle", { cx, cy, r: 0.17 * TILE, fill: "#fffbe6", stroke: "#222222" }),
        shape("text", { x: cx, y: cy, dy: "0.35em", "text-anchor": "middle", "font-size": 0.24 * TILE, fill: "#222222", text }));
    }
    this.markLast(position);
    this.showDice(position.dice ?? []);
    if (moving) this.glide(position.last);
    this.describe();
    this.hint(null);
    return undefined;
  }

  showFacts() { this.facts.textContent = this.position.facts.join("\n"); }

  markLast(position) {
    const marks = this.layers.marks;
    marks.replaceChildren();
    const last = position.last;
    if (!last) return;
    for (const number of new Set([last.from, last.to])) {
      const site = this.sites.get(number);
      if (!site) continue;
      marks.append(this.mark(site, { fill: this.scene.colours.mark, "fill-opacity": 0.6, class: "last" }));
    }
    this.marks(position.taken ?? [], "taken", marks);
  }

  mark(site, attributes) {
    const [x, y] = this.spot(site, this.height(site.site) - 1);
    if (site.kind === "edge") return this.line([...site.ends[0], ...site.ends[site.ends.length - 1]], { stroke: this.scene.colours.mark, "stroke-width": 16, "stroke-opacity": 0.7, class: "last" });
    if (site.outline.length && !this.scene.rack) return shape("polygon", { points: this.points(site.outline), ...attributes });
    return shape("circle", { cx: x, cy: y, r: 0.47 * TILE, ...attributes });
  }

  marks(sites, name, layer = this.layers.marks) {
    for (const number of sites) {
      const site = this.sites.get(number);
      if (!site) continue;
      const [cx, cy] = this.spot(site, this.height(number));
      layer.append(shape("circle", { cx, cy, r: 0.44 * TILE, class: name }));
    }
  }

  // The dice below the board; those that were played are faint.
  showDice(dice) {
    this.dice?.remove();
    this.dice = null;
    if (!dice.length) return;
    const words = dice.map((die) => `${die.value}${die.used ? " (used)" : ""}`).join(", ");
    this.dice = make("div", { class: "dice", role: "img", "aria-label": `Dice: ${words}` }, ...dice.map((die) => this.die(die)));
    this.element.append(this.dice);
  }

  die({ value, owner, used }) {
    const svg = shape("svg", { viewBox: "0 0 40 40", class: used ? "used" : "", "aria-hidden": "true", "data-die": value });
    const fill = owner ? this.fill(owner) : "#fffdf4", ink = owner ? this.ink(owner) : "#1c1c1c";
    svg.append(shape("rect", { x: 2, y: 2, width: 36, height: 36, rx: 7, fill, stroke: "#5b4630", "stroke-width": 2 }));
    const pips = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi" }[value];
    if (pips) for (const pip of pips) {
      const at = pip.charCodeAt(0) - 97;
      svg.append(shape("circle", { cx: 10 + 10 * (at % 3), cy: 10 + 10 * Math.floor(at / 3), r: 3.6, fill: ink }));
    } else svg.append(shape("text", { x: 20, y: 20, dy: "0.35em", "text-anchor": "middle", "font-size": 20, fill: ink, text: String(value) }));
    return svg;
  }

  // The piece that moved glides from where it was.
  glide(last) {
    if (!last || last.from === null || last.to === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = this.sites.get(last.from), to = this.sites.get(last.to);
    const drawn = [...this.layers.pieces.querySelectorAll(`[data-at="${last.to}"]`)].pop();
    if (!from || !to || !drawn || !drawn.animate || to.kind === "edge") return;
    const [ax, ay] = this.at(from.x, from.y), [bx, by] = this.at(to.x, to.y), home = drawn.getAttribute("transform");
    const [, x, y] = home.match(/translate\(([-\d.]+) ([-\d.]+)\)/).map(Number);
    drawn.animate([{ transform: `translate(${x + ax - bx}px, ${y + ay - by}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 160, easing: "ease-out" });
  }

  // Names of sites for people who hear the board
  describe() {
    const can = new Set(this.moves.flatMap((move) => (move.from !== null ? [move.from] : move.to !== null ? [move.to] : [])));
    const grab = new Set(this.moves.map((move) => move.from));
    for (const [number, cell] of this.cells) {
      const site = this.sites.get(number), pile = this.bySite?.get(number) ?? [];
      const count = this.position.badges[number];
      const held = pile.length ? pile.map((one) => this.name(one)).reverse().join(" on ") + (count ? `, ${count}` : "") : "empty";
      const place = site.kind === "hand" ? `hand of ${this.player(site.owner)?.name ?? "both"}` : site.label || `site ${number}`;
      cell.setAttribute("aria-label", `${place}: ${held}${can.has(number) ? ", playable" : ""}`);
      cell.setAttribute("class", `site${can.has(number) ? " can" : ""}${grab.has(number) ? " grab" : ""}`);
    }
  }

  name(one) {
    const owner = this.player(one.owner)?.name, kind = one.name || "stone";
    return [owner, kind, one.value ? `value ${one.value}` : ""].filter(Boolean).join(" ");
  }

  // Numbers of a search: a disc for each move, larger for more visits, blue for good and red for bad moves. Searches send
  // them several times a second, so what is there is changed, and only where it differs.
  overlay(list) {
    const layer = this.layers?.overlay;
    if (!layer) return;
    if (!layer.arrows) {
      layer.append(layer.arrows = shape("g"));
      this.discs = new Map();
    }
    const best = new Map();
    for (const one of list) {
      const number = one.to ?? one.from;
      if (this.sites.has(number) && (!best.has(number) || best.get(number).size < one.size)) best.set(number, one);
    }
    for (const [number, disc] of this.discs) {
      if (!best.has(number)) { disc.group.remove(); this.discs.delete(number); }
    }
    const arrows = [];
    for (const [number, one] of best) {
      const [cx, cy] = this.spot(this.sites.get(number), this.height(number)), colour = valueColour(one.value);
      if (one.from !== null && one.from !== undefined && one.from !== number && this.sites.has(one.from)) {
        const start = this.sites.get(one.from), [x1, y1] = this.at(start.x, start.y);
        arrows.push(shape("line", { x1, y1, x2: cx, y2: cy, class: "arrow", stroke: colour, "stroke-width": 2 + 8 * one.size, "stroke-opacity": 0.55 }));
      }
      if (!this.discs.has(number)) this.discs.set(number, this.disc(number));
      const { group, circle, text, more } = this.discs.get(number), legible = one.text && (one.size > 0.02 || best.size < 30);
      change(group, { transform: `translate(${cx.toFixed(2)} ${cy.toFixed(2)})` });
      change(circle, { r: ((0.2 + 0.24 * Math.sqrt(one.size)) * TILE).toFixed(1), fill: colour, stroke: one.first ? "#ffffff" : "#00000066", "stroke-width": one.first ? "3" : "1" });
      const scale = Math.min(1, (0.2 + 0.24 * Math.sqrt(one.size)) / 0.33);
      change(text, { dy: one.more ? "-0.05em" : "0.35em", "font-size": (0.24 * scale * TILE).toFixed(1) }, legible ? one.text : "");
      change(more, { "font-size": (0.2 * scale * TILE).toFixed(1) }, legible ? one.more ?? "" : "");
      if (!group.parentNode) layer.append(group);
    }
    layer.arrows.replaceChildren(...arrows);
  }

  disc(number) {
    const circle = shape("circle", { "fill-opacity": 0.88 }), style = { "text-anchor": "middle", fill: "#ffffff" };
    const text = shape("text", { ...style, "font-weight": 700 }), more = shape("text", { ...style, dy: "1.05em" });
    return { group: shape("g", { class: "value", "data-overlay": number }, circle, text, more), circle, text, more };
  }

  // Playing

  listen() {
    const svg = this.svg, site = (event) => {
      const found = event.target.closest?.("[data-site]");
      return found ? Number(found.dataset.site) : null;
    };
    svg.addEventListener("click", (event) => {
      if (this.dragged) { this.dragged = false; return; }
      const number = site(event);
      if (number !== null) this.click(number);
    });
    svg.addEventListener("pointerover", (event) => { this.onhover(site(event)); if (this.selected === null && !this.menu) this.hint(site(event)); });
    svg.addEventListener("pointerleave", () => { this.onhover(null); if (this.selected === null) this.hint(null); });
    svg.addEventListener("focusin", (event) => { const number = site(event); this.focused = number; this.onhover(number); if (this.selected === null) this.hint(number); });
    svg.addEventListener("keydown", (event) => this.key(event, site(event)));
    svg.addEventListener("pointerdown", (event) => this.grab(event, site(event)));
  }

  starting(number) { return this.moves.filter((move) => move.from === number); }
  placing(number) { return this.moves.filter((move) => move.from === null && move.to === number); }

  click(number) {
    this.closeMenu();
    if (this.selected !== null && this.selected !== number) {
      const found = this.moves.filter((move) => move.from === this.selected && move.to === number);
      if (found.length) return this.decide(found, number);
    }
    const again = this.selected === number, from = this.starting(number), here = this.placing(number);
    if (from.length && !again) return this.select(number, from);
    this.select(null);
    if (here.length) return this.decide(here, number);
    return undefined;
  }

  decide(found, number) {
    this.select(null);
    if (found.length === 1) this.onmove(found[0]);
    else this.openMenu(found, number);
  }

  select(number) {
    if (this.selected !== null) this.cells?.get(this.selected)?.classList.remove("selected");
    this.selected = number;
    if (number !== null) this.cells.get(number)?.classList.add("selected");
    this.hint(number);
  }

  // Where a piece can go
  hint(number) {
    const hints = this.layers?.hints;
    if (!hints) return;
    hints.replaceChildren();
    if (number === null || number === undefined) return this.offers();
    for (const target of new Set(this.starting(number).map((move) => move.to))) {
      const site = this.sites.get(target);
      if (!site) continue;
      const [cx, cy] = this.spot(site, this.height(target)), held = this.bySite?.has(target);
      hints.append(shape("circle", { cx, cy, r: held ? 0.44 * TILE : 0.15 * TILE, class: held ? "target takes" : "target", "data-target": target }));
    }
    return undefined;
  }

  // Where only a few sites can be chosen, as for a promotion, they are shown without being asked for.
  offers() {
    const sites = new Set(this.moves.filter((move) => move.from === null && move.to !== null).map((move) => move.to));
    if (sites.size <= 4) this.marks(sites, "target offer", this.layers.hints);
  }

  key(event, number) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in ways) {
      event.preventDefault();
      this.walk(number, ways[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (number !== null) this.click(number);
    } else if (event.key === "Escape") {
      this.select(null);
      this.closeMenu();
    }
  }

  walk(number, [dx, dy]) {
    const from = this.sites.get(number);
    if (!from) return;
    const [x, y] = this.at(from.x, from.y);
    let best = null, least = Infinity;
    for (const [other, site] of this.sites) {
      if (other === number) continue;
      const [ox, oy] = this.at(site.x, site.y), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      const cost = along + 2 * aside;
      if (along > 0.1 * TILE && aside < 1.8 * along && cost < least) { least = cost; best = other; }
    }
    if (best !== null) this.focus(best);
  }

  focus(number) {
    for (const cell of this.cells.values()) cell.setAttribute("tabindex", "-1");
    const cell = this.cells.get(number);
    cell.setAttribute("tabindex", "0");
    cell.focus();
  }

  // Dragging: begins when the pointer has moved a little, so that clicks stay clicks.
  grab(event, number) {
    this.dragged = false;
    if (number === null || event.button !== 0 || !this.starting(number).length) return;
    const begin = [event.clientX, event.clientY];
    const drawn = [...this.layers.pieces.querySelectorAll(`[data-at="${number}"]`)].pop();
    let ghost = null;
    const place = (moved) => {
      const point = new DOMPoint(moved.clientX, moved.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      ghost.setAttribute("transform", `translate(${point.x} ${point.y})`);
    };
    const move = (moved) => {
      if (!ghost && Math.hypot(moved.clientX - begin[0], moved.clientY - begin[1]) < 6) return;
      if (!ghost) {
        this.select(number);
        ghost = drawn ? drawn.cloneNode(true) : shape("circle", { r: 0.3 * TILE, fill: "#1473c9" });
        ghost.classList.add("drag");
        drawn?.setAttribute("opacity", "0.3");
        this.layers.dragging.append(ghost);
      }
      place(moved);
    };
    const stop = (moved) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
      if (!ghost) return;
      ghost.remove();
      drawn?.removeAttribute("opacity");
      const below = document.elementFromPoint(moved.clientX, moved.clientY)?.closest("[data-site]");
      const target = below && this.svg.contains(below) ? Number(below.dataset.site) : null;
      this.dragged = target === number;
      const found = this.moves.filter((one) => one.from === number && one.to === target);
      if (moved.type === "pointerup" && found.length && target !== null) this.decide(found, target);
      else this.select(null);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
  }

  // A small menu with pictures where several moves remain
  openMenu(found, number) {
    this.closeMenu();
    const site = this.sites.get(number), cell = this.cells.get(number);
    const menu = this.menu = make("div", { class: "menu", role: "menu", "aria-label": `Moves to ${site.label || "this site"}` });
    for (const move of [...found].sort((a, b) => Boolean(b.glyph) - Boolean(a.glyph))) {
      const picture = shape("svg", { viewBox: "-24 -24 48 48", "aria-hidden": "true" });
      if (move.glyph) picture.append(this.piece({ glyph: move.glyph, owner: move.owner, text: move.letters, turned: move.turned }));
      menu.append(make("button", { role: "menuitem", type: "button", "data-move": move.text, onclick: () => { this.closeMenu(); this.onmove(move); } },
        move.glyph ? picture : null, make("span", { class: "small", text: move.label })));
    }
    menu.addEventListener("keydown", (event) => {
      const items = [...menu.children], here = items.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) { event.preventDefault(); items[(here + step + items.length) % items.length].focus(); }
      if (event.key === "Escape") { this.closeMenu(); cell.focus(); }
    });
    this.element.append(menu);
    const place = cell.getBoundingClientRect(), board = this.element.getBoundingClientRect(), size = menu.getBoundingClientRect();
    const x = Math.max(0, Math.min(place.left - board.left + place.width / 2 - size.width / 2, board.width - size.width));
    const below = place.bottom - board.top + 4;
    menu.style.left = `${x}px`;
    menu.style.top = `${below + size.height > board.height ? Math.max(0, place.top - board.top - size.height - 4) : below}px`;
    menu.firstChild.focus();
  }

  closeMenu() { this.menu?.remove(); this.menu = null; }

  // The moves that no click on a site can mean
  siteless() { return this.moves.filter((move) => !this.scene.sites.length || ![move.from, move.to].some((number) => this.sites.has(number))); }

  set(options) { Object.assign(this.options, options); this.redraw(); }
}

// Sets what differs.
function change(element, attributes, text = null) {
  for (const [name, value] of Object.entries(attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  if (text !== null && element.textContent !== text) element.textContent = text;
}

// Blue for won, grey for even, red for lost; brightness differs too.
export function valueColour(value) {
  if (value === null || value === undefined) return "#4b5563";
  const share = (Math.max(-1, Math.min(1, value)) + 1) / 2;
  const low = [150, 32, 28], middle = [88, 84, 96], high = [10, 92, 140];
  const [a, b, t] = share < 0.5 ? [low, middle, share * 2] : [middle, high, share * 2 - 1];
  return `rgb(${a.map((from, n) => Math.round(from + (b[n] - from) * t)).join(" ")})`;
}
