// Nodes that come and go: a log is dropped, capacity is seen, faults are set and undone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ended, file, handOverAndRun, samplePolicies, withApp } from "./lib.mjs";
import { rows, simulate, written } from "./native.mjs";

const jobs = file("jobs.csv", [
  "job_id,submit_s,model,gpus,samples",
  ...[0, 60, 120, 600, 900, 1800].map((submit, at) => `job-${at},${submit},bert,${1 + at % 2},${360_000 + 90_000 * at}`),
].join("\n"));
const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n");
const log = file("idle.csv", [
  "node,start_s,end_s",
  "n1,0,90000",
  "n2,0,2000",
  "n2,3000,90000",
  "n3,500,4000",
  "n4,700,90000",
].join("\n"));

test("a log beside jobs and curves: its nodes are the cluster, and every run lives with it", async () => {
  await withApp(async (page) => {
    await handOverAndRun(page, [jobs, curves, log]);
    assert.equal(await page.getByLabel("Permanent nodes").inputValue(), "0");
    assert.equal(await page.getByLabel("GPUs per node").inputValue(), "1");
    await page.getByText("from idle.csv").waitFor();
    const canvases = page.getByRole("region", { name: /^Timeline: / }).locator("canvas");
    for (const canvas of await canvases.all()) {
      assert.match(await canvas.getAttribute("aria-label"), /at most [1-4] GPUs in use, 2 to 4 there/);
      assert.equal(await canvas.getAttribute("data-gpus-top"), "4");
    }
    await assertNeverMoreThanThere(page);
    await assertNodesHaveTheirNames(page);
    const withLog = await ended(page);
    assert.deepEqual(withLog, natively({ nodes: 0, gpusPerNode: 1 }));
    await page.getByLabel("Permanent nodes").fill("2");
    const withMore = await ended(page, { before: withLog });
    assert.deepEqual(withMore, natively({ nodes: 2, gpusPerNode: 1 }));
    await page.getByRole("button", { name: "Remove the availability log" }).click();
    await page.getByLabel("Nodes", { exact: true }).waitFor();
    await ended(page, { before: withMore });
    assert.equal(await page.getByLabel("Nodes", { exact: true }).inputValue(), "16");
    await undo(page, withMore);
    await undo(page, withLog);
  }, { acceptDownloads: true });
});

test("a log alone goes with the jobs that are there, and is told of in the report", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await handOverAndRun(page, [log]);
    await ended(page, { before });
    assert.equal(await page.getByLabel("Permanent nodes").inputValue(), "0");
    await page.getByRole("button", { name: "Report on the availability log" }).click();
    await page.getByRole("heading", { name: "4 nodes come and go" }).waitFor();
    const report = await page.locator(".report").innerText();
    for (const words of ["idle.csv", "Node availability", "Nodes in the log", "Fragments", "Time covered", "1d 01h"]) {
      assert.ok(report.includes(words), `${words} in\n${report}`);
    }
    // What is done to the log is told before anything runs with it.
    const advice = await page.getByRole("row").filter({ hasText: "Availability log with 4 nodes" }).innerText();
    assert.match(advice, /idle\.csv.*It begins with the jobs, at 0 s, and lasts 90000 s\s+After its end nodes stay as they are/s);
    await undo(page, before);
  });
});

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
  test(`the report sums up a log, by keyboard: ${colorScheme}, ${width} px wide`, async () => {
    await withApp(async (page) => {
      await handOverAndRun(page, [jobs, curves, log]);
      if (width < 720) await page.getByRole("button", { name: "Inputs" }).click();
      await page.getByRole("button", { name: "Report on the availability log" }).click();
      const facts = await page.getByRole("complementary", { name: "What you get" }).innerText();
      // n2, n3 and n4 come after the first instant, n2 twice; n2 and n3 leave before the end, and all else at it.
      assert.match(facts, /Equivalent nodes\s+3\.02/);
      assert.match(facts, /Events\s+6 · 0\.24\/h/);
      assert.match(facts, /Some nodes come\s+3 · /);
      assert.match(facts, /Fragments\s+5/);
      const chart = page.getByRole("region", { name: /^Fragments of idle nodes/ });
      const picture = chart.getByRole("img", { name: /^0% of the fragments are shorter than 10 minutes/ });
      await picture.waitFor();
      await chart.getByRole("button", { name: "Show as table" }).focus();
      await page.keyboard.press("Enter");
      await chart.getByRole("row", { name: /^1h 00m/ }).waitFor();
      const choice = page.getByLabel("Chart of the log");
      await choice.focus();
      await page.keyboard.press("ArrowDown");
      await page.getByRole("region", { name: "Nodes, mean of every hour" }).waitFor();
      await choice.selectOption("events-by-period");
      await page.getByRole("region", { name: "Events in every hour" }).waitFor();
      const [room, needed] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      assert.ok(needed <= room, `${needed} px in ${room}`);
    }, { colorScheme, viewport: { width, height: 800 } });
  });
}

test("faults are set, told in a line, refused in the engine's words, and undone", async () => {
  await withApp(async (page) => {
    await handOverAndRun(page, [jobs, curves, log]);
    const before = await ended(page);
    const summary = page.locator("summary").filter({ hasText: "more: faults" });
    await summary.click();
    assert.equal(await page.getByLabel("Repair takes").count(), 0, "nothing to repair yet");
    await page.getByLabel("Node fails every").fill("1");
    await page.getByLabel("Repair takes").waitFor();
    const failing = await ended(page, { before });
    await summary.getByText("nodes fail every 1 h").waitFor();
    await page.getByLabel("Jobs that fail").fill("150");
    await page.getByText("As a share, 1.5 is not a number from 0 to 1. 0% is used").waitFor();
    await page.getByLabel("Jobs that fail").fill("100");
    const buggy = await ended(page, { before: failing });
    await page.getByRole("table", { name: "Metrics" }).getByRole("columnheader", { name: "Failed" }).waitFor();
    await page.getByLabel("Placement").selectOption("spread");
    await summary.getByText("spread placement").waitFor();
    await page.waitForTimeout(600);
    await page.getByLabel("Interference").fill("100");
    await page.getByText("As a share, 1 is not a number from 0 to below 1. 0% is used").waitFor();
    await page.getByLabel("Interference").fill("25");
    await summary.getByText("interference 25%").waitFor();
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await summary.getByText("interference 25%").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).first().click();
    await undo(page, failing);
    await undo(page, before);
    await summary.getByText("spread placement").waitFor({ state: "detached" });
    assert.notDeepEqual(buggy, failing);
  });
});

/** The digests that the command line gives on the same files. */
function natively(cluster) {
  const [jobsPath, curvesPath, availability] = written(jobs, curves, log);
  const { runs } = simulate({ jobs: jobsPath, curves: [curvesPath], availability }, samplePolicies, cluster);
  return samplePolicies.map((policy) => runs[policy].digest);
}

/** No run holds more GPUs than there are, by the page's own table of counts. */
async function assertNeverMoreThanThere(page) {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "series.csv" }).click(),
  ]);
  const counts = rows(readFileSync(await download.path(), "utf8"));
  assert.ok(counts.length > 10);
  for (const row of counts) {
    assert.ok(Number(row.gpus_in_use) <= Number(row.gpus_present), JSON.stringify(row));
  }
}

/** A step back brings these digests back. */
async function undo(page, expected) {
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.waitForFunction((expected) => {
    const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
    return now.join() === expected.join();
  }, expected);
}

/** Rows of nodes say what their log calls them. */
async function assertNodesHaveTheirNames(page) {
  const show = page.getByRole("group", { name: "What strips show" });
  await show.getByRole("button", { name: "Nodes", exact: true }).click();
  const canvas = page.locator("canvas.tl-canvas").first();
  await page.waitForFunction(() => document.querySelector("canvas.tl-canvas").dataset.detailComplete === "1" && document.querySelector("canvas.tl-canvas").clientHeight > 60);
  const box = await canvas.boundingBox();
  const [left, top] = await canvas.evaluate(({ dataset }) => [Number(dataset.plotLeft), Number(dataset.rowsTop)]);
  // The first job begins at once, on the first node.
  await page.mouse.move(box.x + left + 4, box.y + top + 3);
  await page.mouse.move(box.x + left + 6, box.y + top + 4);
  await page.locator(".tl-tip:not([hidden]) > div", { hasText: /^n1$/ }).waitFor({ timeout: 10_000 });
  await show.getByRole("button", { name: "Jobs", exact: true }).click();
}
