// What the tests of studies do with the page.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "./lib.mjs";
import { rows } from "./native.mjs";

/** Makes nodes an axis, by the rail, with these values. Nothing runs yet. */
export async function varyNodes(page, { from, to, step = 1 }) {
  const field = page.locator(".what-if-row", { has: page.getByLabel("Nodes", { exact: true }) });
  await field.hover();
  await field.getByRole("button", { name: "Vary nodes" }).click();
  await page.getByRole("button", { name: /^Nodes .* to / }).click();
  const form = page.getByRole("group", { name: "Values of Nodes" });
  await form.getByLabel("From").fill(String(from));
  await form.getByLabel("To").fill(String(to));
  await form.getByLabel("Step").fill(String(step));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Nodes ${from} to ${to}, step ${step}`, exact: true }).waitFor();
}

/** Sets the seeds of each point, as they are written: a number, a list, or a range. */
export async function setSeeds(page, text) {
  await page.getByRole("button", { name: /^Seeds/ }).click();
  await page.getByRole("group", { name: "Seeds" }).getByLabel("Seeds", { exact: true }).fill(text);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Seeds ${text}`, exact: true }).waitFor();
}

/** Sets the limit of a goal, in the unit in which it is shown. */
export async function setGoal(page, label, limit) {
  await page.getByRole("button", { name: new RegExp(`^${label} [≥≤]`) }).click();
  await page.getByRole("group", { name: `Goal: ${label}` }).getByLabel("Limit").fill(String(limit));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: new RegExp(`^${label} [≥≤] ${limit}%`) }).waitFor();
}

/** The box with the button that runs the study and how far that is. */
export function progress(page) {
  return page.locator(".st-progress");
}

/** Presses Run; the study has begun then, and a short one may be over. */
export async function startStudy(page) {
  const runs = () => document.querySelector(".st-runs")?.innerText;
  const before = await page.evaluate(runs);
  await progress(page).getByRole("button", { name: /^(Run study|Go on)/ }).click();
  await page.waitForFunction((before) => {
    const box = document.querySelector(".st-progress");
    return box.innerText.includes("Stop and keep") || box.querySelector(".st-runs")?.innerText !== before;
  }, before);
}

/** Waits until the study is over. */
export async function studyEnded(page, timeout = 240_000) {
  await progress(page).getByRole("button", { name: /^(Run study|Go on)/ }).waitFor({ timeout });
}

/** What is pressed starts a download; its rows. */
export async function savedRows(page, press) {
  const download = page.waitForEvent("download");
  await press();
  return rows(readFileSync(await (await download).path(), "utf8"));
}

/** How many runs there are, and how many of them were kept from before: `1,575 of 1,575 runs, 315 kept, 1s`. */
export async function counts(page) {
  const words = (await progress(page).locator(".st-runs").innerText()).replaceAll(",", "");
  const [, runs, wanted, kept] = /^(\d+) of (\d+) runs?(?: (\d+) kept)?/.exec(words);
  return { runs: Number(runs), wanted: Number(wanted), kept: Number(kept ?? 0) };
}

/** The runs that the page keeps: how many, how many were written, and their digests in order. */
export async function keptRuns(page) {
  await page.evaluate(readKept);
  return written(await (await page.waitForFunction(() => globalThis.keptChunks)).jsonValue());
}

/** An expression that reads the chunks of kept runs into `keptChunks`, a text of one character a byte for each. */
export const readKept = `(() => {
  globalThis.keptChunks = null;
  const opened = indexedDB.open("elastiplan-runs");
  opened.onsuccess = () => {
    const all = opened.result.transaction("chunks").objectStore("chunks").getAll();
    all.onsuccess = () => {
      opened.result.close();
      const text = ([, bytes]) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      globalThis.keptChunks = all.result.map(text);
    };
  };
  return true;
})()`;

/** The runs in chunks, which are packed outcomes: a key of 32 digits, 0 for a run that ended, and a digest of 16 digits. */
export function written(chunks) {
  const found = chunks.flatMap((chunk) => [...chunk.matchAll(/([0-9a-f]{32})\0\x10([0-9a-f]{16})/g)]);
  const byKey = new Map(found.map(([, key, digest]) => [key, digest]));
  return { runs: byKey.size, written: found.length, digests: [...byKey.values()].sort() };
}

/** What the command line prints of a study. */
export function native(document, ...options) {
  const path = join(mkdtempSync(join(tmpdir(), "elastiplan-")), "study.json");
  writeFileSync(path, JSON.stringify(document));
  return execFileSync(cli, ["study", path, ...options], { maxBuffer: 1 << 28, encoding: "utf8" });
}

/** The digests of all runs of a study, made natively, in order. */
export function nativeDigests(document) {
  const store = mkdtempSync(join(tmpdir(), "elastiplan-"));
  native(document, "--store", store);
  const files = readdirSync(store, { recursive: true }).filter((name) => name.endsWith(".json"));
  return files.map((name) => JSON.parse(readFileSync(join(store, name), "utf8")).outcome.Ended.digest).sort();
}
