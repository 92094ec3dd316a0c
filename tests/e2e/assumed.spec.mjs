// What a trace lacks: jobs without curves run by a law, deadlines and models are drawn, and all of it is named.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { addRun, digests, file, handOver, openMoreFields, samplePolicies, withApp } from "./lib.mjs";
import { rows, simulate, written } from "./native.mjs";

const jobs = file("week.csv", [
  "job,submit_time_s,duration_s,num_gpus",
  ...Array.from({ length: 40 }, (_, at) => `job-${at},${at * 300},${900 + (at * 7919) % 7000},${[1, 2, 4, 8, 16][at % 5]}`),
].join("\n"));
const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\nbert,8,600\nbert,16,900\n");

test("a trace without curves and deadlines runs by a law, with drawn deadlines", async () => {
  await withApp(async (page) => {
    await handOver(page, [jobs]);
    const lacking = page.getByRole("region", { name: "What the data do not say" });
    await lacking.getByText("40 jobs have no curve: left out").waitFor();
    await page.getByText("choose a law for their speed").first().waitFor();
    await lacking.getByLabel("Speed without a curve").selectOption("Amdahl");
    await lacking.getByText("40 jobs run by Amdahl, 5% serial").waitFor();
    await settled(page, ["--law", "amdahl:0.05"]);
    await addRun(page, "elasticflow");
    const policies = [...samplePolicies, "elasticflow"];
    const byLaw = await settled(page, ["--law", "amdahl:0.05"], { policies });

    await lacking.getByLabel("Serial share, %").fill("20");
    await lacking.getByText("40 jobs run by Amdahl, 20% serial").waitFor();
    const serial = await settled(page, ["--law", "amdahl:0.2"], { policies });
    assert.ok(serial.every((digest, at) => digest !== byLaw[at] || at === 0), "fixed runs as in the trace");
    await lacking.getByText("40 jobs without a deadline").waitFor();
    await lacking.getByLabel("Missing deadlines").selectOption("Drawn");
    await lacking.getByText("Drawn for 40 jobs, seed 3").waitFor();
    const drawn = await settled(page, ["--law", "amdahl:0.2", "--deadlines", "0.5..1.5"], { policies });
    assert.notEqual(drawn.at(-1), serial.at(-1), "elasticflow declines jobs by their deadlines");

    await lacking.getByLabel("Tightness to").fill("3");
    await settled(page, ["--law", "amdahl:0.2", "--deadlines", "0.5..3"], { policies });
    await openMoreFields(page);
    await page.getByLabel("Seed", { exact: true }).fill("4");
    await lacking.getByText("Drawn for 40 jobs, seed 4").waitFor();
    await settled(page, ["--law", "amdahl:0.2", "--deadlines", "0.5..3", "--seed", "4"], { policies });

    // Named in the table of jobs, in the story of one, and in what is saved.
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Jobs" }).click();
    const row = page.locator(".jobs-table tbody tr").filter({ hasText: /^job-7/ }).first();
    assert.match(await row.innerText(), /unknown by amdahl:0\.2/);
    assert.match(await row.innerText(), /, drawn/);
    await row.getByRole("button", { name: "job-7" }).click();
    await page.getByText("Assumed: speed by amdahl:0.2; deadline drawn").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "jobs.csv" }).click(),
    ]);
    const saved = rows(readFileSync(await download.path(), "utf8"));
    assert.deepEqual(new Set(saved.map((row) => row.assumed)), new Set(["speed by amdahl:0.2; deadline drawn"]));
  }, { acceptDownloads: true });
});

test("models are drawn from loaded curves", async () => {
  await withApp(async (page) => {
    await handOver(page, [jobs, curves]);
    const lacking = page.getByRole("region", { name: "What the data do not say" });
    await lacking.getByText("40 jobs without a model").waitFor();
    await lacking.getByLabel("Missing models").selectOption("Drawn from the curves");
    await lacking.getByText("Drawn for 40 jobs, seed 3").waitFor();
    await settled(page, ["--models", "curves"], { files: [curves] });
    await lacking.getByLabel("Missing models").selectOption("Drawn from a mix");
    assert.equal(await lacking.getByLabel("Mix").inputValue(), "bert:1");
    await lacking.getByLabel("Mix").fill("bert:1,");
    await lacking.getByText("Models with weights: resnet50:3,bert:1").waitFor();
    await lacking.getByLabel("Missing models").selectOption("None");
    await lacking.getByLabel("Speed without a curve").selectOption("Measured: bert");
    await lacking.getByText("40 jobs run by the curve of bert").waitFor();
    await settled(page, ["--law", "like:bert"], { files: [curves] });
  });
});

test("a study varies the law and how tight deadlines are", async () => {
  await withApp(async (page) => {
    await handOver(page, [jobs]);
    const lacking = page.getByRole("region", { name: "What the data do not say" });
    await lacking.getByLabel("Speed without a curve").selectOption("Linear");
    await settled(page, ["--law", "linear"]);
    await lacking.getByRole("button", { name: "vary law" }).press("Enter");
    await page.getByRole("button", { name: "fix law" }).waitFor();
    await lacking.getByText("rigid").first().waitFor();
  });
});

/** Waits until the runs are those of the command line. */
async function settled(page, options, inputs) {
  const expected = natively(options, inputs);
  await page.waitForFunction((expected) => {
    const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
    return JSON.stringify(now) === JSON.stringify(expected);
  }, expected);
  return digests(page);
}

/** The digests of the command line. */
function natively(options, { files = [], policies = samplePolicies } = {}) {
  const seed = options.includes("--seed") ? [] : ["--seed", "3"];
  const [jobsPath, ...curvePaths] = written(jobs, ...files);
  const { runs } = simulate({ jobs: jobsPath, curves: curvePaths }, policies, { options: [...options, ...seed] });
  return policies.map((policy) => runs[policy].digest);
}
