// Light or dark colours: the system's preference, until the user chooses.

/** @import {Store} from "./store.js" */

const KEY = "waymarch-theme";

/** Storage may be forbidden (local files, private windows): then the choice is not stored. */
const remembered = {
  get: () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  set: (value) => {
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // The choice is not stored.
    }
  },
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @param {Store} store */
export function startTheme(store) {
  const wish = new URLSearchParams(location.search).get("theme") ?? remembered.get();
  document.documentElement.dataset.theme = wish === "light" || wish === "dark" ? wish : dark.matches ? "dark" : "light";
  dark.addEventListener("change", () => {
    if (remembered.get()) return;
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
    store.say("theme");
  });
}

/** @param {Store} store */
export function nextTheme(store) {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remembered.set(next);
  store.say("theme");
}
