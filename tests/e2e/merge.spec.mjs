// Files over earlier files: jobs that are added or take their place, curves by model, arrivals beside the log.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, file, handOver, withApp } from "./lib.mjs";

const jobs = (name, prefix, count, first = 0) => file(name, [
  "job_id,submit_s,model,gpus,samples",
  ...Array.from({ length: count }, (_, n) => `${prefix}${n},${first + 60 * n},bert,${1 + n % 2},90000`),
].join("\n"));
const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\ngpt,1,50\n");
const others = file("others.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,285\nvit,1,70\n");
const log = file("idle.csv", "node,start_s,end_s\na,0,300\nb,60,300\n");

/** Opens the report on what was loaded, from the rail. */
const report = (page, name) => page.getByRole("button", { name }).first().click();

/** The runs after a choice in the report. */
async function compared(page, before) {
  await page.getByRole("button", { name: "Back to the comparison" }).first().click();
  return ended(page, { before });
}

test("jobs of a second file take the place of the first's, or are added to them", async () => {
  await withApp(async (page) => {
    const sample = await handOver(page, [jobs("monday.csv", "a", 10), curves]);
    const monday = await ended(page, { before: sample });
    await handOver(page, [jobs("tuesday.csv", "a", 6, 900)]);
    const tuesday = await ended(page, { before: [...sample, ...monday] });
    await report(page, "tuesday.csv, report");
    const choice = page.getByRole("group", { name: "Jobs", exact: true });
    await page.getByText("If added: 6 names stand in both; renamed a0 to a0-2, a1 to a1-2, …").waitFor();
    assert.equal(await choice.getByRole("button", { name: "Replace the 10 loaded" }).getAttribute("aria-pressed"), "true");
    await choice.getByRole("button", { name: "Add to them" }).click();
    await page.getByRole("heading", { name: "16 jobs loaded" }).waitFor();
    const both = await compared(page, [...sample, ...monday, ...tuesday]);
    await report(page, "tuesday.csv, report");
    await page.getByText("6 jobs are renamed: a0 to a0-2, a1 to a1-2, …").waitFor();
    await choice.getByRole("button", { name: "Replace the 10 loaded" }).click();
    await page.getByRole("heading", { name: "6 jobs loaded" }).waitFor();
    assert.deepEqual(await compared(page, both), tuesday);
  });
});

test("of a model with other curves those of the file are taken, unless one keeps the loaded ones", async () => {
  await withApp(async (page) => {
    const sample = await handOver(page, [jobs("jobs.csv", "a", 10), curves]);
    const before = await ended(page, { before: sample });
    await handOver(page, [others]);
    const taken = await ended(page, { before: [...sample, ...before] });
    await report(page, /(models|files), report/);
    const table = page.getByRole("table", { name: "Curves by model, before and after" });
    const row = (model) => table.getByRole("row").filter({ hasText: new RegExp(`^${model}`) });
    assert.match(await row("bert").innerText(), /1 of 2 shared points differ, by up to \+50%/);
    assert.match(await row("gpt").innerText(), /Kept/);
    assert.match(await row("vit").innerText(), /Added/);
    await table.getByRole("group", { name: "Curves of bert" }).getByRole("button", { name: "Keep loaded" }).click();
    assert.deepEqual(await compared(page, taken), before, "only bert has jobs");
    // Both: jobs keep the loaded curves, and the file's are a model of another name.
    await report(page, /(models|files), report/);
    const points = page.getByRole("region", { name: "Points of bert" });
    assert.match(await points.getByRole("row").filter({ hasText: /^2/ }).innerText(), /190\s+285\s+\+50%/);
    await table.getByRole("group", { name: "Curves of bert" }).getByRole("button", { name: "Keep both" }).click();
    await points.getByText("10 jobs use the loaded curves; the file's are called bert (2).").waitFor();
    await page.getByRole("button", { name: "Back to the comparison" }).first().click();
    await page.getByRole("button", { name: /^4 models/ }).first().waitFor();
  });
});

test("a log that ends before the last job arrives is named", async () => {
  await withApp(async (page) => {
    const sample = await handOver(page, [jobs("jobs.csv", "a", 10), curves, log]);
    await ended(page, { before: sample });
    await report(page, "jobs.csv, report");
    const times = page.getByRole("region", { name: "Time and nodes" });
    await times.getByText("10 jobs, 9m").waitFor();
    const command = await page.getByText(/^elastiplan simulate/).innerText();
    assert.match(command, /^elastiplan simulate --jobs jobs.csv --curves curves.csv --availability idle.csv .*--policy fixed/);
    await times.getByText("The log ends 4m 00s before the last job arrives: 4 jobs arrive after it").waitFor();
  });
});
