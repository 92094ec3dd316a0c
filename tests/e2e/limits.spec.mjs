// Runs that can hardly be compared: the page says what it can and cannot, and shows the rest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { digests, ended, file, handOver, openMoreFields, withApp } from "./lib.mjs";

test("one job, and then none that finishes", async () => {
  await withApp(async (page) => {
    await handOver(page, file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n"), "Throughput curves");
    await page.waitForTimeout(300);
    const sample = await digests(page);
    await page.getByLabel("Job trace", { exact: true })
      .setInputFiles(file("one.csv", "job_id,submit_s,model,gpus,samples\nonly,0,bert,2,900000\n"));
    await ended(page, { before: sample });
    await page.getByText("One job: percentiles and distributions say nothing more").waitFor();

    const one = await digests(page);
    await openMoreFields(page);
    await page.getByLabel(/^End simulation after/).fill("0.1");
    await page.keyboard.press("Enter");
    await ended(page, { before: one });
    await page.getByRole("heading", { name: "No run completes a job" }).waitFor();
    for (const policy of ["fixed", "equal-share", "elastic-dp"]) {
      await page.getByText(`${policy} completes no job: it has no times`).waitFor();
    }
    assert.equal(await page.getByText("No job has completed yet").count(), 1);
    // The rest is there: a bar in each strip, and a story of the job.
    await page.locator("body").press("Escape");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press(".");
    const story = page.getByRole("region", { name: "Story of only" });
    await story.waitFor();
    assert.match(await story.innerText(), /unfinished/);
    await page.keyboard.press("m");
    await page.locator(".status", { hasText: "No job completes at another time under another policy" }).waitFor();
  });
});

test("a filter that matches no job any more says so, and is cleared there", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("missed:A");
    await page.getByRole("option", { name: /Show only/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".filter-count", { hasText: "of 48 jobs" }).waitFor();
    // On a cluster with room for all of them no job is late.
    await page.getByLabel("Nodes", { exact: true }).fill("500");
    await page.getByLabel("Deadlines", { exact: true }).fill("9");
    const none = page.locator(".tl-none", { hasText: "No job matches missed:A" });
    await none.waitFor();
    await none.getByRole("button", { name: "Clear" }).click();
    await none.waitFor({ state: "detached" });
    assert.equal((await ended(page, { before })).length, 3);
  });
});

test("one deadline is told in the singular", async () => {
  await withApp(async (page) => {
    await ended(page);
    // Deadlines that the run which the verdict is about meets, and the baseline does not, and the other way round.
    const words = await page.locator(".verdict .count", { hasText: "deadline" }).allInnerTexts();
    assert.deepEqual(words, ["18 deadlines gained", "1 deadline lost"]);
  });
});

test("on a phone the heads of the jobs' table stay over their columns, and names at the left", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("button", { name: "Jobs", exact: true }).last().click();
    const [head, name, last, room] = await page.locator(".jobs-scroll").evaluate(async (box) => {
      box.scrollTo(1e6, 200);
      await new Promise(requestAnimationFrame);
      const rect = (selector) => box.querySelector(selector).getBoundingClientRect();
      const row = box.querySelector("thead tr:last-child");
      const left = (element) => Math.round(element.getBoundingClientRect().left);
      return [left(row.cells[0]), Math.round(rect("tbody th").left), row.cells[0].innerText.trim(), Math.round(box.getBoundingClientRect().left)];
    });
    assert.deepEqual([head, name, last], [room, room, "Job"]);
  }, { viewport: { width: 390, height: 844 } });
});
