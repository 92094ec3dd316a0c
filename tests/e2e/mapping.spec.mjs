// Tables of a user's own: what their columns are is said once, seen before anything loads, and remembered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { digests, ended, file, handOver, mounted, samplePolicies, url, withApp } from "./lib.mjs";
import { simulate, written } from "./native.mjs";

/** A date, so many minutes after the first. */
const at = (minutes) => new Date(Date.UTC(2026, 6, 1) + minutes * 60_000).toISOString().slice(0, 19);

/** Columns as no known format has them; a failed job, one without a GPU, one that ends before it starts. */
const table = file("own.csv", [
  "job,start_time,end_time,num_gpus,team,state",
  ...Array.from({ length: 40 }, (_, n) => {
    const [minutes, gpus] = [10 + (n * 37) % 90, [1, 2, 4, 8, 16][n % 5]];
    return `j-${n},${at(3 * n)},${at(3 * n + minutes)},${gpus},team-${n % 3},COMPLETED`;
  }),
  `j-40,${at(130)},${at(150)},8,team-1,FAILED`,
  `j-41,${at(131)},${at(150)},0,team-1,COMPLETED`,
  `j-42,${at(132)},${at(100)},8,team-1,COMPLETED`,
].join("\n"));

/** An excerpt as HeliosData publishes its log. */
const helios = file("cluster_log.csv", [
  "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue",
  ...Array.from({ length: 30 }, (_, n) => {
    const [start, end] = [at(5 * n), at(5 * n + 40)].map((time) => time.replace("T", " "));
    return `${9000 + n},u${n % 4},vc1,${[1, 4, 8][n % 3]},16,1,COMPLETED,${start},${start},${end},2400,0`;
  }),
].join("\n"));

const sacct = file("jobs.txt", [
  "JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES",
  ...Array.from({ length: 30 }, (_, n) => `${n}|u${n % 4}|COMPLETED|${at(5 * n)}|${at(5 * n)}|${at(5 * n + 40)}|2400|billing=8,gres/gpu=${[1, 4, 8][n % 3]}`),
].join("\n"));

const heading = (page, name) => page.getByRole("heading", { name, exact: true });
const load = (page) => page.getByRole("button", { name: /^Load/ });
const use = (page, column) => page.getByLabel(`Use ${column} as`, { exact: true });
const line = (page) => page.getByLabel("This mapping as text");

/** Hands the table over, and waits for the step. */
async function open(page, files = [table], name = "40 of 43 rows become jobs") {
  const before = await handOver(page, files);
  await heading(page, name).waitFor();
  return before;
}

test("a table with columns of its own is seen, loaded and compared with one click", async () => {
  await withApp(async (page) => {
    const before = await open(page);
    assert.deepEqual(await digests(page), before, "nothing has changed yet");
    const rows = page.getByRole("table", { name: "The same rows, before and after" });
    for (const reason of ["state is FAILED", "uses no GPU", "ends before it starts"]) {
      await rows.getByText(`Left out: ${reason}`).waitFor();
    }
    const [, mapping, law] = /^--map '([^']*)' --law (\S+)$/.exec(await line(page).inputValue());
    const nodes = Number(/^Set (\d+) nodes?/.exec(await page.getByText(/^Set \d+ nodes? \(now 16\)/).innerText())[1]);
    await load(page).click();
    const after = await ended(page, { before });
    assert.equal(await page.getByLabel("Nodes", { exact: true }).inputValue(), String(nodes));
    const [jobs] = written(table);
    const { runs } = simulate({ jobs, curves: [] }, samplePolicies, { nodes, options: ["--map", mapping, "--law", law] });
    assert.deepEqual(after, samplePolicies.map((policy) => runs[policy].digest));
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction((first) => document.querySelector("[data-digest]")?.dataset.digest === first, before[0]);
    assert.equal(await page.getByLabel("Nodes", { exact: true }).inputValue(), "16", "jobs, law and nodes are one step");
  });
});

for (const [source, log] of [["Slurm", sacct], ["Helios", helios]]) {
  test(`a log of ${source} is compared with one choice: the law`, async () => {
    await withApp(async (page) => {
      const before = await handOver(page, [log]);
      await page.getByLabel("Speed without a curve").selectOption("Amdahl");
      await ended(page, { before });
      assert.equal(await page.locator("#mapping-step").count(), 0);
    });
  });
}

test("by keyboard: rows, lists, values, loading", async () => {
  await withApp(async (page) => {
    const before = await open(page);
    await page.waitForFunction(() => document.activeElement?.id === "mapping-step");
    await page.keyboard.press("2");
    assert.equal(await page.locator("#mapping-step").count(), 1, "letters are no commands here");
    const rows = page.getByRole("table", { name: "Columns of the file and their uses" }).locator("tbody tr");
    await rows.first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^team/);
    await use(page, "team").focus();
    await page.keyboard.type("Not");
    await page.waitForFunction(() => document.querySelector('[aria-label="Use team as"]').value === "Not used");
    await page.waitForFunction(() => !document.querySelector("#mapping-step textarea").value.includes("user="));
    await page.keyboard.press("Control+Enter");
    await ended(page, { before });
    assert.equal(await page.locator("#mapping-step").count(), 0);
  });
});

test("leaving the step leaves everything as it was", async () => {
  await withApp(async (page) => {
    const before = await open(page);
    await use(page, "team").selectOption("Model");
    // Wherever the focus is.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Escape");
    await page.getByRole("status").filter({ hasText: "Nothing was loaded" }).waitFor();
    assert.deepEqual(await ended(page), before);
    assert.ok(await page.getByRole("button", { name: "Undo", exact: true }).first().isDisabled());
    await open(page);
    await page.locator("#mapping-step").getByRole("button", { name: "Cancel" }).click();
    await page.locator("#mapping-step").waitFor({ state: "detached" });
    assert.deepEqual(await ended(page), before);
  });
});

test("what was said of a table is remembered for the next with these columns, until it is forgotten", async () => {
  await withApp(async (page) => {
    const before = await open(page);
    await page.getByRole("group", { name: "Speed on other GPU counts" }).getByRole("button", { name: "Linear" }).click();
    await load(page).click();
    const after = await ended(page, { before });
    const again = async () => {
      await page.goto(url);
      await mounted(page);
      await page.locator('aside[aria-label="Results"] a[href*="docs/metrics.html"]').first().waitFor({ state: "attached" });
      return ended(page);
    };
    const sample = await again();
    await page.getByLabel("Nodes", { exact: true }).fill("30");
    await ended(page, { before: sample });
    await handOver(page, [{ ...table, name: "another.csv" }]);
    const card = page.getByRole("listitem").filter({ hasText: "another.csv" });
    await card.getByText(/^Read as last time \(\d+ \w+\)/).waitFor();
    assert.equal(await page.locator("#mapping-step").count(), 0);
    assert.notDeepEqual(await digests(page), after, "on another number of nodes");
    await card.getByRole("button", { name: "Change how another.csv is read" }).click();
    await heading(page, "40 of 43 rows become jobs").waitFor();
    assert.match(await line(page).inputValue(), / --law linear$/);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /another\.csv, report/ }).first().click();
    await card.getByRole("button", { name: "Forget how another.csv is read" }).click();
    await card.getByText("Forgotten").waitFor();
    await again();
    await open(page);
  });
});

test("a line that is pasted takes the place of the mapping", async () => {
  await withApp(async (page) => {
    await open(page);
    const pasted = "submit_s=start_time duration_s=600 gpus=num_gpus --law rigid";
    await page.locator("#mapping-step").evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, pasted);
    await heading(page, "42 of 43 rows become jobs").waitFor();
    assert.equal(await line(page).inputValue(), "--map 'submit_s=start_time duration_s=600 gpus=num_gpus' --law rigid");
    await line(page).fill("submit_s=");
    await page.locator("#mapping-step").getByText("column").first().waitFor();
    assert.equal(await load(page).isEnabled(), true, "what is no line changes nothing");
    await line(page).fill("--map 'submit_s=start_time duration_s=900 gpus=num_gpus where state=COMPLETED'");
    await line(page).blur();
    await heading(page, "41 of 43 rows become jobs").waitFor();
  });
});

test("dates that can be read in two ways are asked for", async () => {
  const dates = file("dates.csv", "id;submitted;minutes;gpus\na;03/04/2026 10:00;60;8\nb;05/04/2026 11:00;30;4\n");
  await withApp(async (page) => {
    const before = await handOver(page, [dates]);
    const ask = page.getByRole("listitem").filter({ hasText: "choose how 03/04/2026 10:00 is read" });
    await ask.waitFor();
    assert.equal(await load(page).isDisabled(), true);
    await ask.getByRole("button", { name: "month first" }).click();
    if (await page.getByLabel("Use minutes as").inputValue() !== "Run time") await page.getByLabel("Use minutes as").selectOption("Run time");
    await page.getByLabel("Read minutes as").selectOption({ label: "min" });
    await heading(page, "2 of 2 rows become jobs").waitFor();
    assert.match(await line(page).inputValue(), /submit_s=submitted mdy/);
    await load(page).click();
    await ended(page, { before });
  });
});

test("two columns for one role are both named, and nothing loads until one goes", async () => {
  await withApp(async (page) => {
    await open(page);
    await use(page, "team").selectOption("GPUs asked for");
    await page.getByRole("listitem").filter({ hasText: "GPUs asked for is taken twice" }).waitFor();
    assert.equal(await page.getByText("✕ conflict").count(), 2);
    assert.equal(await load(page).isDisabled(), true);
    await use(page, "team").selectOption("User");
    await heading(page, "40 of 43 rows become jobs").waitFor();
    await use(page, "num_gpus").selectOption("Not used");
    await heading(page, "A column is missing").waitFor();
    const bar = page.getByRole("img", { name: "No row becomes a job: GPUs missing" });
    await bar.first().waitFor({ state: "attached" });
    assert.equal(await page.locator(".map-bar-loaded").count(), 0, "nothing loads");
    const missing = page.getByRole("listitem").filter({ hasText: "GPUs: choose a column, or 1 for every job" });
    await missing.getByRole("button", { name: "1 for every job" }).click();
    await heading(page, "41 of 43 rows become jobs").waitFor();
    assert.equal(await load(page).isEnabled(), true);
  });
});

test("the values of a column that are kept are ticked, and a repair is taken", async () => {
  await withApp(async (page) => {
    await open(page);
    await page.getByLabel("Values of state that are kept").click();
    await page.getByRole("group", { name: "Values of state" }).getByRole("checkbox", { name: "FAILED" }).check();
    await heading(page, "41 of 43 rows become jobs").waitFor();
    await page.getByRole("group", { name: "Values of state" }).getByRole("checkbox", { name: "FAILED" }).uncheck();
    await heading(page, "40 of 43 rows become jobs").waitFor();
    await page.getByRole("button", { name: "Keep them" }).click();
    await heading(page, "41 of 43 rows become jobs").waitFor();
  });
});

test("further rows and drawn deadlines are shown before anything loads", async () => {
  await withApp(async (page) => {
    await open(page);
    const rows = page.getByRole("table", { name: "The same rows, before and after" }).locator("tbody tr");
    assert.equal(await rows.count(), 6 + 3);
    await page.getByRole("button", { name: "More rows" }).click();
    await page.getByRole("button", { name: "Fewer rows" }).waitFor();
    assert.equal(await rows.count(), 40 + 3);
    assert.equal(await page.getByRole("columnheader", { name: "Deadline" }).count(), 0);
    await page.getByRole("group", { name: "Deadlines" }).getByRole("button", { name: "Drawn" }).click();
    await page.getByRole("columnheader", { name: "Deadline" }).waitFor();
    assert.equal(await rows.locator("td[title=Drawn]").count(), 40);
  });
});

test("columns whose names say nothing are guessed by their values, and are amber until they are touched", async () => {
  const own = file("runs.csv", [
    "ref,queued_at,xx,finished,zz",
    ...Array.from({ length: 12 }, (_, n) => `r-${n},${at(5 * n)},${at(5 * n + n % 4)},${at(5 * n + 30 + n)},${[1, 2, 4, 8][n % 4]}`),
  ].join("\n"));
  await withApp(async (page) => {
    await open(page, [own], "12 of 12 rows become jobs");
    assert.equal(await use(page, "xx").inputValue(), "Start");
    assert.equal(await use(page, "zz").inputValue(), "GPUs asked for");
    const rows = page.getByRole("table", { name: "Columns of the file and their uses" }).getByRole("row");
    for (const name of ["xx", "zz"]) {
      const mark = rows.filter({ hasText: new RegExp(`^${name}`) }).getByRole("button", { name: "? guessed" });
      assert.match(await mark.getAttribute("title"), /Guessed from the values/);
    }
    assert.match(await line(page).inputValue(), /submit_s=queued_at gpus=zz duration_s=finished-xx/);
  });
});

test("curves that are dropped with the table are loaded with it", async () => {
  const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\n");
  await withApp(async (page) => {
    const before = await open(page, [curves, table]);
    await page.getByText("Loaded together with 1 other file").waitFor();
    await load(page).click();
    await ended(page, { before });
    await page.getByRole("button", { name: /^1 model/ }).first().waitFor();
  });
});
