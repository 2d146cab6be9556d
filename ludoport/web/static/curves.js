// Curves as small SVG pictures: drawCurves(element, {title, xTitle, series: [{name, points: [{x, y, low, high}]}]}).

import { make, shape } from "./page.js";

export const COLOURS = ["#1f77b4", "#d1620a", "#2b8a3e", "#b02a7a", "#7a55c7", "#8a6d00"];
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 4"];
const WIDTH = 420, HEIGHT = 210, LEFT = 50, RIGHT = 12, TOP = 10, BOTTOM = 34;

export const shown = (value) => {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 10000) return `${Math.round(value / 1000).toLocaleString("en")}k`;
  return String(Number(size >= 100 ? value.toFixed(0) : size >= 1 ? value.toFixed(size >= 10 ? 1 : 2) : value.toPrecision(3)));
};

function steps(low, high, count = 4) {
  const raw = (high - low) / count, scale = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * scale).find((size) => size >= raw * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) found.push(Math.abs(at) < step * 1e-6 ? 0 : at);
  return found;
}

export function drawCurves(element, { title, xTitle = "minutes", series }) {
  const known = series.map((one) => ({ ...one, points: one.points.filter((point) => point.y !== null && point.y !== undefined) }));
  const points = known.flatMap((one) => one.points);
  element.classList.add("curve");
  const last = known.filter((one) => one.points.length).map((one) => `${one.name}: ${shown(one.points.at(-1).y)}`).join("; ");
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}. ${last || "nothing yet"}` });
  element.replaceChildren(make("h2", { text: title }), svg);
  if (!points.length) {
    svg.append(shape("text", { x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle", text: "nothing yet" }));
    return;
  }
  const ys = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const pad = (high - low) * 0.06;
  low = low >= 0 && low - pad < 0 ? 0 : low - pad;
  high += pad;
  const right = Math.max(...points.map((point) => point.x), 1e-9);
  const left = Math.min(...points.map((point) => point.x)) < right ? Math.min(0, ...points.map((point) => point.x)) : 0;
  const x = (value) => LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
  for (const at of steps(low, high)) {
    svg.append(shape("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(at), y2: y(at) }),
      shape("text", { x: LEFT - 6, y: y(at) + 4, "text-anchor": "end", text: shown(at) }));
  }
  for (const at of steps(left, right, 5)) svg.append(shape("text", { x: x(at), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle", text: shown(at) }));
  svg.append(shape("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle", text: xTitle }));
  known.forEach((one, number) => {
    const stroke = one.colour ?? COLOURS[number % COLOURS.length], path = one.points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`);
    for (const point of one.points) {
      if (point.low !== undefined) svg.append(shape("line", { class: "whisker", stroke, x1: x(point.x), x2: x(point.x), y1: y(point.low ?? low), y2: y(point.high ?? high) }));
    }
    svg.append(shape("polyline", { class: "line", points: path.join(" "), stroke, "stroke-dasharray": DASHES[(one.number ?? number) % DASHES.length] }));
    if (one.points.length < 25) {
      for (const point of one.points) {
        svg.append(shape("circle", { cx: x(point.x), cy: y(point.y), r: 3, fill: stroke }, shape("title", { text: point.text ?? `${one.name}, ${shown(point.x)} ${xTitle}: ${shown(point.y)}` })));
      }
    }
  });
  if (known.length > 1) {
    element.append(make("div", { class: "legend small" }, ...known.map((one, number) => {
      const line = make("i");
      line.style.borderTopColor = one.colour ?? COLOURS[number % COLOURS.length];
      line.style.borderTopStyle = (one.number ?? number) % 3 === 0 ? "solid" : (one.number ?? number) % 3 === 1 ? "dashed" : "dotted";
      return make("span", { class: "key" }, line, make("span", { text: one.name }));
    })));
  }
}
