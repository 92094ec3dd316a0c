// Nothing is lost: work is kept in the browser at every edit, and is there after a reload, in another tab, after a crash.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { digests, ended, file, mounted, url, withApp, withPage } from "./lib.mjs";

const nodes = (page) => page.getByLabel("Nodes", { exact: true });
const status = (page, words) => page.locator(".status .said", { hasText: words }).waitFor();
const word = (page, words) => page.locator(".scenario-name .ink-3", { hasText: new RegExp(`^${words}$`) }).waitFor();
const list = (page) => page.getByRole("region", { name: "Kept in this browser" });
const row = (page, name) => list(page).locator("tbody tr").filter({ has: page.getByLabel(`Name of ${name}`, { exact: true }) });

async function openApp(page, path = "") {
  await page.goto(url + path);
  await mounted(page);
}

/** Sets the nodes of the sample, and waits until that is run and saved. Returns the digests. */
async function edited(page, count) {
  const before = await digests(page);
  await nodes(page).fill(String(count));
  const after = await ended(page, { before });
  await word(page, "saved");
  return after;
}

async function showList(page) {
  await page.keyboard.press("Control+o");
  await list(page).locator("tbody tr").first().waitFor();
}

/** Asks the store how many works and data it has. */
const stored = (page) => page.evaluate(() => new Promise((resolve) => {
  indexedDB.open("elastiplan-work").onsuccess = ({ target: { result: database } }) => {
    const transaction = database.transaction(["works", "data"]);
    const [works, data] = ["works", "data"].map((name) => transaction.objectStore(name).getAllKeys());
    transaction.oncomplete = () => {
      database.close();
      resolve({ works: works.result.length, data: data.result.length });
    };
  };
}));

test("looking at the sample keeps nothing; an edit is there after a reload", async () => {
  await withApp(async (page) => {
    await ended(page);
    await word(page, "Sample");
    assert.equal(await page.evaluate(() => localStorage.getItem("elastiplan-work")), null);
    const expected = await edited(page, 13);
    await page.reload();
    await mounted(page);
    await status(page, "Opened as you left it at ");
    assert.equal(await nodes(page).inputValue(), "13");
    assert.deepEqual(await ended(page), expected);
    await word(page, "saved");
    // And again, after a further edit.
    await edited(page, 14);
    await page.reload();
    await status(page, "Opened as you left it at ");
    assert.equal(await nodes(page).inputValue(), "14");
    assert.equal((await stored(page)).works, 1);
  });
});

test("a reload in the middle of typing keeps what was typed", async () => {
  await withApp(async (page) => {
    await ended(page);
    await nodes(page).fill("1");
    await nodes(page).pressSequentially("9", { delay: 10 });
    await page.reload();
    await mounted(page);
    await status(page, "Opened as you left it at ");
    assert.equal(await nodes(page).inputValue(), "19");
  });
});

test("pinned, forked and own runs come back with the same results", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.keyboard.press("Shift+P");
    const before = await digests(page);
    await nodes(page).fill("20");
    await page.waitForFunction((before) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return now.length === 4 && now[0] === before[0] && now.slice(1).every((digest) => !before.includes(digest));
    }, before);
    await word(page, "saved");
    const expected = await digests(page);
    await page.reload();
    await mounted(page);
    await status(page, "Opened as you left it at ");
    assert.deepEqual(await ended(page, { count: 4 }), expected);
  });
});

test("loaded data come back, are written once, and go with the last work that has them", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `job ${at},${at * 60},bert,${1 + (at % 4)},${90_000 + at * 977}`);
  const jobs = file("jobs.csv", ["job_id,submit_s,model,gpus,samples", ...rows].join("\n"));
  const curves = file("curves.csv", "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n");
  await withApp(async (page) => {
    const before = await ended(page);
    await page.getByLabel("Job trace", { exact: true }).setInputFiles([jobs, curves]);
    await ended(page, { before });
    await word(page, "saved");
    const expected = await edited(page, 3);
    assert.deepEqual(await stored(page), { works: 1, data: 2 });
    await page.reload();
    await mounted(page);
    await status(page, "Opened as you left it at ");
    assert.deepEqual(await ended(page), expected);
    await page.locator(".scenario-name", { hasText: "jobs.csv" }).waitFor();
    await showList(page);
    await list(page).getByRole("button", { name: "New" }).click();
    await list(page).waitFor({ state: "detached" });
    await edited(page, 21);
    assert.deepEqual(await stored(page), { works: 2, data: 2 });
    await showList(page);
    await row(page, "jobs.csv").hover();
    await row(page, "jobs.csv").getByRole("button", { name: "Delete jobs.csv" }).click();
    await list(page).getByText("is deleted, for good when this list closes").waitFor();
    await page.waitForFunction(() => !document.querySelector(".kept-deleted button")?.disabled);
    assert.deepEqual(await stored(page), { works: 1, data: 0 });
    await list(page).getByRole("button", { name: "Undo" }).click();
    await row(page, "jobs.csv").waitFor();
    assert.deepEqual(await stored(page), { works: 2, data: 2 });
    await row(page, "jobs.csv").hover();
    await row(page, "jobs.csv").getByRole("button", { name: "Open jobs.csv" }).click();
    await status(page, "Opened as you left it at ");
    await page.waitForFunction((expected) => {
      const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
      return JSON.stringify(now) === JSON.stringify(expected);
    }, expected);
    await page.keyboard.press("Control+o");
    await row(page, "jobs.csv").getByText("open here").waitFor();
    await page.keyboard.press("Escape");
    await list(page).waitFor({ state: "detached" });
  });
});

test("another tab has the sample while the work is open, and the work once it is closed", async () => {
  await withPage(async (page) => {
    await openApp(page);
    await ended(page);
    await edited(page, 13);
    const other = await page.context().newPage();
    await openApp(other);
    await ended(other);
    assert.equal(await nodes(other).inputValue(), "16");
    await other.keyboard.press("Control+o");
    await list(other).getByText("open in another tab").waitFor();
    await other.close();
    await page.close({ runBeforeUnload: false });
    const third = await page.context().newPage();
    await openApp(third);
    await status(third, "Opened as you left it at ");
    assert.equal(await nodes(third).inputValue(), "13");
  });
});

test("the same work in two tabs: the later change becomes a copy", async () => {
  await withPage(async (page) => {
    await openApp(page);
    await ended(page);
    await edited(page, 13);
    const own = await page.evaluate(() => sessionStorage.getItem("elastiplan-work"));
    // As the browser does when a tab is duplicated.
    const other = await page.context().newPage();
    await other.addInitScript((own) => sessionStorage.setItem("elastiplan-work", own), own);
    await openApp(other);
    await status(other, "Opened as you left it at ");
    await ended(other);
    await edited(page, 14);
    await nodes(other).fill("15");
    await status(other, "Changed in another tab too. This tab goes on as ");
    await other.locator(".scenario-name", { hasText: "(2)" }).waitFor();
    await other.keyboard.press("Control+o");
    await list(other).getByText("open in another tab").waitFor();
    assert.equal((await stored(other)).works, 2);
  });
});

test("a browser that refuses storage says so, and the page works", async () => {
  await withPage(async (page) => {
    // Workers get their code from here: the store is refused before it runs.
    await page.route("**/worker-boot.js*", async (route) => {
      const answer = await route.fetch();
      const refuse = 'Object.defineProperty(globalThis, "indexedDB", { value: { open() { throw new DOMException("refused", "SecurityError"); } } });\n';
      await route.fulfill({ response: answer, body: refuse + (await answer.text()) });
    });
    await openApp(page);
    const before = await ended(page);
    await nodes(page).fill("13");
    await ended(page, { before });
    await page.locator(".not-kept", { hasText: "Kept until this tab closes." }).waitFor();
    await word(page, "not saved");
  });
});

test("a full store says since when nothing is saved, keeps what was there, and goes on once there is room", async () => {
  await withPage(async (page) => {
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 500_000 });
    await openApp(page);
    await ended(page);
    await edited(page, 13);
    const rows = Array.from({ length: 30_000 }, (_, at) => `a job of some name ${at},${at * 60},AlexNet,1,90000`);
    const large = file("large.csv", ["job_id,submit_s,model,gpus,samples", ...rows].join("\n"));
    await page.getByLabel("Job trace", { exact: true }).setInputFiles(large);
    await page.locator(".not-kept", { hasText: /Not saved since \d\d:\d\d: the browser gives no more room\./ }).waitFor();
    assert.equal((await stored(page)).works, 1);
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await nodes(page).fill("15");
    await word(page, "saved");
    await page.locator(".not-kept").waitFor({ state: "detached" });
    await page.reload();
    await status(page, "Opened as you left it at ");
    assert.equal(await nodes(page).inputValue(), "15");
  });
});

test("a link is opened without running the sample first", async () => {
  await withPage(async (page) => {
    await page.addInitScript(() => {
      globalThis.seen = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function postMessage(...words) {
        const run = words[0]?.[1]?.Run;
        if (run) globalThis.seen.push(run.policy);
        return post.apply(this, words);
      };
    });
    await page.goto(`${url}#v=1&preset=idle-nodes`);
    await mounted(page);
    await page.getByText("Opening the scenario").first().waitFor();
    await page.locator(".scenario-name", { hasText: "Nodes that come and go" }).waitFor();
    await status(page, "finished");
    const runs = (await digests(page)).length;
    assert.equal((await page.evaluate(() => globalThis.seen)).length, runs);
  });
});

test("work is there after the browser was killed", async () => {
  const { chromium } = await import("playwright-core");
  const profile = mkdtempSync(join(tmpdir(), "elastiplan-profile-"));
  const options = { executablePath: process.env.ELASTIPLAN_CHROMIUM, args: ["--disable-gpu", "--no-sandbox"] };
  try {
    const first = await chromium.launchPersistentContext(profile, options);
    const page = await first.newPage();
    await openApp(page);
    await ended(page);
    await edited(page, 13);
    const session = await first.newCDPSession(page);
    session.send("Page.crash").catch(() => {});
    await page.waitForEvent("crash");
    await first.close();
    const second = await chromium.launchPersistentContext(profile, options);
    const again = await second.newPage();
    await openApp(again);
    await status(again, "Opened as you left it at ");
    assert.equal(await nodes(again).inputValue(), "13");
    await second.close();
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
