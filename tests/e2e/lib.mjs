// Helpers of the end-to-end tests. `cargo xtask test` builds and serves the page, and sets:
//   ELASTIPLAN_URL         the address of the page, in a sub-folder of its server
//   ELASTIPLAN_CHROMIUM    the browser
//   ELASTIPLAN_CLI         the native command line, to compare with
//   ELASTIPLAN_FIRST_LOAD  the files that the size budget counts as the first load
import assert from "node:assert/strict";
import { after } from "node:test";
import { launch, setting } from "../page.mjs";

export { addRun, file, idle, launch, listed, pressRun, setRuns } from "../page.mjs";

export const url = setting("ELASTIPLAN_URL");
export const cli = setting("ELASTIPLAN_CLI");

/** The policies that the page compares on the sample. */
export const samplePolicies = ["fixed", "equal-share", "elastic-dp"];

let browser;

after(() => browser?.close());

/**
 * Opens the app in a fresh profile, runs `body` with the page, and then fails if anything went wrong behind it:
 * an error in the console or in the page, a failed request, or any request to another origin.
 *
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 * @param {import("playwright-core").BrowserContextOptions & { path?: string }} options `path` is appended to the address
 */
export async function withApp(body, { path = "", ...options } = {}) {
  await withPage(async (page) => {
    await page.goto(url + path);
    await mounted(page);
    await whole(page);
    await body(page);
  }, options);
}

/** Waits for what the page fetches after the first comparison: the panel of results is of it. */
async function whole(page) {
  await page.locator('aside[aria-label="Results"] a[href*="docs/metrics.html"]').first().waitFor({ state: "attached" });
}

/**
 * Like `withApp`, but `body` gets the page empty, and may go where it wants.
 * With `expectTrouble`, there must be trouble that matches it, and no other. `origins` are those that may be asked, if
 * they are others than the page's.
 */
export async function withPage(body, { expectTrouble, origins, ...options } = {}) {
  browser ??= await launch("--disable-gpu");
  // What a service worker fetches after a test is no trouble of the page; offline.spec.mjs is about it.
  const context = await browser.newContext({ serviceWorkers: "block", ...options });
  try {
    const page = await context.newPage();
    const troubles = collectTroubles(context, page, origins);
    await body(page);
    const unexpected = troubles.filter((trouble) => !expectTrouble?.test(trouble));
    assert.deepEqual(unexpected, [], "the page had troubles");
    if (expectTrouble) assert.notEqual(troubles.length, 0, `no trouble matched ${expectTrouble}`);
  } finally {
    await context.close();
  }
}

/** Waits until the app has replaced the text that index.html shows while it loads. */
export async function mounted(page) {
  await page.locator("#app h1").first().waitFor();
}

/** The timeline of a policy. */
export function region(page, policy) {
  return page.getByRole("region", { name: `Timeline: ${policy}`, exact: true });
}

/** Opens the rows of all runs. */
export async function openAll(page) {
  const selector = '.tl-chevron[aria-expanded="false"]';
  for (let closed; (closed = await page.locator(selector).count()) > 0;) {
    await page.locator(selector).first().click();
    await page.waitForFunction(([selector, closed]) => document.querySelectorAll(selector).length < closed, [selector, closed]);
  }
}

/** Hands files to the page once the sample is there. Returns the digests from before. */
export async function handOver(page, files, label = "Job trace") {
  const before = await ended(page);
  await page.getByLabel(label, { exact: true }).setInputFiles(files);
  return before;
}

/** Hands files to the page once the sample is there, and waits for their runs. */
export async function handOverAndRun(page, files) {
  const before = await handOver(page, files);
  return ended(page, { before });
}

/** Opens the fields that are used less. */
export async function openMoreFields(page) {
  await page.locator("summary", { hasText: "more: faults" }).click();
}

/** How many colours a canvas has. */
export function coloursOf(canvas) {
  return canvas.evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}

/** Waits for so many runs that have ended, none of them as one of those before, and returns their digests. */
export async function ended(page, { count = 3, before = [] } = {}) {
  try {
    await page.waitForFunction(([count, before]) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return now.length === count && now.every((digest) => !before.includes(digest));
    }, [count, before]);
  } catch (error) {
    const [runs, status] = [await digests(page), await page.locator(".status").allInnerTexts()];
    throw new Error(`not ${count} other runs than ${before} but ${runs}; the page says: ${status}`, { cause: error });
  }
  return digests(page);
}

/** The digests of the runs that have ended. */
export function digests(page) {
  return page.locator("[data-digest]").evaluateAll((strips) => strips.map((strip) => strip.dataset.digest));
}

/** Whether a frame asked for something, rather than the page itself. */
function isOfPreview(request) {
  try {
    return request.frame().parentFrame() !== null && request.failure()?.errorText === "net::ERR_ABORTED";
  } catch {
    return false;
  }
}

/** What goes wrong in a page, as sentences; the list grows while the page lives. */
function collectTroubles(context, page, origins = [new URL(url).origin]) {
  const troubles = [];
  context.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    const local = protocol === "blob:" || protocol === "data:";
    if (!origins.includes(asked) && !local) troubles.push(`asked another origin: ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    // A dialog that is closed takes its preview with it.
    if (isOfPreview(request)) return;
    troubles.push(`request failed: ${request.url()} (${request.failure()?.errorText})`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) troubles.push(`answer ${response.status()}: ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`error in the page: ${error.stack ?? error}`));
  return troubles;
}
