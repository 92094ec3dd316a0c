// The verdict follows the goal: what it names is what the numbers say, and a limit decides what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addRun, file, idle, samplePolicies as policies, withApp } from "./lib.mjs";
import { noDataPack, realFiles } from "../data-pack.mjs";
import { sampleFiles, simulate } from "./native.mjs";

test("the run that the verdict names is the best by the goal", async () => {
  await withApp(async (page) => {
    await finished(page);
    const { runs } = simulate(sampleFiles(3), policies);
    const bestBy = (key, sign) => policies.toSorted((a, b) => sign * (runs[a].metrics[key] - runs[b].metrics[key]))[0];
    for (const [goal, key, sign] of [
      ["deadlines", "deadline_satisfactory_ratio", -1],
      ["mean completion", "avg_jct_s", 1],
      ["p95 waiting", "p95_queueing_s", 1],
    ]) {
      await page.getByLabel("Goal", { exact: true }).selectOption({ label: goal });
      const headline = await page.getByRole("region", { name: "Verdict" }).getByRole("heading").textContent();
      assert.ok(headline.includes(bestBy(key, sign)), `${goal}: ${headline}, and the best is ${bestBy(key, sign)}`);
      assert.match(await words(page), /Its price: /);
    }
  });
});

test("a limit that no run keeps names the nearest and the bound; one that is none is refused", async () => {
  await withApp(async (page) => {
    await finished(page);
    const limit = page.getByLabel("Limit of the goal");
    await limit.fill("100%");
    await limit.press("Enter");
    const heading = page.getByRole("region", { name: "Verdict" }).getByRole("heading");
    assert.match(await heading.textContent(), /^No run reaches 100% of deadlines; .* comes nearest with /);
    assert.match(await words(page), /^The bound for any policy on 16 nodes is /);
    await limit.fill("plenty");
    await limit.press("Enter");
    assert.equal(await limit.getAttribute("aria-invalid"), "true");
    await limit.fill("");
    await limit.press("Enter");
    assert.match(await heading.textContent(), / of deadlines, the most of 3 runs$/);
    await page.getByLabel("Goal", { exact: true }).selectOption({ label: "cost" });
    assert.equal(await heading.textContent(), "What these runs cost is not known");
  });
});

test("a goal without data offers another, and a price of nothing says so", async () => {
  await withApp(async (page) => {
    await finished(page);
    const jobs = "job_id,submit_s,model,gpus,samples\n" + [0, 1, 2].map((at) => `job${at},${at * 60},net,2,9000`).join("\n");
    await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(file("net.csv", "model,gpus,samples_per_s\nnet,1,10\nnet,2,19\n"));
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(file("jobs.csv", jobs));
    await page.locator(".status", { hasText: "3 jobs, all completed" }).waitFor();
    await idle(page);
    await page.getByLabel("Goal", { exact: true }).selectOption({ label: "deadlines" });
    assert.equal(await headline(page), "No job has a deadline");
    assert.deepEqual(new Set(await page.locator(".run-table td.of-goal").allInnerTexts()), new Set(["—\nbaseline", "—\n—"]));
    await page.getByRole("button", { name: "Judge by mean completion" }).click();
    assert.equal(await page.getByLabel("Goal", { exact: true }).inputValue(), "avg_jct_s");
    await page.getByLabel("Goal", { exact: true }).selectOption({ label: "cost" });
    assert.equal(await headline(page), "What these runs cost is not known");
    const price = page.getByRole("textbox", { name: "Price per GPU-h" });
    await price.fill("0");
    await page.getByRole("heading", { name: "These runs cost nothing: the price is 0" }).waitFor();
    await price.fill("2");
    await page.getByRole("heading", { name: /\$/ }).waitFor();
  });
});

test("what was stopped is made from the verdict", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    await finished(page);
    const { jobs, curves } = realFiles("cluster07.csv");
    await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves);
    await idle(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
    await idle(page);
    // A run that takes minutes.
    await addRun(page, "pollux");
    await page.getByRole("progressbar", { name: "Progress of all runs" }).waitFor();
    const stop = page.getByRole("button", { name: "Stop pollux" });
    await stop.dispatchEvent("click");
    const missing = page.getByRole("button", { name: "Make 1 missing run" });
    await missing.waitFor();
    // After a stop, an edit starts nothing by itself.
    await page.getByLabel("Nodes", { exact: true }).fill("12");
    await page.getByRole("heading", { name: "Inputs changed: 12 nodes, results are for 16" }).waitFor();
    await page.getByRole("button", { name: /^Run 4/ }).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await missing.click();
    await stop.waitFor();
    await missing.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await missing.waitFor();
  });
});

test("columns are counted, and ordered by keys and by dragging", async () => {
  await withApp(async (page) => {
    await finished(page);
    const heads = () => page.locator(".run-table thead th[data-key]").evaluateAll((heads) => heads.map((head) => head.dataset.key));
    const goal = "deadline_satisfactory_ratio";
    assert.deepEqual(await heads(), [goal, "avg_jct_s", "p99_jct_s", "p95_queueing_s", "rescale_gpu_s"]);
    const button = page.getByRole("button", { name: "Columns", exact: true });
    assert.match(await button.innerText(), /^Columns\s+5 of \d+$/);
    await button.click();
    assert.match(await page.getByRole("searchbox", { name: "Search columns" }).getAttribute("placeholder"), /^Search \d+ columns, 5 shown$/);
    const row = (name) => page.getByRole("list", { name: "Order of columns" }).getByRole("listitem", { name });
    await row("p95 waiting, 3 of 4").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await row("p95 waiting, 2 of 4").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await row("p95 waiting, 1 of 4").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    assert.deepEqual(await heads(), [goal, "p95_queueing_s", "avg_jct_s", "p99_jct_s", "rescale_gpu_s"]);
    await row("Rescale GPU-h, 4 of 4").dragTo(row("Mean completion, 2 of 4"));
    await row("Rescale GPU-h, 2 of 4").waitFor();
    assert.deepEqual(await heads(), [goal, "p95_queueing_s", "rescale_gpu_s", "avg_jct_s", "p99_jct_s"]);
    await page.getByRole("button", { name: "Columns as at first" }).click();
    assert.deepEqual(await heads(), [goal, "avg_jct_s", "p99_jct_s", "p95_queueing_s", "rescale_gpu_s"]);
  }, { viewport: { width: 1600, height: 900 } });
});

test("with a filter the numbers are of its jobs, and so is their order", async () => {
  await withApp(async (page) => {
    await finished(page);
    const head = page.getByRole("columnheader", { name: "Mean completion" }).getByRole("button");
    const means = () => page.locator(".run-table tbody tr").evaluateAll((rows) => rows.map((row) => row.cells[2].innerText.split("\n")[0]));
    const all = await means();
    await head.click();
    await page.getByRole("button", { name: /^Search jobs/ }).click();
    await page.keyboard.type("model:densenet");
    await page.keyboard.press("Enter");
    await page.getByText("The numbers are of these, the verdict is about all.").waitFor();
    await page.waitForFunction((all) => {
      const now = [...document.querySelectorAll(".run-table tbody tr")].map((row) => row.cells[2].innerText.split("\n")[0]);
      return now.length === 3 && !now.includes("—") && now.toSorted().join() !== all;
    }, all.toSorted().join());
    const seconds = (text) => text.split(" ").map((word) => parseFloat(word) * { s: 1, m: 60, h: 3600, d: 86400 }[word.at(-1)]).reduce((a, b) => a + b);
    const now = (await means()).map(seconds);
    assert.deepEqual(now, now.toSorted((a, b) => a - b));
  });
});

/** The headline of the verdict. */
async function headline(page) {
  return page.getByRole("region", { name: "Verdict" }).getByRole("heading").textContent();
}

/** Waits for the numbers of a finished comparison. */
async function finished(page) {
  await page.getByRole("table", { name: "Metrics" }).waitFor();
  await idle(page);
}

/** The line below the headline. */
async function words(page) {
  return page.getByRole("region", { name: "Verdict" }).locator("p").first().textContent();
}
