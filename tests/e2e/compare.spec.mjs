// The main job: drop a trace and its curves, compare policies, stop one, read numbers and pixels.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { coloursOf, idle, openAll, region, samplePolicies as policies, setRuns, withApp } from "./lib.mjs";
import { noDataPack, realFiles } from "../data-pack.mjs";
import { rows, sampleFiles, simulate } from "./native.mjs";

test("the first paint is a finished comparison of the sample", async () => {
  await withApp(async (page) => {
    await finished(page);
    for (const policy of policies) await region(page, policy).waitFor();
    const native = simulate(sampleFiles(3), policies);
    await assertMetrics(page, native);
    await assertInk(page, policies);
  });
});

for (const [name, skip, files] of [
  ["195 jobs of a real cluster", noDataPack, () => realFiles("195job.csv")],
  ["a trace and curves in the plain format", false, () => sampleFiles(7)],
]) {
  test(`${name}: load, run, compare`, { skip }, async () => {
    await withApp(async (page) => {
      const loaded = files();
      await load(page, loaded);
      await page.getByLabel("Nodes", { exact: true }).fill("16");
      await page.getByLabel("GPUs per node").fill("8");
      await run(page);
      const native = simulate(loaded, policies);
      await assertMetrics(page, native);
      await assertInk(page, policies);
      await assertDownload(page, "jobs.csv", native.text("jobs.csv"));
      await assertDownload(page, "spans.csv", native.text("spans.csv"));
    }, { acceptDownloads: true });
  });
}

test("a job's bar is where spans.csv says it is", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    const loaded = realFiles("195job.csv");
    await load(page, loaded);
    await run(page);
    await page.getByRole("group", { name: "What strips show" }).getByRole("button", { name: "Jobs", exact: true }).click();
    await page.getByRole("combobox", { name: "How" }).selectOption({ label: "a row each" });
    await openAll(page);
    await page.waitForTimeout(300);
    const native = simulate(loaded, policies);
    for (const policy of policies) await assertBars(page, policy, native);
    // High enough for a row of three pixels a job in each of three strips.
  }, { viewport: { width: 1440, height: 2700 } });
});

test("a drop on the page does what the file inputs do", async () => {
  await withApp(async (page) => {
    await finished(page);
    const loaded = sampleFiles(11);
    await drop(page, [loaded.jobs, ...loaded.curves]);
    await finished(page, "11");
    await assertMetrics(page, simulate(loaded, policies));
  });
});

test("one policy is stopped, keeps what it has, and runs again", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    const compared = ["fixed", "equal-share", "optimus"]; // the last one takes seconds wherever it runs
    const loaded = realFiles("cluster07.csv");
    await finished(page);
    await setRuns(page, compared);
    await load(page, loaded, { wait: false });
    const strip = region(page, "optimus");
    const isStopped = async () => (await strip.getByText(/stopped at/i).count()) > 0;
    const took = await quickestAnswer(page, loaded, "Stop optimus", isStopped);
    assert.ok(took < 200, `${took} ms`);
    await strip.getByText(/stopped at/i).waitFor();
    for (const other of ["fixed", "equal-share"]) assert.equal(await region(page, other).getByText(/stopped at/i).count(), 0);
    await idle(page);
    await run(page);
    assert.equal(await strip.getByText(/stopped at/i).count(), 0);
    await assertMetrics(page, simulate(loaded, compared), compared);
  });
});

test("what is shown stays while a run that was not shown yet is replaced", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    await load(page, realFiles("cluster07.csv"));
    const shown = await page.evaluate(async () => {
      const run = [...document.querySelectorAll("button")].find((button) => button.textContent.startsWith("Run"));
      const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
      run.click();
      await wait(0);
      run.click();
      // Runs that take longer than 150 ms are shown on their way.
      const counts = [];
      for (const began = performance.now(); performance.now() - began < 100;) {
        counts.push(document.querySelectorAll("[data-digest]").length);
        await wait(5);
      }
      return counts;
    });
    assert.deepEqual(new Set(shown), new Set([3]));
  });
});

test("Cancel stops all runs within 100 ms", { skip: noDataPack }, async () => {
  await withApp(async (page) => {
    const loaded = realFiles("cluster07.csv");
    await load(page, loaded, { wait: false });
    const took = await quickestAnswer(page, loaded, "Cancel");
    assert.ok(took < 100, `${took} ms`);
    await page.locator(".status", { hasText: /runs? stopped/ }).waitFor();
    await page.getByText(/stopped at/i).first().waitFor();
  });
});

test("rows of pictures and of numbers are one: equal heights, one order, one scroll", async () => {
  await withApp(async (page) => {
    await finished(page);
    const boxes = () => page.evaluate(() => {
      const box = (element) => { const { top, height } = element.getBoundingClientRect(); return [Math.round(top), Math.round(height)]; };
      const rows = [...document.querySelectorAll(".run-table tbody tr")];
      const strip = (row) => document.querySelector(`.tl-strip[data-policy="${CSS.escape(row.dataset.policy)}"]`);
      return rows.map((row) => ({ policy: row.dataset.policy, numbers: box(row), picture: box(strip(row)) }));
    });
    const same = async (count) => {
      const rows = await boxes();
      assert.equal(rows.length, count);
      for (const { policy, numbers, picture } of rows) assert.deepEqual(numbers, picture, policy);
      return rows.map((row) => row.policy);
    };
    await same(3);
    await openAll(page);
    await same(3);
    const head = page.getByRole("columnheader", { name: "Mean completion" });
    await head.getByRole("button").click();
    const best = await same(3);
    await head.getByRole("button").click();
    assert.deepEqual((await same(3)).reverse(), best);
    await head.getByRole("button").click();
    assert.deepEqual(await same(3), policies);
    // So many rows that they scroll.
    await page.setViewportSize({ width: 1440, height: 620 });
    await page.waitForTimeout(100);
    await same(3);
    await page.locator(".tl-scroll").evaluate((box) => box.scrollBy(0, 60));
    await page.waitForTimeout(100);
    await same(3);
  });
});

test("the divider moves by pointer and keys, and is where it was left", async () => {
  await withApp(async (page) => {
    await finished(page);
    const divider = page.getByRole("separator", { name: "Width of the pictures" });
    const width = async () => Math.round((await page.locator(".tl-picture").boundingBox()).width);
    const before = await width();
    const box = await divider.boundingBox();
    await page.mouse.move(box.x + 4, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x - 96, box.y + 100, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs(await width() - (before - 100)) <= 5, `${await width()} px`);
    const dragged = await width();
    await divider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((was) => document.querySelector(".tl-picture").clientWidth > was, dragged);
    assert.equal(Number(await divider.getAttribute("aria-valuenow")), await width());
    for (let times = 0; times < 40; times += 1) await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelector(".tl-picture").clientWidth < 362);
    assert.equal(await width(), 360);
    await page.reload();
    await finished(page);
    assert.equal(await width(), 360);
  });
});

test("numbers are never clipped: what does not fit is scrolled to, beside the goal", async () => {
  for (const width of [390, 768, 1024, 1280, 1440, 1920]) {
    await withApp(async (page) => {
      await finished(page);
      const clipped = await page.evaluate(async () => {
        const box = [...document.querySelectorAll(".tl-scroll, .numbers")].find((box) => getComputedStyle(box).overflowX === "auto");
        const goal = document.querySelector(".run-table td.of-goal");
        const left = () => goal.getBoundingClientRect().left;
        const before = left();
        box.scrollLeft = 1e6;
        await new Promise(requestAnimationFrame);
        const cells = [...document.querySelectorAll(".run-table td, .run-table thead th")];
        const cut = cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText);
        const last = document.querySelector(".run-table tr td:last-child").getBoundingClientRect();
        if (last.right > innerWidth + 1) cut.push(`the last column ends at ${last.right}`);
        if (left() > before + 1 || left() < 0) cut.push(`the goal moved from ${before} to ${left()}`);
        return cut;
      });
      assert.deepEqual(clipped, [], `at ${width} px`);
    }, { viewport: { width, height: 900 } });
  }
});

/** Loads files through the two file inputs. */
async function load(page, { jobs, curves }, { wait = true } = {}) {
  await finished(page);
  await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
  await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves);
  if (wait) await idle(page);
}

/** Presses Run and waits for the end. */
async function run(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await idle(page);
}

/** Waits for the numbers of a finished comparison. */
async function finished(page) {
  await page.getByRole("table", { name: "Metrics" }).waitFor();
  await idle(page);
}

/** The values of the Metrics table as text, by policy and by the name of the column; differences are left out. */
async function metricsTable(page) {
  const table = page.getByRole("table", { name: "Metrics" });
  const more = [];
  for (const name of ["Makespan", "Rescales"]) {
    if (await table.getByRole("columnheader", { name, exact: true }).count() === 0) more.push(name);
  }
  if (more.length > 0) {
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("group", { name: "Columns", exact: true });
    for (const name of more) await menu.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
    await page.keyboard.press("Escape");
  }
  return table.evaluate((table) => {
    const value = (cell) => [...cell.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim());
    return Object.fromEntries([...table.tBodies[0].rows].map((row) =>
      [row.dataset.policy, Object.fromEntries([...row.cells].map((cell, at) => [heads[at], value(cell)]))]));
  });
}

/** The page's numbers are the command line's. */
async function assertMetrics(page, { runs }, compared = policies) {
  const table = await metricsTable(page);
  for (const policy of compared) {
    const { metrics } = runs[policy];
    const cell = (label) => table[policy]?.[label];
    assert.ok(reads(cell("Mean completion"), metrics.avg_jct_s), `mean completion of ${policy} in ${JSON.stringify(table)}`);
    assert.ok(reads(cell("p99 completion"), metrics.p99_jct_s), `p99 completion of ${policy} in ${JSON.stringify(table)}`);
    assert.ok(reads(cell("Makespan"), metrics.makespan_s), `makespan of ${policy}`);
    assert.equal(cell("Rescales"), metrics.rescale_count.toLocaleString("en"), `rescales of ${policy}`);
    assert.equal(await region(page, policy).getAttribute("data-digest"), runs[policy].digest, `digest of ${policy}`);
  }
}

/** Whether a text is how the page writes a duration: as usual, or with more digits, which tell it from another run's. */
function reads(text, seconds) {
  if (text === duration(seconds)) return true;
  const units = { d: 86400, h: 3600, m: 60, s: 1 };
  const words = (text ?? "").split(" ");
  const shown = words.map((word) => parseFloat(word) * units[word.at(-1)]).reduce((sum, part) => sum + part, 0);
  const decimals = words.at(-1)?.split(".")[1]?.length;
  const finest = decimals ? 10 ** (1 - decimals) : units[words.at(-1)?.at(-1)];
  return words.length > duration(seconds).split(" ").length && Math.abs(shown - seconds) <= finest / 2 + 1e-6;
}

/** Durations as the page writes them: two units at most, padded after the first, seconds below ten minutes. */
function duration(seconds) {
  const pad = (value) => String(value).padStart(2, "0");
  const [s, minutes, hours] = [Math.round(seconds), Math.round(seconds / 60), Math.round(seconds / 3600)];
  if (s < 1) return seconds === 0 ? "0s" : `${Math.round(seconds * 1000)}ms`;
  if (s < 60) return `${s}s`;
  if (s < 600) return `${Math.floor(s / 60)}m ${pad(s % 60)}s`;
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  return hours < 2400 ? `${Math.floor(hours / 24)}d ${pad(hours % 24)}h` : `${Math.round(seconds / 86_400).toLocaleString("en")}d`;
}

/** Every strip's canvas has more than one colour. */
async function assertInk(page, shown) {
  for (const policy of shown) {
    const colours = await coloursOf(region(page, policy).locator("canvas").first());
    assert.ok(colours > 4, `the timeline of ${policy} has only ${colours} colours`);
  }
}

/** Long running spans are painted in their row, and the row is bare before the submission and after the end. */
async function assertBars(page, policy, { spans, jobs }) {
  const canvas = region(page, policy).locator("canvas").first();
  const place = await canvas.evaluate((canvas) => ({ ...canvas.dataset }));
  const number = (name) => Number(place[name]);
  const [start, end] = [number("startS"), number("endS")];
  const x = (seconds) => number("plotLeft") + (seconds - start) / (end - start) * number("plotWidth");
  const pitch = number("rowPitch");
  assert.ok(pitch >= 3, `rows of ${pitch} px cannot be told apart`);
  const order = jobs.filter((job) => job.policy === policy).map((job) => job.job_id);
  const y = (job) => number("rowsTop") + (order.indexOf(job) + 0.5) * pitch - number("scrollPx");
  const of = (policy, state) => spans.filter((span) => span.policy === policy && span.state === state);
  const wide = of(policy, "running").filter((span) => x(Number(span.end_s)) - x(Number(span.start_s)) > 6);
  assert.ok(wide.length > 10, `${policy}: only ${wide.length} spans are wide enough to look at`);
  const points = wide.map((span) => [x((Number(span.start_s) + Number(span.end_s)) / 2), y(span.job_id)]);
  const bare = order.map((job) => {
    const own = spans.filter((span) => span.policy === policy && span.job_id === job);
    return [x(Number(own.at(-1).end_s)) + 14, y(job)];
  }).filter(([left]) => left < x(end) - 4);
  const ground = await colourAt(canvas, [[x(end) - 1, number("rowsTop") + 1]]);
  const painted = await colourAt(canvas, points);
  const empty = await colourAt(canvas, bare);
  const missed = painted.filter((colour) => near(colour, ground[0])).length;
  assert.equal(missed, 0, `${policy}: ${missed} of ${painted.length} bars are not painted`);
  const stray = empty.filter((colour) => !near(colour, ground[0])).length;
  assert.ok(stray <= empty.length * 0.1, `${policy}: ${stray} of ${empty.length} rows are painted after the job's end`);
}

function colourAt(canvas, points) {
  return canvas.evaluate((canvas, points) => {
    const scale = canvas.width / canvas.clientWidth;
    const context = canvas.getContext("2d");
    return points.map(([x, y]) => [...context.getImageData(Math.round(x * scale), Math.floor(y * scale), 1, 1).data]);
  }, points);
}

function near(a, b) {
  return a.every((value, at) => Math.abs(value - b[at]) <= 12);
}

/** What the Export menu gives is what the command line writes. */
async function assertDownload(page, name, expected) {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: new RegExp(` ${name}$`) }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  assert.deepEqual(rows(text), rows(expected));
}

/** Drops files on the page as a person would. */
async function drop(page, paths) {
  const files = paths.map((path) => ({ name: path.split("/").at(-1), text: readFileSync(path, "utf8") }));
  const data = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, text } of files) data.items.add(new File([text], name));
    return data;
  }, files);
  for (const kind of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("body", kind, { dataTransfer: data });
  await idle(page);
}

/**
 * Presses a button while the runs of a trace that was just dropped go on, five times, and gives the shortest time that the
 * page took to answer: what else goes on on the machine makes it longer, and a page that is slow is slow in all of them.
 * A run may end while it is asked to stop: the last press is one that stopped it.
 */
async function quickestAnswer(page, loaded, name, isStopped = async () => true) {
  const took = [];
  for (let round = 0; took.length < 5 || !(await isStopped()); round += 1) {
    assert.ok(round < 40, "runs are over before anybody can stop them");
    if (round > 0) await page.getByLabel("Job trace", { exact: true }).setInputFiles(loaded.jobs);
    // Pressed while the files are being read, Cancel stops the reading instead.
    await page.getByText(/^Running, /).first().waitFor();
    const ms = await page.evaluate(pressAndTime, name);
    if (ms !== null) took.push(ms);
    await idle(page);
  }
  console.log(`    ${name} was answered within ${took.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  return Math.min(...took);
}

/**
 * Runs in the page, for a run may take less than a second: waits for a button that can be pressed, lets the run go on for
 * a fiftieth of a second, presses it, and gives the milliseconds until the frame in which it is gone or can no longer be
 * pressed. Gives nothing if the run was over before.
 */
async function pressAndTime(name) {
  const frame = () => new Promise(requestAnimationFrame);
  const find = () => [...document.querySelectorAll("button")].find((button) => !button.disabled
    && (button.getAttribute("aria-label") ?? button.textContent).trim() === name);
  for (const began = performance.now(); !find(); await frame()) {
    if (performance.now() - began > 2000) return null;
  }
  // If the page is busy just then, the press has to wait, and that counts.
  const pressed = performance.now() + 20;
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  const button = find();
  if (!button) return null;
  button.click();
  do await frame(); while (find());
  return performance.now() - pressed;
}
