// A node more, and far fewer deadlines are met: `edf[elastic=true]` in one of twenty draws. Found, shown and explained.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idle, setRuns } from "../page.mjs";
import { ended, withApp } from "./lib.mjs";
import { native, setGoal, setSeeds, startStudy, studyEnded, varyNodes } from "./studies.mjs";

/** What the page is set to below. */
const document = {
  elastiplan: 1,
  jobs: { generated: { generator: "elasticflow", jobs: 150, interarrival_s: 900 } },
  curves: { published: "elasticflow-a100" },
  cluster: { nodes: 16, gpus_per_node: 8 },
  policies: ["edf[elastic=true]", "elasticflow"],
  study: {
    axes: { "cluster.nodes": { from: 2, to: 12, step: 1 } },
    seeds: Array.from({ length: 20 }, (_, seed) => seed),
    goals: [{ metric: "deadline_satisfactory_ratio", at_least: 0.8 }],
  },
};

test("seed 8: 4 nodes meet 14% of the deadlines, 3 meet 80%", async () => {
  const { reversals } = JSON.parse(native({ ...document, policies: document.policies.slice(0, 1) }, "--format", "json"));
  const told = reversals.find(({ policy }) => policy === "edf[elastic=true]");
  assert.deepEqual(
    [told.worst_seed, told.axes, told.worse_than, Math.round(told.value * 100), Math.round(told.neighbour_value * 100)],
    [8, { "cluster.nodes": 4 }, { "cluster.nodes": 3 }, 14, 80],
  );
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByRole("button", { name: "Generate a workload" }).click();
    const generate = page.locator(".generate");
    await generate.getByLabel("Jobs", { exact: true }).fill("150");
    await generate.getByLabel("Mean gap, s").fill("900");
    await generate.getByLabel("Seed").fill("0");
    await generate.getByRole("button", { name: "Generate 150 jobs" }).click();
    await ended(page, { before });
    await setRuns(page, ["edf", "elasticflow"]);
    await page.getByRole("button", { name: /^A edf/ }).click();
    await page.getByLabel("elastic", { exact: true }).check();
    await idle(page);

    await varyNodes(page, { from: 2, to: 12 });
    await setSeeds(page, "20");
    await setGoal(page, "Deadlines met", 80);
    await startStudy(page);
    await studyEnded(page);

    // Found and shown: which seed, at which sizes, how much.
    const worse = page.getByRole("region", { name: "Got worse" });
    const one = worse.locator(".st-worse-one").filter({ hasText: "in seed 8: 14% with 4 nodes, 80% with 3 nodes" });
    await one.waitFor();
    await page.getByRole("img", { name: "Got worse in seed 8" }).first().waitFor();
    // Explained: from when on, which job, in the words of the command line.
    await one.getByRole("button", { name: "See why" }).click();
    for (const sentence of told.why) await one.getByText(sentence).waitFor();
    // Opened: the two runs, with what differs.
    await one.getByRole("button", { name: "Open 3 and 4 side by side" }).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-digest]").length === 2);
    await page.getByRole("group", { name: "From the study" }).getByText("3 nodes and 4 nodes, seed 8").waitFor();
    await page.getByRole("heading", { name: "With 4 nodes instead of 3, edf meets 14.0% of deadlines, 80.0% before" }).waitFor();
    await page.getByText("Nodes 3 → 4").waitFor();
  });
});
