// A study on the page: from dropped files to an answer, from a point to its run, and the same as the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { cli, ended, file, handOver, handOverAndRun, samplePolicies, withApp } from "./lib.mjs";
import { rows, sampleFiles } from "./native.mjs";
import { keptRuns, native, nativeDigests } from "./studies.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const sample = new URL("../../crates/documents/presets/sample.json", import.meta.url);
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

    const made = study(files, Number(from), Number(to));
    const table = await saved(page);
    assert.equal(table.length, made.points.length);
    for (const row of table) {
      const own = made.points.find((point) => sameRun(point, row));
      assert.equal(Number(row[METRIC]), Number(own.mean), `${row.policy} at ${row["cluster.nodes"]} nodes`);
    }
    // All runs have the records that the command line makes, and none was made twice.
    await page.locator(".st-kept").getByText(`${made.digests.length.toLocaleString("en")} runs (`).waitFor();
    const { runs, written, digests } = await keptRuns(page);
    assert.deepEqual(digests, made.digests);
    assert.equal(written, runs);
    const answer = await page.getByRole("region", { name: "Answer" }).getByRole("heading").innerText();
    const smallest = samplePolicies.map((policy) => smallestThatMeets(table, policy)).filter(Boolean);
    for (const nodes of smallest) assert.match(answer, new RegExp(`\\b${nodes}\\b`));

    // A point becomes a run, with the digest that the command line has for it.
    const at = async () => /^At (\d+) nodes?$/.exec(await page.getByRole("heading", { name: /^At / }).innerText())[1];
    const one = await at();
    await page.getByRole("button", { name: /^Open in Compare/ }).click();
    await page.getByRole("group", { name: "From the study" }).waitFor();
    await opened(page, made, [one]);
    await page.getByRole("group", { name: "From the study" }).getByRole("button", { name: "Back" }).click();

    // The arrow keys move; a second point is opened beside the first.
    await page.locator(".st-body").waitFor();
    await page.keyboard.press(one === to ? "ArrowLeft" : "ArrowRight");
    const other = await at();
    assert.notEqual(other, one);
    await page.keyboard.press("Shift+Enter");
    await opened(page, made, [one, other]);
  });
});

test("a seed that got worse with more nodes is found, explained, and its two runs are opened", async () => {
  const study = { axes: { "cluster.nodes": { from: 8, to: 32, step: 2 } }, goals: [{ metric: METRIC, at_least: 0.95 }] };
  const document = { ...JSON.parse(readFileSync(sample, "utf8")), policies: samplePolicies, study };
  const report = JSON.parse(native(document, "--format", "json"));
  // The command line has every reversal with its seed; the page shows the same.
  assert.notEqual(report.reversals.length, 0);
  await withApp(async (page) => {
    await ended(page);
    await page.keyboard.press("3");
    await page.getByRole("button", { name: /^Vary nodes/ }).click();
    const worse = page.getByRole("region", { name: "Got worse" });
    await page.locator(".st-progress").getByRole("button", { name: /^(Run study|Go on)/ }).waitFor({ timeout: 240_000 });
    for (const { policy, worst_seed, seeds_reversed, axes, worse_than } of report.reversals) {
      const [more, less] = [axes, worse_than].map((point) => point["cluster.nodes"]);
      const heading = worse.getByRole("heading", { name: policy }).filter({ hasText: `in seed ${worst_seed}:` });
      assert.match(await heading.innerText(), new RegExp(`in ${seeds_reversed} of .* with ${more} nodes, .* with ${less} nodes?`));
      await page.getByRole("img", { name: `Got worse in seed ${worst_seed}` }).first().waitFor();
    }
    assert.deepEqual(await violations(page), []);

    const { policy, worst_seed, axes, worse_than } = report.reversals[0];
    const [more, less] = [axes, worse_than].map((point) => point["cluster.nodes"]);
    const entry = worse.locator(".st-worse-one").filter({ hasText: `in seed ${worst_seed}:` }).filter({ hasText: policy }).first();
    await entry.getByRole("button", { name: "See why" }).click();
    await entry.getByText(`In seed ${worst_seed}.`).waitFor();
    await entry.getByText(/^The runs part at /).waitFor();
    await entry.getByText(/ loses most: /).waitFor();
    await entry.getByText(/ is first treated differently: /).waitFor();
    await entry.getByRole("button", { name: `Open ${less} and ${more} side by side` }).click();
    const digest = (nodes) => digestOf(document, policy, worst_seed, nodes);
    const wanted = [digest(less), digest(more)];
    await page.waitForFunction((wanted) => {
      const shown = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return shown.length === 2 && wanted.every((digest) => shown.includes(digest));
    }, wanted);
    await page.getByRole("group", { name: "From the study" }).getByText(`seed ${worst_seed}`).waitFor();
  });
});

test("a recorded trace is one draw, until its days are drawn anew", async () => {
  await withApp(async (page) => {
    const files = sampleFiles(7);
    const before = await ended(page);
    await handOver(page, [file("days.csv", overDays(readFileSync(files.jobs, "utf8"))), ...files.curves.map(own)]);
    await ended(page, { before });
    await page.keyboard.press("3");
    await page.getByRole("button", { name: /^Vary nodes/ }).click();
    const notes = page.getByRole("group", { name: "Notes" });
    await notes.getByText("One draw: the jobs are the same with every seed").waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: "Resample days" }).click();
    await page.getByRole("button", { name: "Seeds 10 to 40, days" }).waitFor();
    await page.locator(".st-progress").getByRole("button", { name: /^(Run study|Go on)/ }).waitFor({ timeout: 240_000 });
    assert.equal(await page.getByRole("button", { name: "Resample days" }).count(), 0);
    assert.equal(await notes.getByText("One draw").count(), 0);
    await page.getByRole("button", { name: "Seeds 10 to 40, days" }).click();
    const seeds = page.getByRole("group", { name: "Seeds" });
    assert.equal(await seeds.getByLabel("Resample days").isChecked(), true);
    await seeds.getByLabel("Resample days").uncheck();
    await page.getByRole("button", { name: "Seeds 10 to 40", exact: true }).waitFor();
  });
});

/** The digest of one run of a study. */
function digestOf(document, policy, seed, nodes) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  native({ ...document, policies: [policy], study: { axes: { "cluster.nodes": [Number(nodes)] }, seeds: [seed] } }, "--out", folder);
  return rows(readFileSync(join(folder, "runs.csv"), "utf8"))[0].digest;
}

/** The same jobs, one every four hours, with as long a time until their deadlines. */
function overDays(text) {
  const [head, ...jobs] = text.trim().split("\n").map((line) => line.split(","));
  const [submit, deadline] = ["submit_s", "deadline_s"].map((name) => head.indexOf(name));
  const moved = jobs.map((job, at) => {
    const to = at * 4 * 3_600;
    const due = job[deadline] ? to + Number(job[deadline]) - Number(job[submit]) : "";
    return job.map((value, column) => (column === submit ? to : column === deadline ? due : value));
  });
  return [head, ...moved].map((line) => line.join(",")).join("\n");
}

/** A file with its own name. */
function own(path) {
  return file(basename(path), readFileSync(path, "utf8"));
}

/** Waits until runs with these numbers of nodes are shown, with digests that the command line has for them too. */
async function opened(page, made, nodes) {
  const wanted = nodes.map((count) => made.runs.filter((run) => run["cluster.nodes"] === count).map((run) => run.digest));
  await page.waitForFunction((wanted) => {
    const shown = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
    // Two stand side by side, the others aside; runs of other sizes may be the same.
    const isAlone = wanted.length === 1 || shown.length === wanted.length;
    return isAlone && wanted.every((digests) => digests.some((digest) => shown.includes(digest)));
  }, wanted);
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
  return { points: table("points.csv").filter((point) => point.metric === METRIC), runs: table("runs.csv"), digests: nativeDigests(document) };
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
