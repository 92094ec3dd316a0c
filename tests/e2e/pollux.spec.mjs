// Pollux's own files: a folder of measured profiles and a workload, its policies, and what a training did over time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, region, withApp } from "./lib.mjs";
import { inDataPack, noDataPack } from "../data-pack.mjs";
import { simulate } from "./native.mjs";

const jobs = inDataPack("pollux/workloads/workload-1.csv");
const folder = inDataPack("pollux/traces");
const rivals = ["tiresias", "optimus"];

test("profiles in a folder and a workload: load, run, compare", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    const box = (name) => page.getByRole("checkbox", { name, exact: true });
    const before = await ended(page);
    await page.getByLabel("Folder", { exact: true }).setInputFiles(folder);
    await page.getByText("6 curves loaded. Drop the job trace that uses them to run it").first().waitFor();
    for (const policy of ["equal-share", "elastic-dp"]) await box(policy).uncheck();
    for (const policy of [...rivals, "pollux"]) await box(policy).check();
    await box("fixed").uncheck();
    await page.getByLabel("GPUs per node", { exact: true }).fill("4");
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
    for (const policy of [...rivals, "pollux"]) await region(page, policy).waitFor();
    await ended(page, { before });
    await page.locator(".status", { hasText: "3 runs finished" }).waitFor({ timeout: 60_000 });

    // The same numbers as on the command line.
    const native = simulate({ jobs, curves: [folder] }, rivals, { nodes: 16, gpusPerNode: 4 });
    for (const policy of rivals) {
      assert.equal(await region(page, policy).getAttribute("data-digest"), native.runs[policy].digest, policy);
    }

    // The first job, of which everything is known over time.
    await page.getByRole("heading", { level: 1 }).first().click();
    await page.keyboard.press("m");
    const story = page.getByRole("region", { name: /^Story of / });
    const choice = story.getByRole("combobox", { name: "Over time" });
    await choice.waitFor();
    const offered = await choice.locator("option").allInnerTexts();
    for (const title of ["Goodput, samples/s", "Statistical efficiency, %", "Batch size, samples", "Noise scale, samples"]) {
      assert.ok(offered.includes(title), offered.join());
      await choice.selectOption({ label: title });
      await story.getByRole("region", { name: new RegExp(`: ${title}$`) }).waitFor();
    }
    assert.match(await story.innerText(), /Batch size \d/);
  }, { viewport: { width: 1440, height: 1200 } });
});
