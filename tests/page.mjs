// What end-to-end tests and benchmarks both do with the page in Chromium.
import { chromium } from "playwright-core";

/** Chromium without a card and without traffic of its own, with further flags. */
export function launch(...flags) {
  const executablePath = setting("ELASTIPLAN_CHROMIUM");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", // as root, Chromium refuses to start without it
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...flags,
    ],
  });
}

/** A file that is handed to the page. */
export function file(name, text) {
  return { name, mimeType: "text/csv", buffer: Buffer.from(text) };
}

/** Waits until nothing runs: Cancel can no longer be pressed. */
export async function idle(page, { timeout = 60_000 } = {}) {
  await page.waitForTimeout(400); // a run that starts by itself does so 250 ms after the last edit
  await page.waitForFunction(() => {
    const buttons = [...document.querySelectorAll("button")];
    return buttons.some((button) => button.textContent.trim().startsWith("Cancel") && button.disabled);
  }, null, { timeout });
}

/** Milliseconds from navigation until the first comparison is painted; `watchComparison` must be an init script. */
export async function firstComparison(page) {
  const handle = await page.waitForFunction(() => globalThis.comparisonMs, null, { polling: 50 });
  return handle.jsonValue();
}

/** Runs in the page: keeps the time at which all strips hold a finished run and two frames later are on the screen. */
export function watchComparison() {
  const look = () => {
    const strips = document.querySelectorAll("[data-digest]");
    const done = strips.length >= 3 && document.querySelector("table caption");
    if (!done) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.comparisonMs = performance.now(); }));
  };
  requestAnimationFrame(look);
}

/** The median of some numbers, the smallest and the largest. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) };
}

/** What `cargo xtask` sets in the environment. */
export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`cargo xtask test\` and \`cargo xtask bench\` run these scripts`);
  return value;
}
