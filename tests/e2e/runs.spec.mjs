// The list of runs: runs that differ in a field, before and after, many policies at once, presets and files that run
// when they are chosen, and curves that come one after the other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { addRun, ended, file, handOver, listed, pressRun, region, setRuns, withApp } from "./lib.mjs";

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

test("runs are ordered by dragging, by keys again and again, and by the menu, and each move is said", async () => {
  await withApp(async (page) => {
    const [a, b, c] = await ended(page);
    const said = page.locator(".rail [aria-live]");
    const rows = page.locator(".run-row");
    await rows.nth(0).dragTo(rows.nth(2));
    await said.filter({ hasText: "fixed is now C, 3 of 3" }).waitFor({ state: "attached" });
    assert.deepEqual(await ended(page), [b, c, a], "nothing runs again");
    await page.getByRole("button", { name: /^C fixed/ }).focus();
    for (const words of ["fixed is now B, 2 of 3", "fixed is now A, 1 of 3: the baseline"]) {
      await page.keyboard.press("Alt+ArrowUp");
      await said.filter({ hasText: words }).waitFor({ state: "attached" });
      await page.locator(".run-main:focus", { hasText: "fixed" }).waitFor();
    }
    assert.deepEqual(await ended(page), [a, b, c]);
    await pressRun(page, "Move down", "A");
    await page.getByRole("button", { name: /^B fixed/ }).waitFor();
    await pressRun(page, "Make it the baseline", "C");
    assert.deepEqual((await listed(page)).map(([, name]) => name), ["elastic-dp", "equal-share", "fixed"]);
  });
});

for (const [colorScheme, width] of [["light", 1440], ["dark", 390]]) {
  test(`the menu of a run: ${colorScheme}, ${width} px`, async () => {
    await withApp(async (page) => {
      await ended(page);
      if (width < 720) await page.getByRole("button", { name: "Inputs", exact: true }).click();
      await page.getByRole("button", { name: /^C elastic-dp/ }).focus();
      const button = page.getByRole("button", { name: "Menu of C" });
      for (let press = 0; press < 5 && !(await button.evaluate((button) => button.matches(":focus"))); press += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const menu = page.getByRole("list", { name: "What to do with C" });
      await menu.waitFor();
      const { left, top, right, bottom } = await menu.evaluate((menu) => menu.getBoundingClientRect().toJSON());
      assert.ok(left >= 0 && top >= 0 && right <= width && bottom <= 900, `${[left, top, right, bottom]}`);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "detached" });
      await page.locator(".run-more:focus").waitFor();
      await pressRun(page, "Rename", "C");
      await page.locator("input:focus").and(page.getByRole("textbox", { name: "Name", exact: true })).waitFor();
      await page.keyboard.type("as today");
      await page.getByRole("button", { name: /^C as today elastic-dp/ }).waitFor();
      await pressRun(page, "Only this", "C");
      await page.getByText("2 runs shown, 1 hidden").waitFor();
      await page.getByRole("button", { name: "Show all" }).click();
      await pressRun(page, "Remove", "C");
      await page.getByText("2 runs", { exact: true }).waitFor();
    }, { colorScheme, viewport: { width, height: 900 } });
  });
}

test("six runs of own files fit beside the fields, each in one row", async () => {
  await withApp(async (page) => {
    await handOver(page, [jobsOf("bert", 20), curvesOf("bert")]);
    for (const policy of ["tiresias", "edf", "elasticflow"]) await addRun(page, policy);
    await ended(page, { count: 6 });
    await pressRun(page, "Duplicate", "C");
    await pressRun(page, "Remove", "A");
    const alike = await ended(page, { count: 6 });
    await page.getByRole("button", { name: /^C elastic-dp/ }).click();
    await page.getByLabel("C: differs in").selectOption({ label: "Nodes" });
    await page.getByLabel("C: Nodes", { exact: true }).fill("20");
    await page.getByRole("button", { name: /^C elastic-dp.*20 nodes/ }).click();
    // The run with 20 nodes is made a little after the last key; what it replaces is pale until then.
    await digestChanged(page, 2, alike[2]);
    await ended(page, { count: 6 });
    const rail = page.locator(".rail-scroll");
    const [needed, room] = await rail.evaluate((rail) => [rail.scrollHeight, rail.clientHeight]);
    assert.ok(needed <= room, `${needed} px in ${room}`);
    const heights = await page.locator(".run-row").evaluateAll((rows) => rows.map((row) => row.offsetHeight));
    assert.deepEqual(heights, [40, 40, 40, 40, 40, 40]);
    // The ways to load are folded, and come back when they are asked for.
    await page.locator(".card-row", { hasText: "jobs.csv" }).waitFor();
    assert.equal(await page.getByText("Availability log", { exact: true }).isVisible(), false);
    await page.locator(".ways > summary", { hasText: "Replace" }).click();
    await page.getByText("Availability log", { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
  }, { viewport: { width: 1440, height: 900 } });
});

test("names of 200 letters and of right-to-left scripts keep rows and page in shape", async () => {
  for (const width of [1440, 390]) {
    await withApp(async (page) => {
      await ended(page);
      if (width < 720) await page.getByRole("button", { name: "Inputs", exact: true }).click();
      for (const [badge, name] of [["B", "a rather long name ".repeat(12).slice(0, 200)], ["C", "مجدول مرن للتدريب"]]) {
        await pressRun(page, "Rename", badge);
        await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
        await page.locator(".run-name-text", { hasText: name.trim() }).waitFor();
        await page.getByRole("button", { name: new RegExp(`^${badge} `) }).first().click();
      }
      const rows = await page.locator(".run-row").evaluateAll((rows) => rows.map((row) => [row.offsetHeight, row.scrollWidth - row.clientWidth]));
      assert.ok(rows.every(([height, over]) => height === rows[0][0] && over <= 0), JSON.stringify(rows));
      const direction = await page.locator(".run-name-text").nth(2).evaluate((name) => getComputedStyle(name).direction);
      assert.equal(direction, "rtl");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
      assert.deepEqual(await violations(page), []);
    }, { viewport: { width, height: 900 } });
  }
});

test("runs with another trace, another seed and another end say what can be compared", async () => {
  await withApp(async (page) => {
    await ended(page);
    await setRuns(page, ["fixed", "elastic-dp"]);
    await differ(page, "B", "Seed", "9");
    await page.getByText("elastic-dp with seed 9 has another seed than the baseline: part of the difference is chance").waitFor();
    await differ(page, "B", "End simulation after", "2");
    await page.getByText(/^elastic-dp with .* ends at 2h, the baseline at .*: differences are not shown$/).waitFor();
    await pressRun(page, "Pin as baseline", "A");
    await page.getByLabel("Job trace", { exact: true }).setInputFiles([jobsOf("bert", 20), curvesOf("bert")]);
    await page.getByRole("button", { name: /^A fixed.*other jobs/ }).waitFor();
    await page.getByText(/^What changed: Other jobs: only totals are compared/).waitFor();
    await page.getByRole("heading", { name: "These runs have different jobs: 48 and 20" }).waitFor();
    await page.getByText("fixed ran 20 other jobs, the baseline 48: differences are not shown").waitFor();
  });
});

test("fifty runs: all are made, the list scrolls by itself, the fields stay near, and the table has them all", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("button", { name: "Add a policy" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a policy" });
    const policies = ["tiresias", "edf", "shortest-first", "themis", "optimus", "gandiva", "chronus", "elasticflow", "equal-share", "elastic-dp", "fixed"];
    for (let at = 0; at < 47; at += 1) await dialog.locator(`#add-${policies[at % policies.length]}`).click();
    await page.keyboard.press("Escape");
    const before = await ended(page, { count: 50 });
    assert.equal((await listed(page)).at(-1)[0], "50");
    // The fields are at hand, and used while all runs are made anew.
    const nodes = page.getByLabel("Nodes", { exact: true });
    const box = await nodes.boundingBox();
    assert.ok(box.y + box.height < 900, `the field of nodes is ${box.y} px down`);
    await nodes.fill("12");
    await page.locator(".run-row").nth(49).scrollIntoViewIfNeeded();
    await page.getByLabel("GPUs per node", { exact: true }).fill("4");
    await ended(page, { count: 50, before });
    await page.locator(".status", { hasText: "50 runs finished" }).waitFor();
    const rows = page.getByRole("table", { name: "Metrics" }).locator("tbody tr");
    assert.equal(await rows.count(), 50);
    const numbers = await rows.evaluateAll((rows) => rows.map((row) => row.cells[1].innerText.trim()));
    assert.ok(numbers.every((text) => /\d/.test(text)), numbers.join(" "));
    await rows.nth(49).scrollIntoViewIfNeeded();
    assert.ok((await rows.nth(49).boundingBox()).y < 900);
    await page.locator(".panel summary", { hasText: /^\d+ more notes?$/ }).waitFor();
    await pressRun(page, "Only this", "50");
    await page.getByText("2 runs shown, 48 hidden").waitFor();
    await page.waitForFunction(() => document.querySelectorAll("[data-digest]").length === 2);
  }, { viewport: { width: 1440, height: 900 } });
});

/** A run gets another value of a field than the others. */
async function differ(page, badge, label, value) {
  const row = page.getByRole("button", { name: new RegExp(`^${badge} `) }).first();
  await row.click();
  await page.getByLabel(`${badge}: differs in`).selectOption({ label });
  await page.getByLabel(`${badge}: ${label}`).first().fill(value);
  await page.keyboard.press("Enter");
  await row.click();
}

/** Curves of one model. */
function curvesOf(model) {
  return file("curves.csv", `model,gpus,samples_per_s\n${model},1,100\n${model},2,190\n${model},4,340\n`);
}

/** So many jobs of one model. */
function jobsOf(model, count) {
  const rows = Array.from({ length: count }, (_, at) => `job-${at},${60 * at},${model},2,${90_000 + 1000 * at}`);
  return file("jobs.csv", `job_id,submit_s,model,gpus,samples\n${rows.join("\n")}\n`);
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
