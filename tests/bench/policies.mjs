// How fast the page is, as a visitor meets it: `cargo xtask bench` builds and serves it, and runs this.
// Prints a table of medians over repeated visits. The real traces are measured where they are at hand.
import { chromium } from "playwright-core";
import { inDataPack, noDataPack, realFiles } from "../data-pack.mjs";

const visits = 9;
const url = process.env.ELASTIPLAN_URL;

const browser = await chromium.launch({
  executablePath: process.env.ELASTIPLAN_CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  const version = browser.version();
  console.log(`Chromium ${version}, ${visits} visits, median (smallest to largest)`);
  await coldVisits();
  if (noDataPack) {
    console.log(noDataPack);
  } else {
    await policies("195job.csv", visits);
    await policies("cluster07.csv", 3);
    await rivals(elasticflow("195job.csv", 16), ["elasticflow", "themis", "chronus", "edf"]);
    await rivals(elasticflow("cluster01.csv", 64), ["elasticflow", "edf", "tiresias", "gandiva"]);
    await rivals(pollux("workload-1.csv"), ["tiresias", "optimus", "pollux"]);
  }
} finally {
  await browser.close();
}

/** From navigation to the painted comparison of the sample, with empty caches. */
async function coldVisits() {
  const times = [];
  for (let visit = 0; visit < visits; visit += 1) {
    await withPage(async (page) => {
      await page.goto(url);
      times.push(await firstComparison(page));
    });
  }
  report("navigation to the first comparison painted", times);
}

/** Reading a trace and running the policies on it, each alone and all at once. */
async function policies(trace, repeats) {
  const { jobs, curves } = realFiles(trace);
  const walls = new Map();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await withPage(async (page) => {
      await page.goto(url);
      await firstComparison(page);
      await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves);
      await page.waitForTimeout(600);
      await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
      await page.waitForTimeout(600);
      await idle(page);
      for (let again = 0; again < 2; again += 1) {
        await page.getByRole("button", { name: "Run", exact: true }).first().click();
        await page.waitForTimeout(100);
        await idle(page);
      }
      const strips = await page.locator("[data-wall-ms]").all();
      for (const strip of strips) {
        const name = await strip.getAttribute("data-policy");
        const times = walls.get(name) ?? walls.set(name, []).get(name);
        times.push(Number(await strip.getAttribute("data-wall-ms")));
      }
    });
  }
  for (const [name, times] of walls) report(`${trace}: ${name}`, times);
}

/** A trace of ElasticFlow's, on nodes as large as there. */
function elasticflow(trace, nodes) {
  return { trace, ...realFiles(trace), nodes, gpusPerNode: 8 };
}

/** A workload of Pollux's with its profiles, on the cluster that they were measured for. */
function pollux(trace) {
  const [jobs, folder] = [inDataPack("pollux/workloads", trace), inDataPack("pollux/traces")];
  return { trace, jobs, folder, nodes: 16, gpusPerNode: 4 };
}

/** Policies of a paper and their rivals, two at once, as many as there are cores. */
async function rivals({ trace, jobs, curves, folder, nodes, gpusPerNode }, names) {
  for (let pair = 0; pair < names.length; pair += 2) {
    const walls = new Map();
    await withPage(async (page) => {
      await page.goto(url);
      await firstComparison(page);
      const tick = (name) => page.getByRole("checkbox", { name, exact: true });
      // No more than four at a time, and never none.
      for (const name of ["equal-share", "elastic-dp"]) await tick(name).uncheck();
      for (const name of names.slice(pair, pair + 2)) await tick(name).check();
      await tick("fixed").uncheck();
      await page.getByLabel("Nodes", { exact: true }).fill(String(nodes));
      await page.getByLabel("GPUs per node", { exact: true }).fill(String(gpusPerNode));
      if (curves) await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves);
      if (folder) await page.getByLabel("Folder of files", { exact: true }).setInputFiles(folder);
      await page.waitForTimeout(600);
      await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
      await page.waitForTimeout(600);
      await idle(page);
      for (let again = 0; again < 3; again += 1) {
        await page.getByRole("button", { name: "Run", exact: true }).first().click();
        await page.waitForTimeout(100);
        await idle(page);
        for (const strip of await page.locator("[data-wall-ms]").all()) {
          const name = await strip.getAttribute("data-policy");
          const times = walls.get(name) ?? walls.set(name, []).get(name);
          times.push(Number(await strip.getAttribute("data-wall-ms")));
        }
      }
    });
    for (const [name, times] of walls) report(`${trace}, ${nodes} nodes: ${name}`, times);
  }
}

/** Milliseconds since navigation at which the comparison of all ticked policies was on the screen. */
function firstComparison(page) {
  return page.waitForFunction(() => globalThis.comparisonMs, null, { polling: 50 }).then((handle) => handle.jsonValue());
}

async function idle(page) {
  await page.waitForFunction(() => {
    const cancel = [...document.querySelectorAll("button")].find((button) => button.textContent.trim().startsWith("Cancel"));
    return cancel?.disabled;
  }, null, { timeout: 120_000 });
}

async function withPage(body) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await body(page);
  } finally {
    await context.close();
  }
}

/** Runs in the page: notes when all strips hold a finished run and two frames later are on the screen. */
function watch() {
  const look = () => {
    const strips = document.querySelectorAll("[data-digest]");
    const done = strips.length >= 3 && document.querySelector("table caption");
    if (!done) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.comparisonMs = performance.now(); }));
  };
  requestAnimationFrame(look);
}

function report(what, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const shown = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  console.log(`${what.padEnd(48)} ${shown(middle).padStart(7)} ms  (${shown(sorted[0])} to ${shown(sorted.at(-1))})`);
}
