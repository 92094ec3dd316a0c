// Scenarios that travel: saved as a file, copied as a link, opened in another page and on the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cli, digests, ended, file, mounted, samplePolicies, url, withApp, withPage } from "./lib.mjs";

const root = new URL("../../", import.meta.url).pathname;
const frozen = (name) => join(root, "crates/documents/tests/frozen/v1", name);
const golden = (name) => join(root, "tests/golden", name);

/** Runs a command, and gives what it prints. */
function run(args, options = {}) {
  return execFileSync(cli, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"], ...options });
}

/** The digests of a scenario on the command line, with its first seed. */
function natively(scenario) {
  return JSON.parse(run(["run", scenario, "--format", "json"])).seeds[0].runs.map((run) => run.digest);
}

const status = (page, words) => page.locator(".status .said", { hasText: words }).waitFor();

const notice = (page) => page.getByRole("dialog", { name: "Opened scenario" });

async function share(page) {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: /^Save file/ }).waitFor();
  return dialog;
}

async function savedFile(page) {
  const dialog = await share(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: /^Save file/ }).click(),
  ]);
  const path = join(mkdtempSync(join(tmpdir(), "elastiplan-")), download.suggestedFilename());
  await download.saveAs(path);
  await page.keyboard.press("Escape");
  return path;
}

async function linkOf(page) {
  const dialog = await share(page);
  const link = await dialog.getByLabel("Link to this scenario").inputValue();
  await page.keyboard.press("Escape");
  return link;
}

/** Opens an address in a fresh profile and calls back. */
function opened(address, body, options = {}) {
  return withPage(async (page) => {
    await page.goto(address);
    await mounted(page);
    await body(page);
  }, options);
}

/** A scenario with a few jobs of its own, written to a folder. */
function written(change = {}, jobs = 12) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  const rows = Array.from({ length: jobs }, (_, at) => `job ${at},${at * 60},bert,${1 + (at % 4)},${90_000 + ((at * 7919) % 1000) * 977}`);
  writeFileSync(join(folder, "jobs.csv"), ["job_id,submit_s,model,gpus,samples", ...rows].join("\n"));
  const scenario = {
    elastiplan: 1,
    title: "Own jobs",
    jobs: { file: "jobs.csv" },
    curves: { inline: "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n" },
    cluster: { nodes: 2, gpus_per_node: 4 },
    what_if: { rescale_cost_s: 12 },
    policies: ["fixed", "equal-share", "elastic-dp[delta_s=60]"],
    ...change,
  };
  writeFileSync(join(folder, "scenario.json"), JSON.stringify(scenario));
  return { folder, scenario: join(folder, "scenario.json"), jobs: join(folder, "jobs.csv") };
}

test("a saved file opens in another page and on the command line, with the same results", async () => {
  let path, expected;
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByLabel("Nodes", { exact: true }).fill("13");
    expected = await ended(page, { before });
    path = await savedFile(page);
  }, { acceptDownloads: true });
  assert.match(path, /\.elastiplan$/);
  assert.deepEqual(natively(path), expected);
  await withApp(async (page) => {
    await ended(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(path);
    await status(page, "Results agree with those in ");
    assert.deepEqual(await digests(page), expected);
    assert.equal(await page.getByLabel("Nodes", { exact: true }).inputValue(), "13");
    assert.equal(await page.locator("#app h1").innerText(), "Elastiplan");
  });
});

test("a copied link opens in another page and on the command line, with its view", async () => {
  let link, expected;
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByLabel("GPUs per node").fill("6");
    expected = await ended(page, { before });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Each job", exact: true }).click();
    await page.getByRole("button", { name: "Jobs", exact: true }).first().click();
    link = await linkOf(page);
  });
  assert.ok(link.startsWith(url) && link.includes("view=jobs") && link.includes("chart=each"), link);
  assert.ok(link.length < 2000, `${link.length}`);
  assert.deepEqual(natively(link), expected);
  await opened(link, async (page) => {
    await page.waitForFunction((expected) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return JSON.stringify(now) === JSON.stringify(expected);
    }, expected);
    await page.locator('.app[data-screen="jobs"]').waitFor();
  });
});

test("the link of a preset is its name", async () => {
  await opened(`${url}#v=1&preset=idle-nodes`, async (page) => {
    await page.locator(".scenario-name", { hasText: "Nodes that come and go" }).waitFor();
    await status(page, "finished");
    assert.deepEqual(await digests(page), natively("idle-nodes"));
    const link = await linkOf(page);
    assert.ok(link.includes("&preset=idle-nodes"), link);
  });
});

test("a link of the command line opens in the page, the job selected that it names", async () => {
  const { scenario } = written();
  const link = run(["link", scenario, "--base", url]).trim();
  await opened(`${link.replace("#v=1", "#v=1&job=job%203&t=600")}`, async (page) => {
    await page.locator(".scenario-name", { hasText: "Own jobs" }).waitFor();
    await ended(page, { before: [] });
    await page.getByRole("complementary").getByText("job 3", { exact: false }).first().waitFor();
    assert.deepEqual(await digests(page), natively(scenario));
  });
});

test("data that do not fit are asked for, and only the right file is taken", async () => {
  const { scenario, jobs } = written({}, 1500);
  const link = run(["link", scenario, "--base", url]).trim();
  await opened(link, async (page) => {
    const dialog = notice(page);
    await dialog.getByText(/^Drop jobs\.csv \([0-9a-f]{4}…\)/).waitFor();
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(file("jobs.csv", "job_id,submit_s,model,gpus,samples\na,0,bert,1,5\n"));
    await dialog.getByText("jobs.csv is another file of that name").waitFor();
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(jobs);
    await dialog.waitFor({ state: "detached" });
    await page.locator(".scenario-name", { hasText: "Own jobs" }).waitFor();
    const expected = natively(scenario);
    await page.waitForFunction((expected) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return JSON.stringify(now) === JSON.stringify(expected);
    }, expected);
  });
});

test("a link that was cut opens with what is before the cut, and says so", async () => {
  const { scenario } = written();
  const link = run(["link", scenario, "--base", url]).trim();
  await opened(link.slice(0, link.length - 90), async (page) => {
    const dialog = notice(page);
    await dialog.getByText(/^cut at character [\d,]+: cluster, policies and what_if are read, jobs and curves are missing$/).waitFor();
    await dialog.getByText("The sample stands in for jobs and curves").waitFor();
    await page.keyboard.press("Escape");
    await ended(page);
    assert.equal(await page.getByLabel("Nodes", { exact: true }).inputValue(), "2");
  });
  for (const [link, words] of [
    ["#v=1&s=", "nothing of the scenario is there"],
    ["#v=1&preset=sampel", "there is no preset sampel"],
    ["#v=1&s=a*b", "* is character 2 of its document"],
    ["#v=1&view=jobs", "the link names no scenario"],
  ]) {
    await opened(url + link, async (page) => {
      await notice(page).getByText(words).waitFor();
      await page.keyboard.press("Escape");
      await notice(page).waitFor({ state: "detached" });
      await ended(page);
    });
  }
});

test("a bundle from the future without its data opens with what is sound", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(golden("run-bundle-damaged/bundle.elastiplan"));
    const dialog = notice(page);
    for (const words of ["made by version 2; this build reads 1", "equal-shar is not a policy", "data/jobs.csv is missing in the bundle"]) {
      await dialog.getByText(words).waitFor();
    }
    await dialog.getByText(/^Drop data\/jobs\.csv/).waitFor();
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(frozen("jobs.csv"));
    await page.locator(".scenario-name", { hasText: "Kept since version 1: <b>all</b> parts" }).waitFor();
    await status(page, "Results agree with those in bundle.elastiplan");
    assert.equal(await page.locator(".scenario-name b").count(), 0);
  });
});

test("results that differ from those in a file are named", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(golden("run-bundle-differs/bundle.elastiplan"));
    await notice(page).getByRole("heading", { name: "Results differ from those in bundle.elastiplan: fixed[backfill=true]" }).waitFor();
  });
});

test("a document is opened with the files beside it, and its texts stay texts", async () => {
  const title = "<img src=x onerror='globalThis.wasRun=1'>";
  const { scenario, jobs } = written({ title });
  await withApp(async (page) => {
    await ended(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles([scenario, jobs]);
    await page.locator(".scenario-name", { hasText: title }).waitFor();
    const expected = natively(scenario);
    await page.waitForFunction((expected) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return JSON.stringify(now) === JSON.stringify(expected);
    }, expected);
    const dialog = await share(page);
    await dialog.getByRole("heading", { name: `Share ${title}` }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.wasRun), undefined);
    await page.keyboard.press("Escape");
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(file("scenario.json", '{"elastiplan": 1, "jobs"'));
    await notice(page).getByText("scenario.json ends too early").waitFor();
  });
});

test("a scenario on the page's own server is fetched, one on another is not", async () => {
  const { scenario } = written({ jobs: { sample: {} }, curves: { sample: {} }, title: "From the server" });
  await withPage(async (page) => {
    await page.route("**/mine/scenario.json", (route) => route.fulfill({ body: readFileSync(scenario, "utf8") }));
    await page.goto(`${url}?scenario=mine/scenario.json`);
    await mounted(page);
    await page.locator(".scenario-name", { hasText: "From the server" }).waitFor();
  });
  await opened(`${url}?scenario=https://example.org/scenario.json`, async (page) => {
    await notice(page).getByText("https://example.org/scenario.json is on another server").waitFor();
  });
});
