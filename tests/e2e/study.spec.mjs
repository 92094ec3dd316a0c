// A study on the page: from dropped files to an answer, from a point to its run, and the same as the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cli, digests, handOverAndRun, samplePolicies, withApp } from "./lib.mjs";
import { rows, sampleFiles } from "./native.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const METRIC = "deadline_satisfactory_ratio";

test("a study of dropped files answers as the command line does, and its points are runs", async () => {
  const files = sampleFiles(7);
  await withApp(async (page) => {
    await handOverAndRun(page, [files.jobs, ...files.curves]);
    await page.keyboard.press("3");
    const first = page.getByRole("button", { name: /^Vary nodes/ });
    const [, from, to] = /(\d+) to (\d+)/.exec(await first.innerText());
    await first.click();
    await page.getByText(/^All \d+ points settled$/).waitFor({ timeout: 120_000 });
    assert.deepEqual(await violations(page), []);

    const native = study(files, Number(from), Number(to));
    const table = await saved(page);
    assert.equal(table.length, native.points.length);
    for (const row of table) {
      const own = native.points.find((point) => sameRun(point, row));
      assert.equal(Number(row[METRIC]), Number(own.mean), `${row.policy} at ${row["cluster.nodes"]} nodes`);
    }
    const answer = await page.getByRole("region", { name: "Answer" }).getByRole("heading").innerText();
    const smallest = samplePolicies.map((policy) => smallestThatMeets(table, policy)).filter(Boolean);
    for (const nodes of smallest) assert.match(answer, new RegExp(`\\b${nodes}\\b`));

    // A point becomes a run, with the digest that the command line has for it.
    const at = async () => /^At (\d+) nodes?$/.exec(await page.getByRole("heading", { name: /^At / }).innerText())[1];
    const one = await at();
    await page.getByRole("button", { name: /^Open in Compare/ }).click();
    await page.getByRole("group", { name: "From the study" }).waitFor();
    await opened(page, native, [one]);
    await page.getByRole("group", { name: "From the study" }).getByRole("button", { name: "Back" }).click();

    // The arrow keys move; a second point is opened beside the first.
    await page.locator(".st-body").waitFor();
    await page.keyboard.press(one === to ? "ArrowLeft" : "ArrowRight");
    const other = await at();
    assert.notEqual(other, one);
    await page.keyboard.press("Shift+Enter");
    await opened(page, native, [one, other]);
  });
});

/** Waits until runs with these numbers of nodes are shown, with digests that the command line has for them too. */
async function opened(page, native, nodes) {
  const wanted = nodes.map((count) => native.runs.filter((run) => run["cluster.nodes"] === count).map((run) => run.digest));
  await page.waitForFunction((wanted) => {
    const shown = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
    return wanted.every((digests) => digests.some((digest) => shown.includes(digest)));
  }, wanted);
  if (nodes.length > 1) assert.equal((await digests(page)).length, nodes.length, "two are side by side");
}

/** The same study, made natively: what is known of each point, and the digest of each run. */
function study({ jobs, curves }, from, to) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  const document = {
    elastiplan: 1,
    jobs: { file: jobs },
    curves: { files: curves },
    cluster: { nodes: 16, gpus_per_node: 8 },
    policies: samplePolicies,
    study: {
      axes: { "cluster.nodes": { from, to, step: 2 } },
      goals: [{ metric: METRIC, at_least: 0.95 }],
    },
  };
  const path = join(folder, "study.json");
  writeFileSync(path, JSON.stringify(document));
  execFileSync(cli, ["study", path, "--out", join(folder, "out"), "--format", "json"], { maxBuffer: 1 << 28 });
  const table = (name) => rows(readFileSync(join(folder, "out", name), "utf8"));
  return { points: table("points.csv").filter((point) => point.metric === METRIC), runs: table("runs.csv") };
}

/** The table of the page, saved as a file. */
async function saved(page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  return rows(readFileSync(await (await download).path(), "utf8"));
}

function sameRun(one, other) {
  return one.policy === other.policy && one["cluster.nodes"] === other["cluster.nodes"];
}

/** The smallest size from which on a policy meets the goal. */
function smallestThatMeets(table, policy) {
  const own = table.filter((row) => row.policy === policy);
  const last = own.findLastIndex((row) => row.goals !== "meets");
  return own[last + 1]?.["cluster.nodes"];
}

/** What axe finds. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}
