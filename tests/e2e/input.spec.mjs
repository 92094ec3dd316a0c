// What becomes of files that are not as they should be, and of a page in unusual circumstances.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addRun, ended, file, handOver, pressRun, url, withApp, withPage } from "./lib.mjs";

const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n");
const jobs = file("jobs.csv", [
  "job_id,submit_s,model,gpus,samples",
  "a,0,bert,2,90000",
  "b,10,bert,1e300,90000",
  "c,20,bert,1,NaN",
  "d,30,gpt9,1,90000",
  "e,40,bert,1,50000",
].join("\n"));

test("bad rows are named, good rows load", async () => {
  await withApp(async (page) => {
    await handOver(page, [jobs, curves]);
    await page.getByRole("heading", { name: "2 of 5 jobs can run" }).waitFor();
    const found = await page.getByRole("table").filter({ hasText: "What happens" }).first().innerText();
    for (const [row, column, value] of [["3", "gpus", "1e300"], ["4", "samples", "NaN"], ["5", "model", "gpt9"]]) {
      const line = found.split("\n").find((line) => line.includes(column) && line.includes(value));
      assert.ok(line?.includes(row) || found.includes(value), `${row}, ${column}, ${value} in\n${found}`);
    }
    await page.getByRole("button", { name: "Back to the comparison" }).first().click();
    const digests = await page.locator("[data-digest]").count();
    assert.equal(digests, 3);
  });
});

for (const [what, bad] of [
  ["an empty file", file("empty.csv", "")],
  ["a binary file", { name: "picture.csv", mimeType: "text/csv", buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2, 0, 255]) }],
  ["a table of something else", file("weather.csv", "day,rain\nmonday,3\n")],
  ["a header and nothing below", file("jobs.csv", "job_id,submit_s,model,gpus,samples\n")],
]) {
  test(`${what} changes nothing that was loaded`, async () => {
    await withApp(async (page) => {
      const before = await ended(page);
      await handOver(page, [bad]);
      await page.getByRole("status").filter({ hasText: "What was loaded stays" }).waitFor();
      await page.getByText(bad.name).first().waitFor();
      await page.getByRole("button", { name: "Back to the comparison" }).first().click();
      assert.deepEqual(await ended(page), before);
    });
  });
}

test("undo brings back what was loaded before", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await handOver(page, [jobs, curves]);
    await page.getByRole("heading", { name: "2 of 5 jobs can run" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction((first) => document.querySelector("[data-digest]")?.dataset.digest === first, before[0]);
    assert.deepEqual(await ended(page), before);
  });
});

test("runs that may need more memory than a tab has say so and wait to be asked for", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    const rows = Array.from({ length: 67_200 }, (_, at) => `${at},${10 * at},bert,1,1000`);
    await handOver(page, [file("many.csv", `job_id,submit_s,model,gpus,samples\n${rows.join("\n")}`), curves]);
    const warning = page.locator(".notice");
    await warning.waitFor();
    assert.equal(await warning.innerText(), "The runs may take up to 1.1 GB of memory. A browser tab may have less. "
      + "Compare fewer policies at a time, use a part of the jobs, or the command line. They start when you press Run");
    const [colour, wanted] = await warning.evaluate((notice) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--warn)";
      return [notice, probe].map((element) => getComputedStyle(element).color);
    });
    assert.equal(colour, wanted);
    await page.waitForTimeout(600); // runs that start by themselves do so 250 ms after the last edit
    assert.deepEqual(await ended(page), before, "nothing has run");
    await page.getByRole("button", { name: "1 warning" }).click();
    await page.getByRole("row").filter({ hasText: "The runs may take up to 1.1 GB of memory" }).waitFor();
    await page.getByRole("button", { name: "Back to the comparison" }).first().click();
    await pressRun(page, "Remove", "B");
    await warning.waitFor({ state: "detached" });
    await ended(page, { count: 2, before });
    await addRun(page, "equal-share");
    await warning.waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await ended(page, { before });
    await warning.waitFor({ state: "detached" });
  });
});

test("workers that cannot start show in their strips, and the next run succeeds", async () => {
  await withPage(async (page) => {
    await page.route("**/elastiplan-worker_bg.wasm*", (route) => route.fulfill({ status: 200, body: "no wasm" }));
    await page.goto(url);
    await page.getByRole("button", { name: "Copy report" }).nth(2).waitFor();
    await page.unroute("**/elastiplan-worker_bg.wasm*");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    assert.equal((await ended(page)).length, 3);
  });
});

test("workers whose script cannot be loaded say what to do", async () => {
  await withPage(async (page) => {
    await page.route("**/worker-boot.js*", (route) => route.abort());
    await page.goto(url);
    await page.getByText("Could not load worker-boot.js (offline?). Reload when connected").nth(2).waitFor();
    await page.unroute("**/worker-boot.js*");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    assert.equal((await ended(page)).length, 3);
  }, { expectTrouble: /worker-boot\.js/ });
});

test("a fourth policy runs offline", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.waitForTimeout(2000); // workers for later runs are started ahead once the first results are painted
    await page.context().setOffline(true);
    await addRun(page, "tiresias");
    await ended(page, { count: 4 });
    // Nor is anything asked of the server by runs after it.
    const before = await ended(page, { count: 4 });
    await page.getByLabel("Nodes", { exact: true }).fill("7");
    await ended(page, { count: 4, before });
  });
});

test("all workers share one compiled module", async () => {
  await withPage(async (page) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname.split("/").at(-1)));
    await page.goto(url);
    await ended(page);
    await page.waitForTimeout(2000);
    const modules = fetched.filter((name) => /^elastiplan-worker.*\.wasm$/.test(name)).sort();
    assert.deepEqual(modules, ["elastiplan-worker-full_bg.wasm", "elastiplan-worker_bg.wasm"]);
  });
});

test("a worker that dies in the middle of a run shows in its strip, and the next run succeeds", async () => {
  await withPage(async (page) => {
    await page.route("**/worker-boot.js*", async (route) => {
      const boot = await (await route.fetch()).text();
      const clock = "Performance.prototype.now = () => { throw new Error('the clock is broken'); };";
      await route.fulfill({ contentType: "text/javascript", body: clock + boot });
    });
    await page.goto(url);
    await page.getByRole("button", { name: "Copy report" }).nth(2).waitFor();
    await page.getByText(/background worker stopped|error of its own/).first().waitFor();
    await page.unroute("**/worker-boot.js*");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    assert.equal((await ended(page)).length, 3);
  });
});
