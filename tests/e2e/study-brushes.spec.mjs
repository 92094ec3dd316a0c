// Parallel coordinates: parts of axes are chosen by dragging and by keys, and let go of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, withApp } from "./lib.mjs";
import { setSeeds, startStudy, studyEnded, varyNodes } from "./studies.mjs";

test("parts of parallel axes are chosen by mouse and by keys", async () => {
  await withApp(async (page) => {
    await ended(page);
    await varyNodes(page, { from: 8, to: 32, step: 12 });
    for (const [search, name] of [["arrival", /^Arrival rate/], ["rescale cost", /^Rescale cost/]]) {
      await page.getByRole("button", { name: "+ axis" }).click();
      await page.getByLabel("Search fields and parameters").fill(search);
      await page.getByRole("group", { name: "What can be varied" }).getByRole("button", { name }).first().click();
    }
    await setSeeds(page, "3");
    await startStudy(page);
    await studyEnded(page);
    const chosen = page.getByRole("group", { name: "Chosen parts" });
    const plot = page.locator('[data-chart="study-points"]');
    await plot.scrollIntoViewIfNeeded();
    const end = (name) => plot.getByRole("slider", { name, exact: true });
    assert.deepEqual(await valueOf(end("Nodes, lower end")), ["8", "0"]);
    assert.deepEqual(await valueOf(end("Nodes, upper end")), ["32", "2"]);

    // Keys: from value to value, and no further than the other end.
    await end("Nodes, lower end").focus();
    await page.keyboard.press("ArrowUp");
    await chosen.getByText("Nodes 20 to 32").waitFor();
    assert.deepEqual(await valueOf(end("Nodes, lower end")), ["20", "1"]);
    await page.keyboard.press("End");
    await chosen.getByText("Nodes 32").waitFor();
    await page.keyboard.press("ArrowDown");
    await chosen.getByText("Nodes 20 to 32").waitFor();
    const [coloured] = await inked(plot);
    await end("Deadlines met, lower end").focus();
    await page.keyboard.press("PageUp");
    await chosen.getByText(/^Deadlines met \d+% to /).waitFor();
    assert.notEqual((await inked(plot))[0], coloured, "the picture shows the part");
    await page.keyboard.press("Delete");
    await chosen.getByText(/^Deadlines met/).waitFor({ state: "detached" });
    await chosen.getByRole("button", { name: "Any Nodes 20 to 32" }).click();
    await page.getByText(/^Drag along an axis/).waitFor();

    // The mouse: along the first axis from below its foot to above its middle.
    await page.getByText(/^Drag along an axis/).scrollIntoViewIfNeeded();
    const box = await page.locator(".chart-ends").boundingBox();
    const x = (await end("Nodes, lower end").boundingBox()).x + 7;
    await page.mouse.move(x, box.y + box.height + 3);
    await page.mouse.down();
    await page.mouse.move(x, box.y + box.height * 0.45, { steps: 4 });
    await page.mouse.up();
    await chosen.getByText("Nodes 8 to 20").waitFor();
    assert.deepEqual(await valueOf(end("Nodes, upper end")), ["20", "1"]);
  });
});

/** The value of an end, in words and as a number. */
function valueOf(end) {
  return end.evaluate((end) => [end.getAttribute("aria-valuetext"), end.getAttribute("aria-valuenow")]);
}

/** The picture, as text that is another one for another picture. */
function inked(plot) {
  return plot.locator("canvas").evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
}
