// A decision as a program: from a selected time, as the command line prints it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { cli, ended, file, setRuns, withApp } from "./lib.mjs";
import { written } from "./native.mjs";

const jobs = file("jobs.csv", "job_id,submit_s,model,gpus,samples\nfirst,0,bert,2,900000\nsecond,300,bert,2,400000\nthird,900,bert,1,100000\n");
const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n");

test("the decision that holds at the end of the selected time, by counts and by node", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await setRuns(page, ["fixed", "bftrainer"]);
    await page.getByLabel("Nodes", { exact: true }).fill("2");
    await page.getByLabel("GPUs per node", { exact: true }).fill("2");
    await page.getByLabel("Job trace", { exact: true }).setInputFiles([jobs, curves]);
    await ended(page, { count: 2, before });

    await page.getByRole("heading", { level: 1 }).first().click();
    await page.keyboard.press("m");
    await page.keyboard.press("r");
    await page.getByRole("button", { name: "Close the story" }).click();
    // Of two policies one decides by a program.
    await page.getByRole("button", { name: "Show as a program" }).click();
    const sheet = page.getByRole("dialog", { name: "Decision as a program" });
    const text = sheet.locator("pre");
    await text.waitFor();
    const byCounts = await text.innerText();
    assert.match(byCounts, /^\\ bftrainer, decision at [\d.]+ s\n/);
    assert.match(await sheet.getByRole("table").innerText(), /GPUs after\s+(first|second|third)/);
    const at = /decision at ([\d.]+) s/.exec(byCounts)[1];
    assert.equal(byCounts.trimEnd(), natively(at).trimEnd());
    await sheet.getByRole("button", { name: "By node" }).click();
    await page.waitForFunction(() => document.querySelector("pre")?.innerText.includes("Nobody migrates"));
    assert.equal((await text.innerText()).trimEnd(), natively(at, "--by-node").trimEnd());
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });
});

/** The program that the command line prints for a time. */
function natively(at, ...options) {
  const [jobsPath, curvesPath] = written(jobs, curves);
  const inputs = ["--jobs", jobsPath, "--curves", curvesPath, "--nodes", "2", "--gpus-per-node", "2"];
  return execFileSync(cli, ["program", ...inputs, "--at", at, ...options], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
