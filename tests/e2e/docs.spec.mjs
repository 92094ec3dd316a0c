// The documents beside the page, the links to them, and the line that introduces the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { ended, url, withApp, withPage } from "./lib.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The addresses of all pages, as the first of them lists them. */
async function addresses(page) {
  await page.goto(`${url}docs/`, { waitUntil: "networkidle" });
  const listed = await page.locator("#pages a").evaluateAll((links) => links.map((link) => link.href));
  assert.ok(listed.length > 10, `${listed}`);
  return [`${url}docs/`, ...listed];
}

/** Clicks a link that opens beside the app, and returns where it leads. */
async function opened(page, link) {
  const [beside] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await beside.locator("h1").waitFor();
  const address = beside.url().slice(url.length);
  const title = await beside.locator("h1").innerText();
  await beside.close();
  return [address, title];
}

test("the top bar, the keys and the metrics lead to the docs, and the app stays open", async () => {
  await withApp(async (page) => {
    await ended(page);
    const link = (name) => page.getByRole("link", { name, exact: true });
    assert.deepEqual(await opened(page, link("Docs")), ["docs/", "Elastiplan's docs"]);
    assert.deepEqual(await opened(page, link("How to read this page")), ["docs/reading.html", "How to read the page"]);
    assert.deepEqual(await opened(page, link("Definitions")), ["docs/metrics.html", "Metrics"]);
    await page.keyboard.press("?");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Filter keys");
    assert.deepEqual(await opened(page, link("How to read the page")), ["docs/reading.html", "How to read the page"]);
    await page.keyboard.press("Escape");
    assert.equal((await ended(page)).length, 3);
  }, { viewport: { width: 1440, height: 900 } });
});

test("every metric has its definition on hover", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    const choices = page.getByRole("group", { name: "Columns", exact: true }).getByRole("checkbox");
    // The list comes with the later part of the page.
    await choices.first().waitFor();
    const count = await choices.count();
    assert.ok(count > 20, `${count} metrics`);
    for (let at = 0; at < count; at += 1) await choices.nth(at).setChecked(true);
    await page.keyboard.press("Escape");
    const names = page.getByRole("table", { name: "Metrics" }).locator("thead th[data-key] button");
    const titles = await names.evaluateAll((names) => names.map((name) => [name.innerText, name.title]));
    assert.equal(titles.length, count);
    assert.deepEqual(titles.filter(([, title]) => title.length < 10), []);
  });
});

test("the introduction is one line above the verdict, and stays closed", async () => {
  await withApp(async (page) => {
    await ended(page);
    const band = page.getByRole("region", { name: "Introduction" });
    const [box, verdict] = [await band.boundingBox(), await page.getByRole("region", { name: "Verdict" }).boundingBox()];
    assert.equal(box.height, 28);
    assert.ok(box.y + box.height <= verdict.y, `${JSON.stringify([box, verdict])}`);
    assert.ok(await band.evaluate((band) => band.querySelector("p").scrollHeight <= 28), "the words take one line");
    await page.getByRole("button", { name: "Close the introduction" }).click();
    await band.waitFor({ state: "detached" });
    // What is still on its way when a page is left counts as failed.
    await page.waitForLoadState("networkidle");
    await page.reload();
    await ended(page);
    assert.equal(await band.count(), 0);
  }, { viewport: { width: 1280, height: 900 } });
});

test("on a phone the introduction takes two lines at most", async () => {
  await withApp(async (page) => {
    await ended(page);
    const box = await page.getByRole("region", { name: "Introduction" }).boundingBox();
    assert.ok(box.height <= 54, `${box.height} px`);
    assert.ok(await page.getByRole("link", { name: "Docs", exact: true }).isVisible());
  }, { viewport: { width: 390, height: 844 } });
});

for (const [colorScheme, width] of [["light", 1440], ["dark", 1280], ["light", 390]]) {
  test(`axe finds nothing in the docs, and no page is too wide: ${colorScheme}, ${width} px`, async () => {
    await withPage(async (page) => {
      const found = [];
      for (const address of await addresses(page)) {
        // The browser asks for the icon last; leaving earlier would fail that request.
        await page.goto(address, { waitUntil: "networkidle" });
        // The pages forbid scripts that are not their own; what is evaluated comes from the test.
        await page.evaluate(axe);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (sideways > 0) found.push(`${address}: ${sideways} px too wide`);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        found.push(...violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`));
      }
      assert.deepEqual(found, []);
    }, { colorScheme, viewport: { width, height: 844 } });
  });
}

test("the docs need no script: words, colours and links are there without", async () => {
  await withPage(async (page) => {
    await page.goto(`${url}docs/metrics.html`);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(20, 24, 30)");
    await page.getByRole("link", { name: "Bounds" }).first().click();
    await page.waitForURL(/#bounds$/);
    await page.getByRole("link", { name: "How to read the page" }).click();
    await page.getByRole("heading", { level: 1, name: "How to read the page" }).waitFor();
    const home = page.getByRole("link", { name: "Elastiplan", exact: true });
    assert.equal(await home.evaluate((link) => link.href), url);
  }, { colorScheme: "dark", javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
});

test("the docs keep the theme that was chosen in the app", async () => {
  await withPage(async (page) => {
    await page.goto(`${url}docs/`);
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    assert.equal(await ground(), "rgb(255, 255, 255)");
    await page.evaluate(() => localStorage.setItem("elastiplan-theme", "dark"));
    // The page's icon comes last: a reload would cut it off.
    await page.waitForLoadState("networkidle");
    await page.reload();
    assert.equal(await ground(), "rgb(20, 24, 30)");
  }, { colorScheme: "light" });
});
