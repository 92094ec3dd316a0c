// Forks: a change in the middle of a run, beside the run as it was; the same as on the command line.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cli, ended, pressRun, withApp } from "./lib.mjs";

/** Opens the sheet for a run from its menu. */
async function openSheet(page, badge) {
  await pressRun(page, "Fork here", badge);
  return page.getByRole("dialog", { name: "Fork a run" });
}

/** Forks a run: at a time, a kind of change, and what it needs. */
async function fork(page, badge, time, kind, values = {}) {
  const sheet = await openSheet(page, badge);
  await sheet.getByLabel("Time after the first submission").fill(time);
  await sheet.getByLabel("Change").selectOption(kind);
  for (const [label, value] of Object.entries(values)) {
    if (label === "Policy") await sheet.locator("select").last().selectOption(value);
    else await sheet.getByLabel(label, { exact: true }).fill(value);
  }
  await sheet.getByRole("button", { name: "Fork", exact: true }).click();
  await sheet.waitFor({ state: "detached" });
}

/** The digest of a run of the sample with these forks on the command line. */
function digestOf(policy, forks) {
  const folder = mkdtempSync(join(tmpdir(), "fork-"));
  try {
    const scenario = {
      elastiplan: 1, jobs: { sample: { seed: 3 } }, curves: { sample: {} }, cluster: { nodes: 16, gpus_per_node: 8 },
      forks, policies: [policy], seeds: [3],
    };
    writeFileSync(join(folder, "scenario.json"), JSON.stringify(scenario));
    const { status, stdout, stderr } = spawnSync(cli, ["run", join(folder, "scenario.json"), "--format", "json"], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).seeds[0].runs[0].digest;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a fork stands after its origin, is named, and has the digest of the command line", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await fork(page, "C", "1h 30m", "nodes", { Nodes: "20" });
    const digests = await ended(page, { count: 4 });
    assert.deepEqual(digests.slice(0, 3), before, "the others are as they were");
    assert.equal(digests[3], digestOf("elastic-dp", ["at=1h30m nodes=20"]));
    await page.getByRole("button", { name: /^D elastic-dp.*from 1h 30m: 20 nodes/ }).waitFor();
    await page.getByRole("region", { name: "Timeline: elastic-dp, from 1h 30m: 20 nodes", exact: true }).waitFor();
    // A fork of the fork, by another policy that the first worker does not have.
    await fork(page, "D", "2h", "policy", { Policy: "tiresias" });
    const five = await ended(page, { count: 5 });
    assert.equal(five[4], digestOf("elastic-dp", ["at=1h30m nodes=20", "at=2h policy=tiresias"]));
    // Its origin may go; the fork stays as it is.
    await pressRun(page, "Remove", "C");
    assert.deepEqual(await ended(page, { count: 4 }), [five[0], five[1], five[3], five[4]]);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await ended(page, { count: 5 }), five);
    await pressRun(page, "Compare with its origin", "D");
    await page.getByRole("button", { name: /^A elastic-dp.*baseline/ }).waitFor();
  });
});

test("the sheet begins with its first field, and refuses a time after the run", async () => {
  await withApp(async (page) => {
    await ended(page);
    const sheet = await openSheet(page, "C");
    const time = sheet.getByLabel("Time after the first submission");
    assert.ok(await time.evaluate((field) => field === document.activeElement));
    await time.fill("90d");
    await sheet.getByText(/^The run ends at .*: choose an earlier time$/).waitFor();
    assert.ok(await sheet.getByRole("button", { name: "Fork", exact: true }).isDisabled());
    await time.fill("1h");
    await sheet.getByText(/from 1h 00m: /).waitFor();
    assert.ok(await sheet.getByRole("button", { name: "Fork", exact: true }).isEnabled());
  });
});

test("every kind of change, each as on the command line", async () => {
  await withApp(async (page) => {
    await ended(page);
    const kinds = [
      ["fails", { "Node, from 0": "3", For: "2h" }, "at=25m fails=3 for=2h"],
      ["end", { Job: "mobilenets-3" }, "at=25m end=mobilenets-3"],
      ["priority", { Job: "mobilenets-3", Priority: "9" }, "at=25m priority=9 job=mobilenets-3"],
    ];
    for (const [at, [kind, values, text]] of kinds.entries()) {
      await fork(page, "C", "25m", kind, values);
      const digests = await ended(page, { count: 4 + at });
      assert.equal(digests[3], digestOf("elastic-dp", [text]), text);
    }
  });
});

test("what cannot be forked is said in words", async () => {
  await withApp(async (page) => {
    await ended(page);
    const sheet = await openSheet(page, "A");
    const status = sheet.getByRole("status");
    const button = sheet.getByRole("button", { name: "Fork", exact: true });
    const says = async (words) => {
      await status.filter({ hasText: words }).waitFor();
      assert.equal(await button.isDisabled(), true, words);
    };
    await sheet.getByLabel("Time after the first submission").fill("soon");
    await says("soon is not a time");
    await sheet.getByLabel("Time after the first submission").fill("1h");
    await sheet.getByLabel("Change").selectOption("end");
    await says("Which job?");
    await sheet.getByLabel("Job", { exact: true }).fill("nobody");
    await says("No job is called nobody");
    // A job that is there, but has ended by then: the run says so, and the others stand.
    await sheet.getByLabel("Time after the first submission").fill("4h");
    await sheet.getByLabel("Job", { exact: true }).fill("alexnet-1");
    await button.click();
    await page.getByText(/fork from 4h 00m: alexnet-1 ends: the job ended at/).first().waitFor();
    await page.keyboard.press("Control+z");
    await ended(page);
    // No node at all.
    await fork(page, "A", "1h", "nodes", { Nodes: "0" });
    await page.getByText(/fork from 1h 00m: 0 nodes: a cluster has from 1 to 65536 nodes/).first().waitFor();
  });
});

test("the sheet opens by a key at the cursor", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.keyboard.press("]");
    await page.keyboard.press("k");
    const sheet = page.getByRole("dialog", { name: "Fork a run" });
    await sheet.getByRole("heading", { name: "Fork fixed" }).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });
});
