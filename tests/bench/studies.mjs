// What the page's thread does while a study runs: `cargo xtask bench` builds and serves the page, and runs this. A study
// of 8 to 64 nodes, five policies and ten seeds of 150 jobs: once left alone, once with a pointer over its curve, once
// with a user who types into the rail.
import { idle, launch, setRuns, setting } from "../page.mjs";
import { ownTimes, watchTasks } from "./long-tasks.mjs";

const url = setting("ELASTIPLAN_URL");
const patience = { timeout: 600_000 };
const policies = ["fixed", "equal-share", "elastic-dp", "elasticflow", "edf"];

const browser = await launch("--disable-gpu");
try {
  console.log(`Chromium ${browser.version()}: 8 to 64 nodes, five policies, ten seeds of 150 jobs`);
  for (const [name, meanwhile] of [["left alone", wait], ["pointer over the curve", hover], ["typing into the rail", type]]) {
    const { firstCurve, done, frames, tasks } = await measure(meanwhile);
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
    console.log(`  ${name}: first curve after ${seconds(firstCurve)}, done after ${seconds(done)}, frames ${frames}`);
    for (const [by, durations] of Object.entries(tasks)) {
      const above = (ms) => durations.filter((duration) => duration > ms).length;
      console.log(`    tasks, ${by}: longest ${Math.max(0, ...durations).toFixed(0)} ms, ${above(50)} above 50 ms`);
    }
  }
} finally {
  await browser.close();
}

async function measure(meanwhile) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await page.goto(url);
    await page.locator("[data-digest]").first().waitFor();
    await idle(page, patience);
    await prepare(page);
    await page.evaluate(watchStudy);
    await browser.startTracing(page, { categories: ["toplevel"] });
    await page.evaluate(() => globalThis.runStudy());
    while (!(await page.evaluate(() => globalThis.study.done))) await meanwhile(page);
    const trace = JSON.parse((await browser.stopTracing()).toString());
    const { firstCurve, done, frames } = await page.evaluate(() => globalThis.study);
    frames.sort((a, b) => a - b);
    const at = (share) => frames[Math.floor((frames.length - 1) * share)].toFixed(0);
    const tasks = { "by the clock": await page.evaluate(() => globalThis.longTasks), "processor's time": ownTimes(trace) };
    return { firstCurve, done, frames: `${at(0.5)} / ${at(0.95)} ms`, tasks };
  } finally {
    await context.close();
  }
}

/** The study, with everything but its runs. */
async function prepare(page) {
  await page.getByRole("button", { name: "Generate a workload" }).click();
  await page.getByLabel("Jobs", { exact: true }).first().fill("150");
  await page.getByRole("button", { name: "Generate 150 jobs" }).click();
  await idle(page, patience);
  await setRuns(page, policies);
  await idle(page, patience);
  await page.getByRole("button", { name: "Vary nodes" }).first().click({ force: true });
  await page.getByRole("button", { name: /^Nodes .*step/ }).click();
  const values = page.getByRole("group", { name: "Values of Nodes" });
  for (const [label, value] of [["From", "8"], ["To", "64"], ["Step", "1"]]) await values.getByLabel(label).fill(value);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Seeds/ }).click();
  await page.getByRole("group", { name: "Seeds" }).getByText("10", { exact: true }).first().click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run study" }).first().waitFor();
}

/** Runs in the page: presses Run, and keeps when the first curve stood, when all was done, and what frames took. */
function watchStudy() {
  const study = { frames: [] };
  globalThis.study = study;
  const button = (name) => [...document.querySelectorAll(".st-progress button")].find((one) => one.textContent.startsWith(name));
  globalThis.runStudy = () => {
    globalThis.longTasks.length = 0;
    const began = performance.now();
    let last = began;
    button("Run study").click();
    const look = () => {
      const now = performance.now();
      study.frames.push(now - last);
      last = now;
      if (!study.firstCurve && document.querySelector(".st-body [data-chart] canvas")) study.firstCurve = now - began;
      if (study.firstCurve && button("Run study")) study.done = now - began;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
}

async function wait(page) {
  await page.waitForTimeout(500);
}

/** Across the large curve and back. */
async function hover(page) {
  const box = await page.locator(".st-main [data-chart]").boundingBox({ timeout: 5_000 }).catch(() => null);
  if (!box) return wait(page);
  for (let nth = 0; nth <= 40; nth += 1) {
    const share = nth <= 20 ? nth / 20 : 2 - nth / 20;
    await page.mouse.move(box.x + box.width * (0.08 + 0.7 * share), box.y + box.height * (0.3 + 0.3 * share));
  }
}

/** A number, digit by digit, that ends as it was. */
async function type(page) {
  const field = page.getByLabel("GPUs per node", { exact: true });
  await field.focus();
  for (const digits of ["12", "8"]) {
    await field.selectText();
    await page.keyboard.type(digits, { delay: 120 });
    await wait(page);
  }
}
