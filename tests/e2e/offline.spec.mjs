// The page without a network, and from one build to the next: the service worker, as its users meet it.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { after, test } from "node:test";
import { addRun, digests, ended, file, launch, mounted } from "./lib.mjs";
import { otherBuild, serve } from "./site.mjs";

let browser;
after(() => browser?.close());

/** Opens pages of a site of their own; fails on errors in them that `expected` does not match. */
async function withSite(body, { expected = /^$/ } = {}) {
  browser ??= await launch("--disable-gpu");
  const site = await serve();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const errors = [];
  context.on("page", (page) => {
    page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  });
  try {
    const page = await context.newPage();
    await page.goto(site.url);
    await body(page, site, context);
    assert.deepEqual(errors.filter((error) => !expected.test(error)), []);
  } finally {
    await context.close();
    await site.stop().catch(() => {});
  }
}

/** Waits until the browser keeps the build that it was asked to. */
const kept = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
  // The page is its own worker's from now on.
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
});

const builds = (page) => page.evaluate(async () => (await caches.keys()).map((name) => name.split(" ").at(-1)));
const buildOf = (page) => page.locator("meta[name=elastiplan-build]").getAttribute("content");
const bar = (page) => page.getByRole("status", { name: "New version" });
const update = (page) => page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
/** What a browser says where the network is missing. */
const noNetwork = /ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to fetch/;

const jobs = ["job_id,submit_s,model,gpus,samples", ...Array.from({ length: 12 }, (_, at) => `j${at},${at * 60},own,${1 + (at % 4)},90000`)];
const curves = "model,gpus,samples_per_s\nown,1,100\nown,2,190\nown,4,340\n";

test("after one visit the page opens without a server, compares a fourth policy, and reads files", async () => {
  await withSite(async (page, site) => {
    const first = await ended(page);
    await kept(page);
    await site.stop();
    await page.reload();
    await mounted(page);
    assert.deepEqual(await ended(page), first);
    await addRun(page, "tiresias");
    await ended(page, { count: 4 });
    const before = await digests(page);
    await page.getByLabel("Folder", { exact: true }).waitFor({ state: "attached" });
    await page.getByLabel("Job trace", { exact: true }).setInputFiles([file("own-jobs.csv", jobs.join("\n")), file("own.csv", curves)]);
    await ended(page, { count: 4, before });
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("dialog", { name: "Share" }).getByRole("button", { name: /^Save file/ }).waitFor();
  }, { expected: noNetwork });
});

test("the status line says since when there is no network", async () => {
  await withSite(async (page, site, context) => {
    await ended(page);
    await kept(page);
    await context.setOffline(true);
    await page.locator(".status .offline", { hasText: /^Offline since \d\d:\d\d\. Everything here works$/ }).waitFor();
    await context.setOffline(false);
    await page.locator(".status .offline").waitFor({ state: "detached" });
  });
});

test("a new build waits until its user takes it, and halves of two builds never mix", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    assert.deepEqual(await builds(page), [site.build]);
    site.isOther = true;
    await update(page);
    await bar(page).getByText("A new version is ready").waitFor();
    const { height } = await bar(page).boundingBox();
    assert.equal(height, 40);
    assert.equal(await buildOf(page), site.build, "never by itself");
    // More workers are started, with this build's files, which the server no longer has.
    await addRun(page, "tiresias");
    await ended(page, { count: 4 });
    await bar(page).getByRole("button", { name: "Later" }).click();
    await bar(page).waitFor({ state: "detached" });
    await site.stop();
    await page.reload();
    await ended(page, { count: 4 });
    assert.equal(await buildOf(page), site.build, "as long as the server is away");
    await site.start();
    await bar(page).getByRole("button", { name: "Reload now" }).click();
    await page.waitForFunction((id) => document.querySelector("meta[name=elastiplan-build]")?.content === id, otherBuild);
    // The work of the build before is there.
    await ended(page, { count: 4 });
    await addRun(page, "edf");
    await ended(page, { count: 5 });
    assert.deepEqual(await builds(page), [otherBuild]);
    assert.equal(await bar(page).count(), 0);
    await site.stop();
    await page.reload();
    await ended(page, { count: 5 });
    assert.equal(await buildOf(page), otherBuild);
  }, { expected: noNetwork });
});

test("the button waits for what runs", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    site.isOther = true;
    await update(page);
    await bar(page).waitFor();
    await page.getByRole("button", { name: "Study", exact: true }).first().click();
    await page.getByRole("button", { name: /^Vary nodes/ }).first().click();
    const stop = page.getByRole("button", { name: "Stop and keep" }).first();
    await stop.waitFor();
    await bar(page).getByRole("button", { name: "Reload now" }).click();
    await bar(page).getByText("The page reloads when the runs have ended").waitFor();
    assert.equal(await buildOf(page), site.build);
    await stop.click();
    await page.waitForFunction((id) => document.querySelector("meta[name=elastiplan-build]")?.content === id, otherBuild);
    await ended(page);
  });
});

test("another tab of the old build goes on when one takes the new build", async () => {
  await withSite(async (page, site, context) => {
    await ended(page);
    await kept(page);
    const old = await context.newPage();
    await old.goto(site.url);
    await ended(old);
    site.isOther = true;
    await page.bringToFront();
    await update(page);
    await bar(page).getByRole("button", { name: "Reload now" }).click();
    await page.waitForFunction((id) => document.querySelector("meta[name=elastiplan-build]")?.content === id, otherBuild);
    await ended(page);
    await old.bringToFront();
    await addRun(old, "tiresias");
    await ended(old, { count: 4 });
    assert.equal(await buildOf(old), site.build);
  });
});

test("a page that comes new from the server is followed by its files, without a word", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    site.isOther = true;
    await page.reload();
    await ended(page);
    assert.equal(await buildOf(page), otherBuild);
    while ((await builds(page)).join() !== otherBuild) await delay(100);
    assert.equal(await bar(page).count(), 0);
  });
});

test("a build that is half uploaded is not kept, and the one that was stays", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    site.isOther = true;
    site.damaged = /^elastiplan-worker-full_bg\.wasm/;
    await update(page).catch(() => {});
    await delay(1500);
    assert.equal(await bar(page).count(), 0);
    await site.stop();
    await page.reload();
    await ended(page);
    assert.equal(await buildOf(page), site.build);
  }, { expected: noNetwork });
});

test("a cache that lost files is mended while there is a network, and without one the page says what is missing", async () => {
  const lose = (page, pattern) => page.evaluate(async (pattern) => {
    const cache = await caches.open((await caches.keys())[0]);
    const lost = (await cache.keys()).filter(({ url }) => new RegExp(pattern).test(url));
    await Promise.all(lost.map((request) => cache.delete(request)));
    return lost.length;
  }, pattern);
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    assert.ok(await lose(page, "worker|app-"));
    await page.reload();
    await ended(page);
    await addRun(page, "tiresias");
    await ended(page, { count: 4 });
    await site.stop();
    await page.reload();
    await ended(page);
    assert.ok(await lose(page, "app-"));
    // What the browser holds by itself is asked first.
    const session = await page.context().newCDPSession(page);
    await session.send("Network.clearBrowserCache");
    await page.reload();
    await page.getByRole("alert").getByText("Elastiplan could not start").waitFor();
  }, { expected: /^$|./ });
});

test("a server that does not answer in time is not waited for", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    site.delayMs = 8000;
    const start = Date.now();
    await page.reload();
    await ended(page);
    assert.ok(Date.now() - start < 7500, `${Date.now() - start} ms`);
    site.delayMs = 0;
  });
});

test("documents that were read can be read again without a network", async () => {
  await withSite(async (page, site, context) => {
    await ended(page);
    await kept(page);
    const docs = await context.newPage();
    await docs.goto(`${site.url}docs/metrics.html`);
    await docs.getByRole("heading", { level: 1 }).waitFor();
    await site.stop();
    await docs.reload();
    await docs.getByRole("heading", { level: 1, name: "Metrics" }).waitFor();
    assert.notEqual(await docs.evaluate(() => getComputedStyle(document.body).fontFamily), "serif");
  }, { expected: noNetwork });
});

test("data that the address names are asked for each time", async () => {
  await withSite(async (page, site) => {
    await ended(page);
    await kept(page);
    const document = { elastiplan: 1, title: "Own", jobs: { sample: {} }, curves: { sample: {} }, cluster: { nodes: 5, gpus_per_node: 8 }, policies: ["fixed"] };
    site.files["/papers/elastiplan/own.json"] = JSON.stringify(document);
    for (const nodes of [5, 6]) {
      document.cluster.nodes = nodes;
      site.files["/papers/elastiplan/own.json"] = JSON.stringify(document);
      await page.goto(`${site.url}?scenario=own.json`);
      await page.waitForFunction((nodes) => document.querySelector("#field-nodes")?.value === String(nodes), nodes);
    }
  });
});

test("the page can be installed", async () => {
  await withSite(async (page) => {
    await ended(page);
    await kept(page);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // Profiles of tests are private ones, which install nothing.
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
    const { errors } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
  });
});
