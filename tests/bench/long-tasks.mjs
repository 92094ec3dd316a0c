// What a person who uses the page while runs come in waits for: tasks of the page's thread that take longer than 50 ms,
// as the browser itself reports them.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { idle, setRuns } from "../page.mjs";
import { inDataPack, noDataPack, realFiles } from "../data-pack.mjs";

const patience = { timeout: 300_000 };

/** What is measured: a trace, its cluster and the policies that run on it. */
function cases() {
  const cluster07 = realFiles("cluster07.csv");
  const six = ["fixed", "shortest-first", "equal-share", "elastic-dp", "edf", "tiresias"];
  return [
    { name: "cluster07, 12,699 jobs, six policies", ...cluster07, nodes: 16, policies: six },
    { name: "philly, 82,247 jobs, two policies", ...philly(), nodes: 300, policies: ["fixed", "shortest-first"] },
  ];
}

/** Microsoft's Philly trace as a plain job trace: one model whose throughput grows as its GPUs do. */
export function philly() {
  const path = inDataPack("philly/philly.csv");
  if (!existsSync(path)) return {};
  const [, ...rows] = readFileSync(path, "utf8").trim().split("\n");
  const jobs = rows.map((row, at) => {
    const [when, duration, gpus] = row.split(",");
    return { at, submit: Date.parse(`${when.replace(" ", "T")}Z`) / 1000, gpus, duration };
  });
  jobs.sort((a, b) => a.submit - b.submit || a.at - b.at);
  const line = ({ at, submit, gpus, duration }) => `job-${at},${submit},philly,${gpus},${duration}`;
  const powers = [1, 2, 4, 8, 16, 32, 64, 128];
  return {
    jobs: kept("philly-jobs.csv", `job_id,submit_s,model,gpus,duration_s\n${jobs.map(line).join("\n")}\n`),
    curves: kept("philly-curves.csv", `model,gpus,samples_per_s\n${powers.map((gpus) => `philly,${gpus},${gpus * 100}`).join("\n")}\n`),
  };
}

/** A file of its own: what is handed over as a buffer is made into a file by a task of the page. */
function kept(name, text) {
  const path = join(mkdtempSync(join(tmpdir(), "elastiplan-")), name);
  writeFileSync(path, text);
  return path;
}

/** Prints the longest tasks of each case, from the choice of a trace until its runs are drawn: by the clock, and by the
 * processor's time that they took, which other work on the machine does not change. */
export async function longTasks(browser, url) {
  if (noDataPack) return console.log(noDataPack);
  console.log("Tasks of the page's thread while runs come in: longest, and how many take above 50 and 100 ms");
  for (const of of cases().filter(({ jobs }) => jobs)) {
    const tasks = await measure(browser, url, of);
    for (const [by, durations] of Object.entries(tasks)) {
      const above = (ms) => durations.filter((duration) => duration > ms).length;
      console.log(`  ${of.name}, ${by}: longest ${Math.max(0, ...durations).toFixed(0)} ms, ${above(50)} above 50 ms, ${above(100)} above 100 ms`);
    }
  }
}

async function measure(browser, url, { jobs, curves, nodes, policies }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await page.goto(url);
    await page.locator("[data-digest]").first().waitFor();
    await idle(page, patience);
    await setRuns(page, policies);
    await page.getByLabel("Nodes", { exact: true }).fill(String(nodes));
    await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(curves);
    await idle(page, patience);
    await page.evaluate(() => { globalThis.longTasks.length = 0; });
    await browser.startTracing(page, { categories: ["toplevel"] });
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
    await page.waitForFunction((count) => {
      const done = document.querySelectorAll("[data-digest]").length === count;
      const canvases = [...document.querySelectorAll("canvas.tl-canvas")];
      return done && canvases.some((canvas) => Number(canvas.dataset.spans) > 10_000) && canvases.every((canvas) => canvas.dataset.detailComplete === "1");
    }, policies.length, patience);
    await idle(page, patience);
    const trace = JSON.parse((await browser.stopTracing()).toString());
    return { "by the clock": await page.evaluate(() => globalThis.longTasks), "processor's time": ownTimes(trace) };
  } finally {
    await context.close();
  }
}

/** Milliseconds of the processor that each task of the page's main thread took: that of the busiest page. */
export function ownTimes({ traceEvents }) {
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const tasks = (of) => traceEvents.filter(({ name, pid, tid, tdur }) => name === "ThreadControllerImpl::RunTask" && pid === of.pid && tid === of.tid && tdur);
  const sum = (durations) => durations.reduce((sum, duration) => sum + duration, 0);
  const all = threads.map((thread) => tasks(thread).map(({ tdur }) => tdur / 1000));
  return all.reduce((most, durations) => (sum(durations) > sum(most) ? durations : most), []);
}

/** Runs in the page before anything else: keeps what the browser reports. */
export function watchTasks() {
  globalThis.longTasks = [];
  const keep = (list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(keep).observe({ type: "longtask", buffered: true });
}
