// The charts beside the timelines: plot and table, copying, files that say where they come from, and dots that are jobs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { coloursOf, withApp } from "./lib.mjs";

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

test("a chart is a plot, a table, and a table to paste", async () => {
  await withApp(async (page) => {
    const chart = await shown(page, "Completion time, % of jobs");
    await assertInk(chart);
    await chart.getByRole("button", { name: "Show as table" }).click();
    const rows = await chart.getByRole("table").evaluate((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText)));
    assert.deepEqual(rows[0], ["Jobs", "A fixed", "B equal-share", "C elastic-dp"]);
    assert.deepEqual(rows.slice(1).map(([share]) => share).slice(-4), ["90%", "95%", "99%", "100%"]);
    await copy(chart, "Copy as Markdown");
    const markdown = await page.evaluate(() => navigator.clipboard.readText());
    const pasted = markdown.trim().split("\n").map((line) => line.slice(2, -2).split(" | "));
    assert.deepEqual([pasted[0], ...pasted.slice(2)], rows);
    await copy(chart, "Copy as TSV");
    const tsv = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(tsv, /^jobs_percent\tfixed_s\tequal-share_s\telastic-dp_s\n10\t[\d.]+\t/);
    await chart.getByRole("button", { name: "Show as plot" }).click();
    await assertInk(chart);
  }, clipboard);
});

test("pictures carry the scenario, the digests and the build", async () => {
  await withApp(async (page) => {
    const chart = await scatter(page);
    const digest = await page.getByRole("region", { name: "Timeline: elastic-dp", exact: true }).getAttribute("data-digest");
    const build = await page.locator("meta[name=elastiplan-build]").getAttribute("content");
    for (const [format, name] of [["PNG", "bftrainer-mix-48-jobs-each-job-a-against-c.png"], ["SVG", "bftrainer-mix-48-jobs-each-job-a-against-c.svg"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), copy(chart, `Save as ${format}`)]);
      assert.equal(download.suggestedFilename(), name);
      const bytes = readFileSync(await download.path());
      if (format === "PNG") assertPng(bytes);
      const text = bytes.toString("utf8");
      // Small print in the picture, which of the SVG file is text.
      if (format === "SVG") assert.match(text, /<text[^>]*>\s*BFTrainer mix, 48 jobs · 48 jobs · \d+ × \d+ GPUs · seed 3 · A fixed [0-9a-f]{8} · /);
      for (const part of ["48 jobs", "seed 3", "A fixed digest", `digest ${digest}`, `build ${build}`]) assert.ok(text.includes(part), `${part} is not in the ${format}`);
    }
  }, { acceptDownloads: true });
});

test("a dot is a job: pointed at, chosen, and reached by keys", async () => {
  await withApp(async (page) => {
    let chart = await scatter(page);
    const plot = chart.getByRole("application");
    // By keys first: the job that gains most, whose name and times are said.
    await plot.focus();
    await page.keyboard.press("Home");
    const said = (await chart.getByRole("status").innerText()).split(", ");
    const [name, times, difference] = said;
    assert.match(times, /^\S.* to \S/);
    assert.match(difference, /^−/);
    await page.keyboard.press("Enter");
    await selected(page, name);
    await page.keyboard.press("Escape");
    // Its dot, as the tooltip shows: pointed at with the mouse it says the same.
    chart = await scatter(page);
    await chart.getByRole("application").focus();
    await page.keyboard.press("Home");
    const at = await chart.locator(".chart-tip").evaluate((tip) => ({ x: parseFloat(tip.style.left), y: parseFloat(tip.style.top) }));
    const box = await chart.getByRole("application").boundingBox();
    await page.mouse.move(box.x + at.x, box.y + at.y);
    await chart.locator(".chart-tip").getByText(name, { exact: true }).waitFor();
    await page.mouse.click(box.x + at.x, box.y + at.y);
    await selected(page, name);
  });
});

test("a frame about dots shows only their jobs", async () => {
  await withApp(async (page) => {
    const chart = await scatter(page);
    const box = await chart.getByRole("application").boundingBox();
    await page.mouse.move(box.x + 40, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 150, box.y + 100, { steps: 3 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 50, { steps: 3 });
    await page.mouse.up();
    const filter = page.getByRole("group", { name: "Jobs shown" });
    await filter.getByText(/^jct:A>=\S+ jct:A<=\S+ jct:C>=\S+ jct:C<=\S+$/).waitFor();
    assert.match(await filter.getByRole("status").innerText(), /^\d+ of 48 jobs$/);
  });
});

test("further charts: a quantity over time, and a metric by policy", async () => {
  await withApp(async (page) => {
    await tab(page, "More");
    await page.getByRole("combobox", { name: "More charts" }).selectOption({ label: "Cluster efficiency, %" });
    await assertInk(await shown(page, "Cluster efficiency, %"));
    await page.getByRole("combobox", { name: "More charts" }).selectOption({ label: "Makespan" });
    const chart = await shown(page, "Makespan");
    await assertInk(chart);
    await chart.getByRole("button", { name: "Show as table" }).click();
    assert.equal(await chart.getByRole("row").count(), 4);
    await tab(page, "All jobs");
    await page.getByRole("combobox", { name: "Distribution" }).selectOption({ label: "Waiting time, % of jobs" });
    await assertInk(await shown(page, "Waiting time, % of jobs"));
  });
});

test("an axis is logarithmic or linear, by a switch that says which", async () => {
  await withApp(async (page) => {
    const chart = await shown(page, "Completion time, % of jobs");
    const log = chart.getByRole("button", { name: "log scale" });
    const before = await log.getAttribute("aria-pressed");
    const picture = () => chart.locator("canvas").first().evaluate((canvas) => canvas.toDataURL());
    const first = await picture();
    await log.click();
    await page.waitForTimeout(100); // until it is drawn
    assert.equal(await log.getAttribute("aria-pressed"), before === "true" ? "false" : "true");
    assert.notEqual(await picture(), first);
    await log.click();
    await page.waitForTimeout(100); // until it is drawn
    assert.equal(await picture(), first);
  });
});

test("values of all runs stand below a chart at the cursor, by pointer and by keys", async () => {
  await withApp(async (page) => {
    const chart = await shown(page, "Completion time, % of jobs");
    const plot = chart.getByRole("application");
    const reading = chart.getByRole("status");
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await reading.getByText(/%/).first().waitFor();
    assert.match((await reading.innerText()).replaceAll(/\s+/g, " "), /^\S.* A [<>]?[\d.]+% B [<>]?[\d.]+% C [<>]?[\d.]+%$/);
    const below = await reading.boundingBox();
    assert.ok(below.y >= box.y + box.height - 1, "it covers nothing of the plot");
    await page.mouse.move(0, 0);
    await plot.focus();
    await page.keyboard.press("End");
    assert.match((await reading.innerText()).replaceAll(/\s+/g, " "), / A 100% B 100% C 100%$/);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await reading.locator(".chart-value").count(), 3);
  });
});

test("means by model: every model has its name, and a bar for every run", async () => {
  await withApp(async (page) => {
    await tab(page, "By model");
    const chart = await shown(page, "Mean completion by model");
    await assertInk(chart);
    // Keys read one model after the other.
    const reading = chart.locator(".chart-reading");
    await chart.getByRole("application").focus();
    await page.keyboard.press("Home");
    const first = await reading.locator("b").innerText();
    assert.equal(await reading.locator(".chart-value").count(), 3);
    await page.keyboard.press("ArrowDown");
    assert.notEqual(await reading.locator("b").innerText(), first);
    await page.keyboard.press("ArrowUp");
    assert.equal(await reading.locator("b").innerText(), first);
    await chart.getByRole("button", { name: "Show as table" }).click();
    const heads = await chart.getByRole("columnheader").allInnerTexts();
    assert.deepEqual(heads, ["Model", "Jobs", "A fixed", "B equal-share", "C elastic-dp"]);
    assert.ok((await chart.getByRole("row").count()) > 5);
  });
});

test("a job over time: a quantity to be chosen, with its table", async () => {
  await withApp(async (page) => {
    const chart = await scatter(page);
    await chart.getByRole("application").focus();
    await page.keyboard.press("Home");
    const name = (await chart.getByRole("status").innerText()).split(", ")[0];
    await page.keyboard.press("Enter");
    const story = page.getByRole("region", { name: `Story of ${name}` });
    const choice = story.getByRole("combobox", { name: "Over time" });
    // Nothing is known of what samples are worth in the sample: neither goodput nor noise is offered.
    const offered = await choice.locator("option").allInnerTexts();
    assert.deepEqual(offered, ["GPUs held", "Throughput, samples/s", "Speed-up against one GPU"]);
    await assertInk(await of(story, `${name}: GPUs held`));
    await choice.focus();
    await page.keyboard.press("ArrowDown");
    const throughput = await of(story, `${name}: Throughput, samples/s`);
    await assertInk(throughput);
    assert.match(await throughput.getByRole("img").getAttribute("aria-label"), /over time, at most: A fixed [\d.,]+, B equal-share/);
    await throughput.getByRole("button", { name: "Show as table" }).click();
    assert.equal(await throughput.getByRole("row").count(), 22);
    await copy(throughput, "Copy as CSV");
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^time_s,fixed,equal-share,elastic-dp\n\d/);
    // What was chosen stays chosen for the next job.
    await story.getByRole("button", { name: "Next job" }).click();
    await page.getByRole("region", { name: /^(?!Story).*: Throughput, samples\/s$/ }).waitFor();
  }, clipboard);
});

test("what nobody knows of a workload is not offered", async () => {
  await withApp(async (page) => {
    await tab(page, "More");
    const further = await page.getByRole("combobox", { name: "More charts" }).locator("option").allInnerTexts();
    assert.ok(further.includes("Throughput, in single GPUs") && !further.some((title) => /Goodput|Statistical/.test(title)), further.join());
    await page.getByRole("button", { name: "View", exact: true }).click();
    const lanes = await page.getByRole("group", { name: "View", exact: true }).getByRole("checkbox").count();
    assert.equal(lanes, 14);
  });
});

/** A chart of a job by its title. */
async function of(story, title) {
  const chart = story.getByRole("region", { name: title, exact: true });
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  await story.page().waitForTimeout(100); // until it is drawn
  return chart;
}

/** A chart by its title, with its runs at their ends. */
async function shown(page, title) {
  await page.getByText(/3 runs finished/).first().waitFor();
  const chart = page.getByRole("region", { name: title, exact: true });
  await chart.waitFor();
  await chart.scrollIntoViewIfNeeded();
  await page.waitForTimeout(100); // until it is drawn
  return chart;
}

/** The scatter of the baseline against C; the verdict may be about another policy. */
async function scatter(page) {
  await tab(page, "Each job");
  await page.getByRole("combobox", { name: "Each job" }).selectOption({ label: "Each job, A against C" });
  return shown(page, "Each job, A against C");
}

/** Chooses one of the charts of the panel. */
async function tab(page, name) {
  await page.getByText(/3 runs finished/).first().waitFor();
  await page.getByRole("group", { name: "Chart", exact: true }).getByRole("button", { name, exact: true }).click();
}

async function copy(chart, what) {
  await chart.getByRole("button", { name: "Copy or save" }).click();
  await chart.getByRole("button", { name: what }).click();
}

/** The job's row is pinned and its story is told. */
async function selected(page, name) {
  await page.getByRole("heading", { name: new RegExp(name) }).first().waitFor();
}

/** The canvas shows more than its ground. */
async function assertInk(chart) {
  const colours = await coloursOf(chart.locator("canvas").first());
  assert.ok(colours > 8, `only ${colours} colours`);
}

/** A PNG file whose chunks are in order, with a resolution. */
function assertPng(bytes) {
  const kinds = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) kinds.push(bytes.toString("latin1", at + 4, at + 8));
  assert.deepEqual(kinds.slice(0, 2), ["IHDR", "pHYs"]);
  assert.equal(kinds.at(-1), "IEND");
  assert.ok(bytes.readUInt32BE(16) >= 2240, "it is not large enough for print");
}
