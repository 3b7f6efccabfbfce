"use strict";
(() => {
  const search = document.getElementById("search");
  const none = document.getElementById("none");
  const entries = [...document.querySelectorAll(".entry")];
  // A part is shown with the wholes above it, and a whole with its parts.
  const depth = (entry) => Number(entry.dataset.depth ?? 0);
  const family = new Map(entries.map((entry) => {
    const above = [], below = [];
    if (entry.dataset.depth !== undefined) {
      let least = depth(entry);
      for (let at = entry.previousElementSibling; at && least > 0; at = at.previousElementSibling) {
        if (depth(at) < least) { above.push(at); least = depth(at); }
      }
      for (let at = entry.nextElementSibling; at && depth(at) > depth(entry); at = at.nextElementSibling) below.push(at);
    }
    return [entry, { above, below }];
  }));
  const text = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (entry) => words.every((word) => text.get(entry).includes(word));
    let shown = 0;
    for (const entry of entries) {
      const { above, below } = family.get(entry);
      entry.hidden = ![entry, ...above, ...below].some(fits);
      shown += entry.hidden ? 0 : 1;
    }
    none.hidden = shown > 0;
  };
  if (search) {
    search.addEventListener("input", filter);
    let asked = location.hash.slice(1);
    try {
      asked = decodeURIComponent(asked);
    } catch {
      // Not an encoded address: taken as it is.
    }
    if (asked) {
      search.value = asked;
      filter();
    }
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const tree = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      // Up, down, and back to the tree.
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const order = next[head.getAttribute("aria-sort") ?? "none"];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      let rows = tree;
      if (order !== "none") {
        head.setAttribute("aria-sort", order);
        const key = (row) => row.cells[column]?.dataset.sort ?? "";
        const compare = (a, b) => key(a).localeCompare(key(b), "en", { numeric: column !== 1 });
        const number = (a, b) => Number(key(a)) - Number(key(b));
        rows = [...tree].sort(column === 1 ? number : compare);
        if (order === "descending") rows.reverse();
      }
      table.classList.toggle("flat", order !== "none");
      body.append(...rows);
    }));
  }
})();
