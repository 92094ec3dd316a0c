// The page by keyboard alone: load, run, compare, find the job whose completion changed most, read its story, export.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { withApp } from "./lib.mjs";

let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "elastiplan-keyboard-"));
  await writeFile(
    join(folder, "jobs.csv"),
    "job_id,submit_s,model,gpus,samples,deadline_s\n" +
      "first,0,resnet50,4,4000000,\nsecond,60,resnet50,4,4000000,7200\nthird,120,bert,2,400000,\n",
  );
  await writeFile(
    join(folder, "curves.csv"),
    "model,gpus,samples_per_s\nresnet50,1,400\nresnet50,4,1500\nbert,1,40\nbert,2,75\nbert,4,140\n",
  );
});

after(() => rm(folder, { recursive: true, force: true }));

test("load, run, compare, find what changed most, read its story, export", async () => {
  await withApp(async (page) => {
    const keys = page.keyboard;
    await finished(page);

    // Load. The listener keeps choosers intercepted: asked for only when one is awaited, that may come after the key.
    page.on("filechooser", () => {});
    const row = (name) => page.locator(".card-row", { hasText: name });
    for (const [label, file, loaded] of [
      ["Throughput curves", "curves.csv", row("Curves").filter({ hasNotText: "7 models" })],
      ["Job trace", "jobs.csv", row("jobs.csv")],
    ]) {
      await tabTo(page, label, "input[type=file]");
      const chooser = page.waitForEvent("filechooser");
      await keys.press("Space");
      await (await chooser).setFiles(join(folder, file));
      await loaded.first().waitFor();
    }
    await tabTo(page, "Nodes");
    await keys.press("Control+a");
    await keys.type("1");
    await tabTo(page, "GPUs per node");
    await keys.press("Control+a");
    await keys.type("4");

    // Run.
    await keys.press("Control+Enter");
    await finished(page);
    await page.getByRole("region", { name: "Timeline: fixed" }).waitFor();
    assert.match(await page.locator(".scenario-name").innerText(), /jobs/);

    // Compare: the first difference puts the cursor somewhere, and says where.
    await blur(page);
    await keys.press("g");
    await page.locator(".tl-live", { hasText: "fixed:" }).waitFor({ state: "attached" });

    // The job that changed most, and its story.
    await keys.press("m");
    const story = page.getByRole("region", { name: /^Story of / });
    await story.waitFor();
    assert.match(await story.innerText(), /Submitted/);
    assert.match(await story.innerText(), /Completed/);
    const first = await story.locator("h2").innerText();
    await keys.press(",");
    await page.waitForFunction((name) => document.querySelector(".story h2")?.innerText !== name, first);

    // Search finds jobs, and shows only some.
    await keys.press("Control+k");
    await keys.type("model:bert");
    await page.getByRole("option", { name: /Show only 1 job/ }).waitFor();
    await keys.press("Enter");
    await page.locator(".filter-count", { hasText: "1 of 3 jobs" }).waitFor();

    // As a table.
    await keys.press("2");
    assert.equal(await page.locator(".jobs-table tbody tr[aria-rowindex]").count(), 1);
    await keys.press("1");

    // Export by the palette.
    const download = page.waitForEvent("download");
    await keys.press("Control+k");
    await keys.press("Control+a");
    await keys.type("> export jobs");
    await keys.press("Enter");
    const text = await readFile(await (await download).path(), "utf8");
    assert.match(text, /third/);

    // Everything that was opened is closed again by Esc.
    await keys.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await keys.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    for (let times = 0; times < 3; times += 1) await keys.press("Escape");
    await story.waitFor({ state: "detached" });
  });
});

test("back and forward go through what was seen", async () => {
  await withApp(async (page) => {
    await finished(page);
    const shown = () => page.locator(".tl-canvas").first().evaluate((canvas) => canvas.dataset.startS + " " + canvas.dataset.endS);
    const differs = (from) =>
      page.waitForFunction((from) => {
        const { startS, endS } = document.querySelector(".tl-canvas").dataset;
        return `${startS} ${endS}` !== from;
      }, from);
    const all = await shown();
    await page.keyboard.press("w");
    await differs(all);
    const closer = await shown();
    await page.keyboard.press("Alt+ArrowLeft");
    await differs(closer);
    assert.equal(await shown(), all);
    await page.keyboard.press("Alt+ArrowRight");
    await differs(all);
    assert.equal(await shown(), closer);
  });
});

test("inputs and panel are hidden and shown again", async () => {
  await withApp(async (page) => {
    await finished(page);
    for (const [key, part] of [["i", ".rail"], ["q", ".panel"], ["q", ".numbers"]]) {
      const width = () => page.locator(".tl-canvas").first().evaluate((canvas) => canvas.clientWidth);
      const before = await width();
      await page.keyboard.press(key);
      await page.locator(part).waitFor({ state: "hidden" });
      assert.ok(await width() > before + 100, `the timelines take the room of ${part}`);
      await page.keyboard.press(key);
      await page.locator(part).waitFor();
    }
  });
});

test("a mistake in a search says what is wrong, and a time is gone to", async () => {
  await withApp(async (page) => {
    await finished(page);
    await page.keyboard.press("/");
    await page.keyboard.type("gpus>>4");
    await page.locator(".palette-note", { hasText: /./ }).waitFor();
    assert.equal(await page.getByRole("option", { name: /Show only/ }).count(), 0);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(": 2h 10m");
    await page.getByRole("option", { name: /Go to 2h 10m/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tl-live", { hasText: "2h 10m" }).waitFor({ state: "attached" });
  });
});

/** Waits until nothing runs. */
async function finished(page) {
  await page.locator(".status", { hasText: /finished/ }).waitFor();
}

/** Tabs until the control with this name, and of this kind, has the focus. */
async function tabTo(page, name, kind = "*") {
  for (let times = 0; times < 160; times += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate((kind) => {
      const active = document.activeElement?.closest(kind);
      return active?.getAttribute("aria-label") ?? active?.labels?.[0]?.innerText ?? active?.innerText ?? "";
    }, kind);
    if (found.trim().startsWith(name)) return;
  }
  assert.fail(`no control is called ${name}`);
}

/** Away from any field, so that single letters are commands. */
async function blur(page) {
  await page.keyboard.press("Tab");
  await page.evaluate(() => document.activeElement?.blur());
}
