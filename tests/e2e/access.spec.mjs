// Everybody gets in: axe on every surface, no sideways scrolling, forced colours, reduced motion.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { ended, withApp } from "./lib.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What opens what, and what closes it again. */
const surfaces = {
  "the comparison": [async () => {}, async () => {}],
  "the palette": [(page) => command(page, "model:"), (page) => page.keyboard.press("Escape")],
  "the keys": [(page) => page.keyboard.press("?"), (page) => page.keyboard.press("Escape")],
  "the menu of the timelines": [
    (page) => page.getByRole("button", { name: "View", exact: true }).click(),
    (page) => page.keyboard.press("Escape"),
  ],
  "the menu of columns": [
    (page) => page.getByRole("button", { name: "Columns", exact: true }).click(),
    (page) => page.keyboard.press("Escape"),
  ],
  "a story": [(page) => page.keyboard.press("m"), (page) => page.keyboard.press("Escape")],
  "a selected time": [
    async (page) => {
      await page.keyboard.press("m");
      await page.keyboard.press("r");
      await page.getByRole("button", { name: "Close the story" }).click();
    },
    (page) => page.keyboard.press("Escape"),
  ],
  "the first difference": [(page) => page.keyboard.press("g"), (page) => page.getByRole("button", { name: "Close", exact: true }).click()],
  "a filter": [
    async (page) => {
      await command(page, "missed:A");
      await page.getByRole("option", { name: /Show only/ }).waitFor();
      await page.keyboard.press("Enter");
    },
    (page) => page.getByRole("button", { name: "Show all jobs" }).click(),
  ],
  "rows by node": [(page) => command(page, "> timelines by node", "Enter"), (page) => command(page, "> timelines by job", "Enter")],
  "the table of jobs": [(page) => page.keyboard.press("2"), (page) => page.keyboard.press("1")],
};

for (const [colorScheme, width] of [["light", 1440], ["dark", 1280], ["light", 390]]) {
  test(`axe finds nothing on any surface: ${colorScheme}, ${width} px`, async () => {
    await withApp(async (page) => {
      await ended(page);
      // The page forbids scripts that are not its own; what is evaluated comes from the test, not from the page.
      await page.evaluate(axe);
      const found = [];
      for (const [name, [open, close]] of Object.entries(surfaces)) {
        if (width < 720 && name.includes("menu")) continue;
        await open(page);
        await page.waitForTimeout(250); // panels fade in
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (sideways > 0) found.push(`${name}: ${sideways} px too wide`);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        found.push(...violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`));
        await close(page);
      }
      assert.deepEqual(found, []);
    }, { colorScheme, viewport: { width, height: 900 } });
  });
}

test("forced colours and reduced motion: everything is there, and nothing moves", async () => {
  await withApp(async (page) => {
    await ended(page);
    const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return [transitionDuration, animationDuration].some((text) => text.split(",").some((part) => parseFloat(part) > 0));
    }).map((element) => element.className));
    assert.deepEqual(moving, []);
    // Bars are still told from their ground.
    const colours = await page.locator(".tl-canvas").first().evaluate((canvas) => {
      const image = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const seen = new Set();
      for (let at = 0; at < image.length; at += 4) if (image[at + 3] > 200) seen.add(`${image[at]},${image[at + 1]},${image[at + 2]}`);
      return seen.size;
    });
    assert.ok(colours > 2, `${colours} colours`);
    await page.keyboard.press("m");
    await page.getByRole("region", { name: /^Story of / }).waitFor();
  }, { forcedColors: "active", reducedMotion: "reduce", path: "?renderer=2d" });
});

/** Types into the palette. */
async function command(page, text, ...keys) {
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  for (const key of keys) await page.keyboard.press(key);
}
