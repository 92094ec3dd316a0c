// Random scenarios through links and bundles, between the page and the command line: the same runs everywhere.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cli, digests, mounted, url, withPage } from "./lib.mjs";

const scenarios = 8;

/** Runs a command, and gives what it prints. */
function run(...args) {
  return execFileSync(cli, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

/** The digests of a scenario on the command line, with its first seed. */
function natively(scenario) {
  return JSON.parse(run("run", scenario, "--format", "json")).seeds[0].runs.map((run) => run.digest);
}

/** Draws numbers below a bound, and one of a list. */
function draws(seed) {
  let state = seed * 2654435761 + 12345;
  const below = (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  return { below, of: (list) => list[below(list.length)] };
}

const names = ["job", "a,b", '"quoted"', "<script>alert(1)</script>", "ü&=#%", "two words"];
const policies = [
  "fixed", "equal-share", "elastic-dp[delta_s=60]", "edf", "tiresias", "elasticflow", "shortest-first", "gandiva", "themis", "optimus",
  "pollux", "modelarts",
];

/** A random scenario document: data in it, conditions of all kinds, two to four policies. */
function scenario(seed) {
  const { below, of } = draws(seed);
  const cell = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const job = (_, at) => {
    const submit_s = below(20_000);
    const deadline = below(2) ? submit_s + 600 + below(30_000) : "";
    return [cell(`${of(names)} ${at}`), submit_s, of(["bert", "gpt"]), 2 ** below(4), 1_000 + below(2_000_000), deadline, of(["", "ann", "bob"])].join(",");
  };
  const jobs = Array.from({ length: 3 + below(25) }, job);
  const speeds = (model, at1) => [1, 2, 4, 8].map((gpus, at) => `${model},${gpus},${(at1 * gpus * (1 - 0.08 * at)).toFixed(3)}`);
  const chosen = [...policies];
  const document = {
    elastiplan: 1,
    title: `${of(names)} & co ${seed}`,
    jobs: { inline: `job_id,submit_s,model,gpus,samples,deadline_s,user\n${jobs.join("\n")}\n` },
    curves: { inline: ["model,gpus,samples_per_s", ...speeds("bert", 50 + below(100)), ...speeds("gpt", 5 + below(20)), ""].join("\n") },
    cluster: { nodes: 1 + below(6), gpus_per_node: of([1, 4, 8]) },
    what_if: { rescale_cost_s: below(120), arrival_rate: of([0.5, 1, 2]) },
    seeds: [below(1_000_000)],
    policies: Array.from({ length: 2 + below(3) }, () => chosen.splice(below(chosen.length), 1)[0]),
  };
  document.conditions = below(2) ? { checkpoint_interval_s: 300 + below(3_000) } : {};
  if (below(2)) document.conditions.faults = { node_mtbf_s: 50_000 + below(100_000), node_repair_s: 600 };
  return document;
}

/** Waits until the page has run all policies, and gives their digests. */
async function all(page, count) {
  await page.waitForFunction((count) => document.querySelectorAll("[data-digest]").length === count, count);
  return digests(page);
}

test(`${scenarios} random scenarios as links and bundles, from the command line to the page and back`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  for (let seed = 1; seed <= scenarios; seed += 1) {
    const document = scenario(seed);
    const path = join(folder, `${seed}.json`);
    writeFileSync(path, JSON.stringify(document));
    const expected = natively(path);
    const bundle = join(folder, `${seed}.elastiplan`);
    run("bundle", path, "--out", bundle);
    assert.deepEqual(natively(bundle), expected, `bundle of ${seed}`);
    const link = run("link", path, "--base", url).trim();
    assert.deepEqual(natively(link), expected, `link of ${seed}`);

    await withPage(async (page) => {
      await page.goto(link);
      await mounted(page);
      assert.deepEqual(await all(page, expected.length), expected, `link of ${seed} in the page`);
      await page.getByRole("button", { name: "Share", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Share" });
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("button", { name: /^Save file/ }).click(),
      ]);
      const saved = join(folder, `${seed}-saved.elastiplan`);
      await download.saveAs(saved);
      assert.deepEqual(natively(await dialog.getByLabel("Link to this scenario").inputValue()), expected, `the page's link of ${seed}`);
      assert.deepEqual(natively(saved), expected, `the page's bundle of ${seed}`);
    }, { acceptDownloads: true });

    await withPage(async (page) => {
      await page.goto(`${url}#v=1`);
      await mounted(page);
      await page.getByLabel("Folder", { exact: true }).waitFor({ state: "attached" });
      await page.getByLabel("Job trace", { exact: true }).setInputFiles(bundle);
      await page.locator(".status .said", { hasText: "Results agree with those in " }).waitFor();
      assert.deepEqual(await all(page, expected.length), expected, `bundle of ${seed} in the page`);
    });
  }
});
