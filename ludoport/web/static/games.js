// Choosing a game with its options: gameChooser(element, games, things, {label, value, onchange}) returns {value()}.

import { make } from "./page.js";

export function gameChooser(element, games, things, { label = "Game", value = {}, onchange = () => {} } = {}) {
  const select = make("select", {}, ...games.map((game) => make("option", { value: `name ${game.name}`, text: game.name })),
    ...things.filter((thing) => thing.kind === "game").map((thing) => make("option", { value: `thing ${thing.id}`, text: thing.title })));
  const options = make("div", { class: "row chooser" });
  element.classList.add("chooser");
  element.replaceChildren(make("label", {}, `${label} `, select), options);
  const chosen = () => games.find((game) => select.value === `name ${game.name}`);
  function draw(wanted = []) {
    options.replaceChildren(...(chosen()?.options ?? []).filter((one) => one.items.length > 1).map((one) => {
      const list = make("select", { "data-heading": one.heading }, ...one.items.map((item) => make("option", { value: item, text: item })));
      const found = wanted.find((text) => text.startsWith(`${one.heading}/`));
      if (found) list.value = found.slice(one.heading.length + 1);
      list.addEventListener("change", () => onchange(read()));
      return make("label", {}, `${one.heading} `, list);
    }));
  }
  function read() {
    const picked = [...options.querySelectorAll("select")].filter((list) => list.selectedIndex > 0).map((list) => `${list.dataset.heading}/${list.value}`);
    return select.value.startsWith("thing ") ? { thing: select.value.slice(6) } : { name: select.value.slice(5), options: picked };
  }
  select.addEventListener("change", () => { draw(); onchange(read()); });
  if (value.name) select.value = `name ${value.name}`;
  draw(value.options ?? []);
  return { value: read };
}
