// A study that is interrupted goes on where it was: no run is made twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, url, withPage } from "./lib.mjs";
import { counts, keptRuns, progress, setSeeds, startStudy, studyEnded, varyNodes } from "./studies.mjs";

/** Opens the page with the study of the sample, of 25 sizes with 3 policies and 40 seeds; nothing runs yet. */
async function openStudy(page) {
  await page.goto(url);
  await ended(page);
  await page.locator('aside[aria-label="Results"] a[href*="docs/metrics.html"]').first().waitFor({ state: "attached" });
  await varyNodes(page, { from: 8, to: 32 });
  await setSeeds(page, "40");
}

/** Opens the study that was left, in another page. */
async function reopenStudy(page) {
  await page.goto(url);
  await page.locator(".status .said", { hasText: "Opened as you left it" }).waitFor();
  await page.getByRole("button", { name: "Study", exact: true }).first().click();
  for (const name of ["Nodes 8 to 32, step 1", "Seeds 40"]) await page.getByRole("button", { name, exact: true }).waitFor();
}

/** Waits until so many runs are there. */
async function runsThere(page, least) {
  await page.waitForFunction((least) => {
    const words = document.querySelector(".st-runs")?.innerText.replaceAll(",", "") ?? "";
    return Number(/^\d+/.exec(words)?.[0] ?? 0) >= least;
  }, least);
}

/** Waits until the study is over and its runs are written, and checks that each of them was made once. */
async function checkMadeOnce(page, runsBefore) {
  await studyEnded(page);
  const { runs, wanted, kept } = await counts(page);
  assert.equal(runs, wanted);
  assert.equal(kept, runsBefore, "the runs of before were used");
  await page.locator(".st-kept").getByText(`${runs.toLocaleString("en")} runs (`).waitFor();
  const there = await keptRuns(page);
  assert.equal(there.runs, runs, "each has a key of its own");
  assert.equal(there.written, runs, "none was made and written twice");
}

test("stopped and started again in another page, no run is made twice", async () => {
  await withPage(async (page) => {
    await openStudy(page);
    await startStudy(page);
    await runsThere(page, 100);
    await progress(page).getByRole("button", { name: "Stop and keep" }).click();
    await studyEnded(page);
    const stopped = await counts(page);
    assert.ok(stopped.runs < stopped.wanted, JSON.stringify(stopped));
    // Those that were being made are written as well.
    await page.waitForFunction((least) => {
      const words = document.querySelector(".st-kept")?.innerText.replaceAll(",", "") ?? "";
      return Number(/^\d+/.exec(words)?.[0] ?? 0) >= least;
    }, stopped.runs);
    const another = await page.context().newPage();
    await page.close();
    await reopenStudy(another);
    const { written } = await keptRuns(another);
    assert.ok(written >= stopped.runs, `${written} of ${stopped.runs} runs were written`);
    await startStudy(another);
    await checkMadeOnce(another, written);
  });
});

test("a page that is closed in the middle leaves what was written, and no run of it is made again", async () => {
  await withPage(async (page) => {
    // It is there before, so that the study does not end while it is made.
    const another = await page.context().newPage();
    await openStudy(page);
    await startStudy(page);
    await runsThere(page, 200);
    await page.close();
    await reopenStudy(another);
    const { written } = await keptRuns(another);
    assert.ok(written > 0 && written < 3000, `${written} runs were written`);
    await startStudy(another);
    await checkMadeOnce(another, written);
  });
});
