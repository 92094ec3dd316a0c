// The part of the page that is fetched after the first comparison: what asks for it early waits, and failures are said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, url, withPage } from "./lib.mjs";

const PART = "**/split_later.wasm";

/** Opens the page while the part is held back. Returns what lets it through. */
async function withoutPart(page) {
  let letThrough;
  const held = new Promise((resolve) => { letThrough = resolve; });
  await page.route(PART, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(url);
  await ended(page);
  return letThrough;
}

test("a screen that is asked for early comes when its part is there", async () => {
  await withPage(async (page) => {
    const letThrough = await withoutPart(page);
    await page.getByRole("button", { name: "Jobs", exact: true }).first().click();
    await page.locator("main > .part-waiting").waitFor();
    letThrough();
    await page.getByRole("columnheader", { name: "Submitted" }).waitFor();
  });
});

test("the study that is asked for early can be run once its part is there", async () => {
  await withPage(async (page) => {
    const letThrough = await withoutPart(page);
    await page.getByRole("button", { name: "Study", exact: true }).first().click();
    await page.locator("main > .part-waiting").waitFor();
    letThrough();
    await page.getByRole("button", { name: "Run study" }).first().waitFor();
  });
});

test("a field that is changed early keeps its value, and runs follow", async () => {
  await withPage(async (page) => {
    const letThrough = await withoutPart(page);
    const before = await ended(page);
    const nodes = page.getByLabel("Nodes", { exact: true });
    await nodes.fill("12");
    await nodes.press("Enter");
    assert.equal(await nodes.inputValue(), "12");
    letThrough();
    await ended(page, { before });
    assert.equal(await nodes.inputValue(), "12");
  });
});

test("a list that is opened early comes when its part is there", async () => {
  await withPage(async (page) => {
    const letThrough = await withoutPart(page);
    await page.getByRole("button", { name: "Add a policy" }).click();
    letThrough();
    await page.getByRole("dialog", { name: "Add a policy" }).getByRole("combobox").waitFor();
  });
});

test("keys that are typed for a dialog on its way are the dialog's", async () => {
  await withPage(async (page) => {
    const letThrough = await withoutPart(page);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.keyboard.press("Control+k");
    await page.locator(".dialog-awaited").waitFor({ state: "attached" });
    await page.keyboard.type(">zoom 3");
    assert.equal(await page.locator(".app").getAttribute("data-screen"), "compare");
    assert.equal(await theme(), before);
    letThrough();
    const box = page.getByRole("dialog").getByRole("combobox");
    await box.waitFor();
    assert.equal(await box.inputValue(), ">zoom 3");
    await page.keyboard.type("0");
    assert.equal(await box.inputValue(), ">zoom 30");
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
  });
});

test("a part that does not come says so, and can be asked for again", async () => {
  await withPage(async (page) => {
    await page.route(PART, (route) => route.abort());
    await page.goto(url);
    await ended(page);
    await page.getByRole("button", { name: "Jobs", exact: true }).first().click();
    const alert = page.getByRole("alert").filter({ hasText: "could not be fetched" });
    await alert.waitFor();
    await page.unroute(PART);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("columnheader", { name: "Submitted" }).waitFor();
  }, { expectTrouble: /split_later|Failed to fetch|ERR_FAILED/ });
});

test("a part of another content type is compiled all the same", async () => {
  await withPage(async (page) => {
    await page.route(PART, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-type": "application/octet-stream" } });
    });
    await page.goto(url);
    await ended(page);
    await page.getByRole("button", { name: "Jobs", exact: true }).first().click();
    await page.getByRole("columnheader", { name: "Submitted" }).waitFor();
  });
});
