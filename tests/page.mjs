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

/**
 * Runs in the page: keeps the time at which all strips hold a finished run and two frames later are on the screen. It looks
 * at each change of the page, not once a frame: the page fetches more three frames after that change, which must not
 * count.
 */
export function watchComparison() {
  const observer = new MutationObserver(() => {
    const strips = document.querySelectorAll("[data-digest]");
    if (strips.length < 3 || !document.querySelector("table caption")) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.comparisonMs = performance.now(); }));
  });
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ["data-digest"] });
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

/** Adds a run of a policy at the end of the list. */
export async function addRun(page, policy) {
  await page.getByRole("button", { name: "Add a policy" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a policy" });
  await dialog.getByRole("combobox").fill(policy);
  await dialog.locator(`#add-${policy}`).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

/** The runs of the list, each as its badge and name. */
export function listed(page) {
  return page.locator(".run-row").evaluateAll((rows) =>
    rows.map((row) => [row.querySelector(".badge").innerText, row.querySelector(".run-name-text").innerText]));
}

/** Presses a button in the menu of a run: Pin, Unpin, Hide, Show, Duplicate, Remove and so on. */
export async function pressRun(page, what, badge) {
  const button = page.getByRole("button", { name: `Menu of ${badge}`, exact: true, includeHidden: true });
  await page.locator(".run-row", { has: button }).hover();
  await button.click();
  await page.locator(".run-menu").getByRole("button", { name: new RegExp(`^${what}`) }).click();
}

/** Leaves runs of these policies in the list, in this order. */
export async function setRuns(page, policies) {
  for (const policy of policies) await addRun(page, policy);
  const others = (await listed(page)).length - policies.length;
  for (let at = 0; at < others; at += 1) await pressRun(page, "Remove", "A");
}
