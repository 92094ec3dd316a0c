// How long simulations take in the browser: `cargo xtask bench` builds and serves the page, and runs this. Prints
// medians over repeated runs of the real traces, where they are at hand.
import { idle, launch, setRuns, setting, spread } from "../page.mjs";
import { inDataPack, noDataPack, realFiles } from "../data-pack.mjs";

const url = setting("ELASTIPLAN_URL");
const patience = { timeout: 120_000 };

const browser = await launch("--disable-gpu");
try {
  console.log(`Chromium ${browser.version()}, median (smallest to largest)`);
  if (noDataPack) {
    console.log(noDataPack);
  } else {
    await policies("195job.csv", 9);
    await policies("cluster07.csv", 3);
    await rivals(elasticflow("195job.csv", 16), ["elasticflow", "themis", "chronus", "edf"]);
    await rivals(elasticflow("cluster01.csv", 64), ["elasticflow", "edf", "tiresias", "gandiva"]);
    await rivals(pollux("workload-1.csv"), ["tiresias", "optimus", "pollux"]);
  }
} finally {
  await browser.close();
}

/** Reading a trace and running the policies on it, each alone and all at once. */
async function policies(trace, repeats) {
  const { jobs, curves } = realFiles(trace);
  const walls = new Map();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await withPage(async (page) => {
      await handOver(page, "Throughput curves", curves);
      await handOver(page, "Job trace", jobs);
      await idle(page, patience);
      for (let again = 0; again < 2; again += 1) await run(page);
      await collectTimes(page, walls);
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
      await setRuns(page, names.slice(pair, pair + 2));
      await page.getByLabel("Nodes", { exact: true }).fill(String(nodes));
      await page.getByLabel("GPUs per node", { exact: true }).fill(String(gpusPerNode));
      if (curves) await handOver(page, "Throughput curves", curves);
      if (folder) await handOver(page, "Folder", folder);
      await handOver(page, "Job trace", jobs);
      await idle(page, patience);
      for (let again = 0; again < 3; again += 1) {
        await run(page);
        await collectTimes(page, walls);
      }
    });
    for (const [name, times] of walls) report(`${trace}, ${nodes} nodes: ${name}`, times);
  }
}

/** Opens the page in a fresh profile and waits for its first comparison. */
async function withPage(body) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("table caption").first().waitFor();
    await idle(page);
    await body(page);
  } finally {
    await context.close();
  }
}

async function handOver(page, label, files) {
  await page.getByLabel(label, { exact: true }).setInputFiles(files);
  await page.waitForTimeout(600);
}

async function run(page) {
  await page.getByRole("button", { name: "Run", exact: true }).first().click();
  await idle(page, patience);
}

/** Adds the time that each policy took to those of the runs before. */
async function collectTimes(page, walls) {
  for (const strip of await page.locator("[data-wall-ms]").all()) {
    const name = (await strip.getAttribute("aria-label")).replace("Timeline: ", "");
    const times = walls.get(name) ?? walls.set(name, []).get(name);
    times.push(Number(await strip.getAttribute("data-wall-ms")));
  }
}

function report(what, times) {
  const shown = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  const { median, least, most } = spread(times);
  console.log(`${what.padEnd(48)} ${shown(median).padStart(7)} ms  (${shown(least)} to ${shown(most)})`);
}
