// How fast the timelines are with 10^4, 10^5 and 10^6 spans in four runs: `cargo xtask bench` serves the page, and runs
// this. For both ways of painting: frames while panning and zooming, the time until everything is drawn, and memory.
import { readFileSync } from "node:fs";
import { file, idle, launch, setting } from "../page.mjs";
import { longTasks } from "./long-tasks.mjs";
import { curves, jobs } from "./synthetic.mjs";

const url = setting("ELASTIPLAN_URL");
const patience = { timeout: 180_000 };
const sizes = (process.env.ELASTIPLAN_BENCH_JOBS ?? "360,3600,36000").split(",").map(Number);
const ratio = Number(process.env.ELASTIPLAN_BENCH_RATIO ?? 1);
const policies = ["fixed", "shortest-first", "equal-share", "elastic-dp"];
const renderers = (process.env.ELASTIPLAN_BENCH_RENDERERS ?? "2d,gl").split(",");
const frames = 60;
// Machines that run benchmarks seldom have a graphics card: WebGL is computed on the processor.
const flags = {
  "2d": ["--disable-gpu"],
  gl: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-accelerated-2d-canvas"],
};

console.log(`Four runs, ${frames} frames each, milliseconds: median / 95th percentile`);
for (const size of sizes) {
  for (const renderer of renderers) await measure(size, renderer);
}

const browser = await launch(...flags["2d"]);
try {
  await longTasks(browser, url);
} finally {
  await browser.close();
}

async function measure(size, renderer) {
  const browser = await launch(...flags[renderer]);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: ratio });
    const page = await context.newPage();
    await page.addInitScript(instrument);
    await page.goto(`${url}?renderer=${renderer}`);
    await idle(page, patience);
    await page.getByRole("button", { name: "Add a policy" }).click();
    await page.getByRole("combobox", { name: "Find a policy, paper or property" }).fill("shortest-first");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.getByLabel("Throughput curves", { exact: true }).setInputFiles(file("curves.csv", curves()));
    await page.waitForTimeout(300);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(file("jobs.csv", jobs(size)));
    await page.waitForTimeout(600);
    await idle(page, patience);
    // What may need more memory than a tab has waits to be asked for.
    if (await page.getByText("They start when you press Run").count()) {
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForTimeout(600);
      await idle(page, patience);
    }
    await page.waitForTimeout(500);
    const facts = await page.evaluate(() => [...document.querySelectorAll("canvas.tl-canvas")].map((canvas) => ({ ...canvas.dataset })));
    const spans = facts.reduce((sum, fact) => sum + Number(fact.spans), 0);
    if (facts.some((fact) => fact.renderer !== renderer)) throw new Error(`no ${renderer} here`);
    console.log(`${size} jobs, ${spans.toLocaleString("en")} spans, ${renderer}, ${ratio} device pixels to a pixel`);
    for (const rows of ["GPUs", "Jobs", "a row each", "Nodes", "Each GPU"]) {
      const whole = await page.evaluate(switchTo, rows);
      const memory = await residentMb(browser);
      const detail = await page.evaluate(() => Number(document.querySelector("canvas.tl-canvas").dataset.detailBytes) / 1e6);
      const panned = await page.evaluate(drive, { kind: "pan", frames });
      const zoomed = await page.evaluate(drive, { kind: "zoom", frames });
      const shown = ({ script, frame }) => `script ${pair(script)}, frame ${pair(frame)}`;
      console.log(`  ${rows.padEnd(10)} all drawn after ${whole.toFixed(0)} ms; pan: ${shown(panned)}; zoom: ${shown(zoomed)}; `
        + `detail ${detail.toFixed(1)} MB, page and workers ${memory.own.toFixed(0)} MB of their own, ${memory.all.toFixed(0)} resident`);
    }
    await page.evaluate(switchTo, "Jobs");
    const filtered = await page.evaluate(filter);
    console.log(`  Jobs  without one model, all drawn after ${filtered.toFixed(0)} ms`);
  } finally {
    await browser.close();
  }
}

/** Resident memory of the page's process, its workers included: its own, and with the browser's code, which all
 * processes share. */
async function residentMb(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    try {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1000;
      return { own: megabytes("RssAnon") + megabytes("RssShmem"), all: megabytes("VmRSS") };
    } catch {
      return { own: 0, all: 0 }; // other systems, or a process that has ended
    }
  });
  return sizes.reduce((most, size) => (size.own > most.own ? size : most), { own: 0, all: 0 });
}

/** Runs in the page before anything else: notes how long what is called back before a frame takes, with what it leaves
 * to be done at once. */
function instrument() {
  globalThis.scriptMs = [];
  const ask = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.askFrame = ask;
  globalThis.requestAnimationFrame = (body) => ask(async (now) => {
    const began = performance.now();
    body(now);
    for (let hop = 0; hop < 20; hop += 1) await null;
    globalThis.scriptMs.push(performance.now() - began);
  });
}

/** Runs in the page: shows other rows, and gives the milliseconds until they are drawn with all detail. */
async function switchTo(rows) {
  const frame = () => new Promise(globalThis.askFrame);
  const button = [...document.querySelectorAll(".tl-show button")].find((button) => button.textContent === rows);
  const choice = document.querySelector(".tl-choice");
  const canvases = [...document.querySelectorAll("canvas.tl-canvas")];
  for (const canvas of canvases) delete canvas.dataset.detailComplete;
  const began = performance.now();
  if (button) {
    button.click();
  } else {
    choice.selectedIndex = [...choice.options].findIndex((option) => option.textContent === rows);
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }
  while (canvases.some((canvas) => canvas.dataset.detailComplete !== "1")) await frame();
  await frame();
  return performance.now() - began;
}

/** Runs in the page: hides a model, for which all is made anew, and gives the milliseconds until it is drawn with all
 * detail. */
async function filter() {
  const frame = () => new Promise(globalThis.askFrame);
  const canvases = [...document.querySelectorAll("canvas.tl-canvas")];
  for (const canvas of canvases) delete canvas.dataset.detailComplete;
  const began = performance.now();
  document.querySelector(".tl-model").click();
  while (canvases.some((canvas) => canvas.dataset.detailComplete !== "1")) await frame();
  await frame();
  return performance.now() - began;
}

/** Runs in the page: turns the wheel before every frame; the time between frames, and what scripts took of it. */
async function drive({ kind, frames }) {
  const frame = () => new Promise(globalThis.askFrame);
  const canvas = document.querySelector("canvas.tl-canvas");
  const box = canvas.getBoundingClientRect();
  const turn = (nth, only) => {
    const half = Math.floor(frames / 2);
    const there = nth < half ? 1 : -1;
    const wheel = kind === "pan" ? { deltaX: 25 * there, deltaY: 0 } : { deltaX: 0, deltaY: -28 * there, ctrlKey: true };
    const place = { clientX: box.left + box.width * 0.5, clientY: box.top + box.height * 0.3 };
    canvas.dispatchEvent(new WheelEvent("wheel", { ...(only ?? wheel), ...place, bubbles: true, cancelable: true }));
  };
  // All of time cannot be panned.
  if (kind === "pan") {
    for (let nth = 0; nth < 20; nth += 1) turn(nth, { deltaX: 0, deltaY: -28, ctrlKey: true });
    await frame();
  }
  globalThis.scriptMs.length = 0;
  const between = [];
  let last = await frame();
  for (let nth = 0; nth < frames; nth += 1) {
    turn(nth);
    const now = await frame();
    between.push(now - last);
    last = now;
  }
  const fit = [...document.querySelectorAll("button")].find((button) => button.textContent.startsWith("Fit"));
  fit.click();
  await frame();
  const of = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return [sorted[Math.floor(sorted.length / 2)], sorted[Math.floor(sorted.length * 0.95)]];
  };
  return { script: of(globalThis.scriptMs), frame: of(between) };
}

function pair([median, high]) {
  return `${median.toFixed(1)} / ${high.toFixed(1)}`;
}
