// The list of runs: runs that differ in a field, before and after, many policies at once, presets and files that run
// when they are chosen, and curves that come one after the other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { addRun, ended, file, handOver, listed, pressRun, region, withApp } from "./lib.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("16 nodes beside 20, of one policy", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await pressRun(page, "Duplicate", "C");
    await page.getByRole("button", { name: /^D elastic-dp/ }).click();
    await page.getByLabel("D: differs in").selectOption({ label: "Nodes" });
    await page.getByLabel("D: Nodes", { exact: true }).fill("20");
    await page.getByRole("button", { name: /^D elastic-dp.*20 nodes/ }).waitFor();
    await digestChanged(page, 3, before[2]);
    const digests = await ended(page, { count: 4 });
    assert.deepEqual(digests.slice(0, 3), before, "the others are as they were");
    // The same as with the inputs set to 20.
    await page.getByLabel("Nodes", { exact: true }).fill("20");
    const all = await ended(page, { count: 4, before });
    assert.equal(all[2], digests[3]);
    await page.locator(".run-row .chip").waitFor({ state: "detached" });
  });
});

test("before and after: a pinned run stays, the next edit puts another beside it", async () => {
  await withApp(async (page) => {
    const [, , elastic] = await ended(page);
    await pressRun(page, "Remove", "A");
    await pressRun(page, "Remove", "A");
    await pressRun(page, "Pin", "A");
    await page.getByLabel("Nodes", { exact: true }).fill("20");
    const [pinned, now] = await ended(page, { count: 2 });
    assert.equal(pinned, elastic);
    assert.notEqual(now, elastic);
    await page.getByRole("button", { name: /^A elastic-dp.*16 nodes/ }).waitFor();
    await page.getByText(/^What changed: Nodes 16 → 20\. The other \d+ fields, the jobs and the seed are the same$/).waitFor();
    await page.getByRole("button", { name: "Make 20 the baseline" }).waitFor();
    await page.getByRole("heading", { name: /^With 20 nodes instead of 16, elastic-dp meets [\d.]+% of deadlines, [\d.]+% before$/ }).waitFor();
    // Two runs stand side by side: metrics down, what changed first.
    const table = page.getByRole("table", { name: "Metrics" });
    assert.deepEqual(await texts(table.locator("thead th")), ["Metric", "A 16 nodes pinned", "B 20 nodes", "Difference"]);
    const rows = await Promise.all((await table.locator("tbody tr").all()).map((row) => texts(row.locator("th, td"))));
    assert.deepEqual(rows[0], ["Nodes changed", "16", "20", "+4"]);
    const metrics = rows.slice(1).map(([name]) => name);
    assert.equal(metrics[0], "Deadlines met");
    for (const name of ["Mean completion", "p99 completion", "Makespan", "Utilisation", "Rescales"]) assert.ok(metrics.includes(name), name);
    assert.deepEqual(rows.filter((row) => row.length !== 4 || row.some((text) => text === "")), []);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Back to 16" }).waitFor();
    await page.getByRole("button", { name: "Nodes: was 16, set back" }).click();
    assert.deepEqual(await ended(page, { count: 2, before: [now] }), [elastic, elastic]);
  });
});

test("runs are added, named, moved and taken away by keyboard, and nothing runs again", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByRole("button", { name: "Add a policy" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("least gpu time");
    const dialog = page.getByRole("dialog", { name: "Add a policy" });
    await dialog.getByRole("option", { name: /tiresias/, selected: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await dialog.getByText("1 run", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    const four = await ended(page, { count: 4 });
    assert.deepEqual(four.slice(0, 3), before);
    await page.getByRole("button", { name: /^D tiresias/ }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("button", { name: /^C tiresias/ }).waitFor();
    await page.getByRole("button", { name: /^C tiresias/ }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("as today");
    assert.deepEqual(await violations(page), []);
    assert.deepEqual((await listed(page)).map(([, name]) => name), ["fixed", "equal-share", "as today", "elastic-dp"]);
    assert.deepEqual(await ended(page, { count: 4 }), [four[0], four[1], four[3], four[2]]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("button", { name: /^C tiresias/ }).waitFor();
  });
});

test("three presses of an arrow are one step", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    const field = page.getByRole("spinbutton", { name: /^Rescale cost/ });
    await field.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowUp");
    assert.equal(await field.inputValue(), "45");
    await digestChanged(page, 2, before[2]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    assert.equal(await field.inputValue(), "30");
    assert.deepEqual(await ended(page), before);
  });
});

test("a slow preset runs by itself, and so does another after it", async () => {
  await withApp(async (page) => {
    let before = await ended(page);
    for (const [preset, count] of [["elasticflow-11", 6], ["elasticflow-6b", 6]]) {
      await page.getByLabel("Presets").selectOption(preset);
      await page.waitForFunction((before) => {
        const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
        return now.length > 3 && now.every((digest) => !before.includes(digest));
      }, before, { timeout: 120_000 });
      await page.locator(".status", { hasText: "runs finished" }).waitFor({ timeout: 120_000 });
      before = await page.locator("[data-digest]").evaluateAll((strips) => strips.map((strip) => strip.dataset.digest));
      assert.ok(before.length >= count, `${preset}: ${before.length} runs`);
    }
  });
});

test("curves dropped one after the other are all there", async () => {
  const curves = (model) => file(`${model}.csv`, `model,gpus,samples_per_s\n${model},1,10\n${model},2,19\n`);
  const models = ["gpt", "vit", "vgg", "resnet", "whisper", "dlrm"];
  await withApp(async (page) => {
    await handOver(page, models.map(curves), "Throughput curves");
    await page.getByText("6 models").first().waitFor();
    await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves("bert"));
    await page.getByText("7 models").first().waitFor();
    const before = await page.locator("[data-digest]").evaluateAll((strips) => strips.map((strip) => strip.dataset.digest));
    const rows = [...models, "bert"].map((model, at) => `${model}-1,${at},${model},1,1000`);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(file("jobs.csv", `job_id,submit_s,model,gpus,samples\n${rows.join("\n")}\n`));
    await ended(page, { before });
    await page.locator(".status", { hasText: "7 jobs, all completed" }).waitFor();
    await page.getByRole("button", { name: "Use the last file's curves only" }).click();
    await page.getByText("1 model", { exact: false }).first().waitFor();
  });
});

test("ten runs have badges, the ninth a number", async () => {
  await withApp(async (page) => {
    await ended(page);
    for (const policy of ["tiresias", "edf", "shortest-first", "themis", "optimus", "gandiva", "chronus"]) await addRun(page, policy);
    await ended(page, { count: 10 });
    assert.deepEqual((await listed(page)).map(([badge]) => badge), ["A", "B", "C", "D", "E", "F", "G", "H", "9", "10"]);
    await region(page, "chronus").waitFor();
    await pressRun(page, "Hide", "10");
    await page.getByText("9 runs shown, 1 hidden").waitFor();
  });
});

/** The texts of elements, on one line each. */
async function texts(elements) {
  return (await elements.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
}

/** Waits until a run has another record. */
async function digestChanged(page, at, before) {
  await page.waitForFunction(([at, before]) => {
    const digest = document.querySelectorAll("[data-digest]")[at]?.dataset.digest;
    return digest && digest !== before;
  }, [at, before]);
}

/** What axe finds. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}
