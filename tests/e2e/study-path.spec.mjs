// The whole way of a study in one go: jobs dropped, a goal typed, the answer read, its point opened, two points compared,
// and the table saved. Once with a trace that is made up, once with a public one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { noDataPack, realFiles } from "../data-pack.mjs";
import { idle } from "../page.mjs";
import { digests, ended, file, handOver, handOverAndRun, samplePolicies, withApp } from "./lib.mjs";
import { sampleFiles } from "./native.mjs";
import { savedRows, setGoal, setSeeds, startStudy, studyEnded, varyNodes } from "./studies.mjs";

const METRIC = "deadline_satisfactory_ratio";

test("made-up jobs: from the drop to the saved table", async () => {
  const { jobs, curves } = sampleFiles(11);
  await withApp(async (page) => {
    await handOverAndRun(page, [jobs, ...curves]);
    await wholeWay(page, { nodes: { from: 8, to: 32, step: 4 }, goal: 80 });
  });
});

test("a public trace: from the drop to the saved table", { skip: noDataPack }, async () => {
  const { jobs, curves } = realFiles("195job.csv");
  const named = (path) => file(basename(path), readFileSync(path, "utf8"));
  await withApp(async (page) => {
    await ended(page);
    await handOver(page, curves.map(named), "Throughput curves");
    await idle(page);
    const before = await digests(page);
    await handOver(page, [named(jobs)]);
    await ended(page, { before });
    await wholeWay(page, { nodes: { from: 8, to: 24, step: 8 }, goal: 60 });
  });
});

/** The way, of a page whose jobs stand. */
async function wholeWay(page, { nodes, goal }) {
  await varyNodes(page, nodes);
  await setSeeds(page, "5");
  await setGoal(page, "Deadlines met", goal);
  await startStudy(page);
  await studyEnded(page);

  // The answer: each policy with the smallest size from which on the table says that it meets the goal.
  const table = await savedRows(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
  const sizes = [];
  for (let size = nodes.from; size <= nodes.to; size += nodes.step) sizes.push(String(size));
  assert.deepEqual(table.map((row) => row["cluster.nodes"]), sizes.flatMap((size) => samplePolicies.map(() => size)));
  assert.deepEqual(table.map((row) => row.policy), sizes.flatMap(() => samplePolicies));
  assert.ok(table.every((row) => Number(row[METRIC]) >= 0 && Number(row[METRIC]) <= 1 && Number(row.seeds) >= 1));
  const answer = await page.getByRole("region", { name: "Answer" }).innerText();
  assert.match(answer, new RegExp(`\\b${goal}% of deadlines`));
  for (const policy of samplePolicies) {
    const of = table.filter((row) => row.policy === policy);
    const smallest = of[of.findLastIndex((row) => row.goals !== "meets") + 1];
    if (smallest) assert.match(answer, new RegExp(`\\b${smallest["cluster.nodes"]}\\b`), `${policy}: ${answer}`);
  }

  // The point that is looked at is opened as a run, and the page goes back to it.
  const looked = () => page.getByRole("heading", { name: /^At \d+ nodes?$/ }).innerText();
  const first = await looked();
  await page.getByRole("button", { name: /^Open in Compare/ }).click();
  const group = page.getByRole("group", { name: "From the study" });
  await group.getByText(first.replace("At ", "")).waitFor();
  await group.getByRole("button", { name: "Back" }).click();

  // A second one stands beside it, and Compare says what differs.
  await page.locator(".st-body").waitFor();
  await page.keyboard.press(first === `At ${nodes.to} nodes` ? "ArrowLeft" : "ArrowRight");
  const second = await looked();
  assert.notEqual(second, first);
  await page.keyboard.press("Shift+Enter");
  await page.waitForFunction(() => document.querySelectorAll("[data-digest]").length === 2);
  const both = [first, second].map((words) => Number(/\d+/.exec(words)[0]));
  const words = await group.innerText();
  assert.ok(both.every((size) => words.includes(String(size))), words);
  await page.getByText(`Nodes ${both[0]} → ${both[1]}`).waitFor();
}
