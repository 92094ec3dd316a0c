// Undo that means something: what one step is, the list of steps, going to one and comparing with one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { digests, ended, idle, withApp } from "./lib.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const field = (page, label) => page.getByLabel(label, { exact: true }).first();
const undo = (page) => page.getByRole("button", { name: "Undo", exact: true }).first();
const dialog = (page) => page.getByRole("dialog", { name: "History" });

/** Opens the list by its key, from outside any field. */
async function open(page) {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("h");
  await dialog(page).waitFor();
}

/** The names of the steps, the latest first. */
async function steps(page) {
  const isOpen = await dialog(page).isVisible();
  if (!isOpen) await open(page);
  const names = await dialog(page).locator(".history-name bdi").allTextContents();
  if (!isOpen) await page.keyboard.press("Escape");
  return names;
}

/** Sets a field and waits for the runs, as a user does who looks at what comes of it. */
async function set(page, label, value) {
  const before = await digests(page);
  await field(page, label).fill(value);
  await field(page, label).blur();
  return ended(page, { before });
}

test("a number typed, an arrow held and a spinner held down are one step each", async () => {
  await withApp(async (page) => {
    await ended(page);
    await field(page, "Rescale cost, seconds").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("120", { delay: 120 });
    await page.keyboard.press("Tab");
    // An arrow that is held down repeats.
    await field(page, "Nodes").focus();
    for (let at = 0; at < 6; at++) {
      await page.keyboard.down("ArrowUp");
      await page.waitForTimeout(60);
    }
    await page.keyboard.up("ArrowUp");
    await idle(page);
    assert.deepEqual((await steps(page)).slice(0, 2), ["Nodes 16 → 22", "Rescale cost 30 s → 120 s"]);
    // A pointer that is held down on a field, with a pause in which nothing changes.
    const gpus = field(page, "GPUs per node");
    const box = await gpus.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    for (const value of ["7", "6", "5"]) {
      await gpus.evaluate((input, value) => {
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }, value);
      await page.waitForTimeout(value === "6" ? 1600 : 200);
    }
    await page.mouse.up();
    await idle(page);
    assert.deepEqual((await steps(page)).slice(0, 3), ["GPUs per node 8 → 5", "Nodes 16 → 22", "Rescale cost 30 s → 120 s"]);
  });
});

test("fields one after the other, names and settings of runs are steps of their own", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.locator(".runs-list, .rail").getByRole("button", { name: /elastic-dp/ }).first().click();
    await field(page, "Name").click();
    await page.keyboard.type("mine", { delay: 60 });
    await page.keyboard.press("Tab");
    await field(page, "delta_s").fill("300");
    await page.keyboard.press("Tab");
    await idle(page);
    assert.deepEqual((await steps(page)).slice(0, 2), ["mine: delta 10m → 5m", "Named elastic-dp “mine”"]);
    // Typed and taken back within a moment: no step.
    await field(page, "Nodes").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("16", { delay: 60 });
    await page.keyboard.press("Tab");
    await idle(page);
    assert.equal((await steps(page)).length, 3);
  });
});

test("undo says what it would undo, and steps show the goal's metric of their best run", async () => {
  await withApp(async (page) => {
    const first = await ended(page);
    await set(page, "Nodes", "20");
    const third = await set(page, "GPUs per node", "4");
    assert.equal(await undo(page).getAttribute("title"), "Undo GPUs per node 8 → 4 (Ctrl Z)");
    await page.getByRole("button", { name: "History", exact: true }).click();
    const rows = dialog(page).getByRole("listitem");
    assert.equal(await rows.count(), 3);
    const results = await dialog(page).locator(".history-result").allTextContents();
    assert.match(results[0], /^\d+\.\d% of deadlines, [−+]\d+\.\dpt$/);
    assert.match(results[1], /^\d+\.\d% of deadlines, [−+]\d+\.\dpt$/);
    assert.match(results[2], /^\d+\.\d% of deadlines$/);
    assert.equal(await rows.first().getAttribute("aria-current"), "step");
    assert.match(await rows.first().locator("time").textContent(), /^\d\d:\d\d$/);
    // The keyboard: down twice, and there.
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-current")), "step");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.deepEqual(await ended(page, { before: third }), first, "results that are kept come at once");
    assert.equal(await field(page, "Nodes").inputValue(), "16");
    assert.equal(await rows.last().getAttribute("aria-current"), "step");
    assert.equal(await dialog(page).locator(".undone").count(), 2);
    // And forward by a button: nothing was lost.
    await rows.first().getByRole("button", { name: "Go there" }).click();
    assert.deepEqual(await ended(page, { before: first }), third);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await undo(page).click();
    assert.equal(await page.getByRole("button", { name: "Redo", exact: true }).getAttribute("title"), "Redo GPUs per node 8 → 4 (Ctrl Shift Z)");
  });
});

for (const colorScheme of ["light", "dark"]) {
  test(`everybody can read the list: ${colorScheme}`, async () => {
    await withApp(async (page) => {
      await ended(page);
      await set(page, "Nodes", "20");
      await set(page, "GPUs per node", "4");
      await undo(page).click();
      await open(page);
      await dialog(page).locator(".undone").waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), []);
    }, { colorScheme });
  });
}

test("a step that was never run has a dash", async () => {
  await withApp(async (page) => {
    await ended(page);
    await field(page, "Nodes").fill("24");
    await field(page, "GPUs per node").fill("4");
    await idle(page);
    await open(page);
    const results = await dialog(page).locator(".history-result").allTextContents();
    assert.equal(results[1], "—");
    assert.match(results[0], /of deadlines/);
  });
});

test("comparing with a step pins its runs in front, is undone at once, and twice is once", async () => {
  await withApp(async (page) => {
    await ended(page);
    const now = await set(page, "Nodes", "20");
    await open(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("c");
    await dialog(page).waitFor({ state: "detached" });
    await page.locator(".status .said", { hasText: "Compared with the step: Start" }).waitFor();
    const both = await ended(page, { count: 6 });
    assert.deepEqual(both.slice(3).length && new Set(both).size, 6);
    assert.ok(now.every((digest) => both.includes(digest)));
    await open(page);
    await dialog(page).getByRole("listitem").last().getByRole("button", { name: "Compare with this step" }).click();
    await page.locator(".status .said", { hasText: "beside these already" }).waitFor();
    assert.equal(await page.locator("[data-digest]").count(), 6);
    assert.equal(await undo(page).getAttribute("title"), "Undo Compared with an earlier step (Ctrl Z)");
    await undo(page).click();
    assert.deepEqual(await ended(page), now);
  });
});

test("the list is in the palette, and readable on a phone in the dark", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: "Inputs" }).click();
    await field(page, "Nodes").fill("20");
    await field(page, "Nodes").blur();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> history");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    await dialog(page).getByText("Nodes 16 → 20").waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `the page is ${over} px too wide`);
    const button = await dialog(page).getByRole("button", { name: "Go there" }).boundingBox();
    assert.ok(button.height >= 44, `${button.height} px high`);
  }, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
});
