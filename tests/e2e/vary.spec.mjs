// Fields and parameters become axes of a study in the rail, and axes, goals and seeds are edited in the study's row.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, withApp } from "./lib.mjs";

test("a field becomes an axis with one click, and is fixed again with another", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    const row = page.locator(".what-if-row", { has: page.getByLabel("Nodes", { exact: true }) });
    await row.hover();
    await row.getByRole("button", { name: "Vary nodes" }).click();
    await page.locator('[data-screen="study"]').waitFor();
    // The rail shows the range in the place of the field, the row a chip.
    await page.getByRole("button", { name: /^8 to 32 step 2, nodes/ }).waitFor();
    await page.getByRole("button", { name: "Nodes 8 to 32, step 2" }).waitFor();
    await page.getByRole("button", { name: /^Deadlines met ≥ 95%/ }).waitFor();
    await page.getByText("3 in this study").waitFor();
    assert.equal(await page.getByLabel("Nodes", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "fix nodes" }).click();
    await page.getByLabel("Nodes", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Nodes 8 to 32, step 2" }).waitFor();
    // Nothing of it changes a run of the list.
    await page.getByRole("button", { name: "Compare", exact: true }).first().click();
    assert.deepEqual(await ended(page), before);
  });
});

test("a chip opens in place; what cannot be used is said and not applied", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("button", { name: "Vary nodes" }).first().click({ force: true });
    await page.getByRole("button", { name: "Nodes 8 to 32, step 2" }).click();
    const form = page.getByRole("group", { name: "Values of Nodes" });
    await form.getByLabel("From").fill("40");
    await form.getByText("From 40 to 32 is not a range from the smaller to the larger number").waitFor();
    await form.getByLabel("To").fill("80");
    await form.getByText("21 values").waitFor();
    await form.getByRole("button", { name: "Doubled" }).click();
    await form.getByLabel("Times").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Nodes 40 to 80, doubled" }).waitFor();
    await page.getByRole("button", { name: "+ axis" }).click();
    await page.getByLabel("Search fields and parameters").fill("delta");
    await page.getByRole("button", { name: /^elastic-dp: delta/ }).click();
    await page.getByRole("button", { name: /^Remove elastic-dp: delta/ }).click();
    await page.getByRole("button", { name: /^elastic-dp: delta/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "+ and" }).click();
    await page.getByRole("button", { name: "Declined ≤ 5%" }).click();
    const goal = page.getByRole("group", { name: "Goal: Declined" });
    await goal.getByLabel("Limit").fill("140");
    await goal.getByText("Write a limit like 99%").waitFor();
    await goal.getByLabel("Limit").fill("2.5");
    await page.getByRole("button", { name: "Declined ≤ 2.5%" }).waitFor();
    await goal.getByLabel("Metric").selectOption({ label: "Mean completion" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add Declined ≤ 5%" }).click();
    await page.getByRole("button", { name: "Declined ≤ 5%", exact: true }).waitFor();
  });
});
