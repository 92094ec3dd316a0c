// Scenarios that are built in, workloads that are drawn, and one policy with two settings.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { cli, ended, listed, openMoreFields, pressRun, samplePolicies, withApp } from "./lib.mjs";

const FIGURE = "elasticflow-11";

test("a preset stands beside its paper, with the numbers of the command line", async () => {
  const run = JSON.parse(execFileSync(cli, ["run", FIGURE, "--format", "json"], { maxBuffer: 1 << 28 }));
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByLabel("Presets").selectOption(FIGURE);
    // It runs by itself, all six policies at once.
    const digests = await ended(page, { count: 6, before });
    const table = page.getByRole("table", { name: "The paper beside ours" });
    const text = await table.innerText();
    const [first] = run.seeds;
    for (const { policy, metrics } of first.runs) {
      const ours = `${(metrics.deadline_satisfactory_ratio * 100).toFixed(1)}%`;
      assert.ok(text.includes(ours), `${policy}: ${ours} in\n${text}`);
    }
    assert.match(text, /19\.0%/);
    assert.deepEqual(digests, first.runs.map((run) => run.digest));
    // A paper says nothing about inputs that were changed.
    await openMoreFields(page);
    await page.getByLabel("Seed", { exact: true }).fill("1");
    await runs(page, { count: 6, before: digests });
    assert.equal(await table.count(), 0);
  });
});

test("jobs are drawn as asked for, and what cannot be is explained", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByRole("button", { name: "Draw a workload" }).click();
    await page.getByLabel("Jobs", { exact: true }).fill("0");
    await page.getByText("Whole number from 1 to 100,000. 1000 is used").waitFor();
    await page.getByLabel("Jobs", { exact: true }).fill("30");
    await page.getByLabel("Loosest deadline").fill("0.3");
    await page.getByText("Loosest deadline: 0.3 is not at least Tightest deadline, which is 0.5").waitFor();
    await page.getByRole("button", { name: "Draw 30 jobs" }).click();
    await ended(page, { before });
    assert.match(await page.locator(".scenario-name").innerText(), /Drawn by elasticflow, 30 jobs/);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    assert.deepEqual(await ended(page), before);
  });
});

test("one policy is compared with itself under other settings", async () => {
  await withApp(async (page) => {
    await ended(page);
    await pressRun(page, "Duplicate", "C");
    await page.getByRole("button", { name: /^D elastic-dp/ }).click();
    await page.getByLabel("delta_s").fill("60");
    await ended(page, { count: 4 });
    await page.getByRole("button", { name: /^D elastic-dp delta 1m 00s/ }).waitFor();
    assert.deepEqual((await listed(page)).map(([, name]) => name), [...samplePolicies, "elastic-dp"]);
    await pressRun(page, "Remove", "D");
    await ended(page);
  });
});

/** Runs what is set, however long the runs before took, and waits for the end. */
async function runs(page, wanted) {
  await page.getByRole("button", { name: /^Run/ }).click();
  return ended(page, wanted);
}
