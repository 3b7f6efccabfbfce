"use strict";
(() => {
  const search = document.getElementById("search");
  const none = document.getElementById("none");
  const entries = [...document.querySelectorAll(".entry")];
  // A part is shown with the wholes above it, and a whole with its parts.
  const text = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
  const own = (entry) => (entry.querySelector(".line") ?? entry).textContent.toLowerCase();
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (string) => words.every((word) => string.includes(word));
    let shown = 0;
    for (const entry of entries) {
      const whole = entry.parentElement.closest(".entry");
      let under = false;
      for (let at = whole; at; at = at.parentElement.closest(".entry")) under ||= fits(own(at));
      entry.hidden = !(under || fits(text.get(entry)));
      shown += entry.hidden ? 0 : 1;
    }
    none.hidden = shown > 0;
  };
  search.addEventListener("input", filter);
  const asked = decodeURIComponent(location.hash.slice(1));
  if (asked) {
    search.value = asked;
    filter();
  }
})();
