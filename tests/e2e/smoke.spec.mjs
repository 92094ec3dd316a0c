// Does the page come up at all? Run on the page of either builder.
import assert from "node:assert/strict";
import { test } from "node:test";
import { url, withApp, withPage } from "./lib.mjs";

test("the page starts in a sub-folder of its server", async () => {
  assert.ok(new URL(url).pathname.split("/").length > 3, `${url} is no sub-folder`);
  await withApp(async (page) => {
    assert.equal(await page.title(), "Elastiplan");
    assert.notEqual((await page.locator("#app h1").first().innerText()).trim(), "");
    assert.equal(await page.locator("[role=alert]").count(), 0);
  });
});

test("the page carries the id of its build", async () => {
  await withApp(async (page) => {
    const id = await page.locator("meta[name=elastiplan-build]").getAttribute("content");
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.equal(await page.locator(`script[src$="boot.js?v=${id}"]`).count(), 1);
  });
});

test("the worker's wasm starts", async () => {
  await withApp(async (page) => {
    await page.evaluate(startWorker);
    // Nothing tells that all went well, only that something went wrong; that comes at once.
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(() => globalThis.workerErrors), []);
  });
});

test("a worker that cannot start says so to the page", async () => {
  await withPage(async (page) => {
    await page.route("**/elastiplan-worker_bg.wasm*", (route) => route.fulfill({ status: 200, body: "no wasm" }));
    await page.goto(url);
    await page.getByRole("button", { name: "Copy report" }).nth(2).waitFor();
    await page.evaluate(startWorker);
    await page.waitForFunction(() => globalThis.workerErrors.length > 0);
    assert.match(await page.evaluate(() => globalThis.workerErrors[0]), /The worker could not start/);
  });
});

test("a page that cannot load its app says so", async () => {
  await withPage(async (page) => {
    await page.route("**/elastiplan-web*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    await page.goto(url);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.innerText(), /Elastiplan could not start/);
  }, { expectTrouble: /default is not a function/ });
});

/** Starts a worker as the app does, and gathers its errors. */
function startWorker() {
  globalThis.workerErrors = [];
  const worker = globalThis.elastiplanWorker(false);
  worker.addEventListener("error", (event) => globalThis.workerErrors.push(event.message));
}
