// Kept work in Chromium and Firefox: a reload in the middle of an edit, a browser that is killed, and two tabs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
import { browsersWithProfiles } from "./browsers.mjs";
import { url } from "./lib.mjs";
import { comparison, nodes, until } from "./tabs.mjs";

const said = (words) => `document.querySelector(".status .said")?.innerText.startsWith("${words}")`;
const word = (words) => `document.querySelector(".scenario-name .ink-3")?.innerText === "${words}"`;
const nodesNow = 'document.querySelector("#field-nodes")?.value';

/** What is fetched after the first comparison, work's keeper too, is there. */
const whole = `document.querySelector('aside[aria-label="Results"] a[href*="docs/metrics.html"]') !== null`;

/** Opens the page and waits for its comparison, and until it is whole. */
async function opened(browser) {
  const tab = await browser.open(url);
  await until(tab, comparison());
  await until(tab, whole);
  return tab;
}

/** Waits until work was opened as it was left, with so many nodes. */
async function reopened(tab, count) {
  await until(tab, said("Opened as you left it at "));
  assert.equal(await tab.evaluate(nodesNow), String(count));
  await until(tab, comparison());
}

/** Runs `body` with the folder of a profile of its own. */
async function withProfile(body) {
  const profile = mkdtempSync(join(tmpdir(), "elastiplan-profile-"));
  try {
    await body(profile);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

for (const { name, missing, withTabs } of browsersWithProfiles) {
  test(`in ${name}, an edit is there after a reload in the middle of it`, { skip: missing }, async () => {
    await withProfile((profile) => withTabs(profile, async (browser) => {
      const tab = await opened(browser);
      await until(tab, nodes(1));
      await until(tab, `(${nodes(19)}, globalThis.isOld = true, setTimeout(() => location.reload()), true)`);
      await until(tab, "!globalThis.isOld");
      await reopened(tab, 19);
    }));
  });

  test(`in ${name}, work is there after the browser was killed`, { skip: missing }, async () => {
    await withProfile(async (profile) => {
      await withTabs(profile, async (browser) => {
        const tab = await opened(browser);
        await until(tab, nodes(13));
        await until(tab, word("saved"));
        // The work is written by now; which work was open, browsers write some seconds later.
        await delay(7000);
        await browser.kill();
      });
      await withTabs(profile, async (browser) => reopened(await browser.open(url), 13));
    });
  });

  test(`in ${name}, the later change of two tabs becomes a copy`, { skip: missing }, async () => {
    await withProfile((profile) => withTabs(profile, async (browser) => {
      const tab = await opened(browser);
      await until(tab, nodes(13));
      await until(tab, word("saved"));
      const own = await tab.evaluate('sessionStorage.getItem("elastiplan-work")');
      // As browsers do when a tab is duplicated.
      const other = await browser.open(`${url}docs/import.html`);
      await other.evaluate(`(sessionStorage.setItem("elastiplan-work", ${JSON.stringify(own)}), true)`);
      await other.go(url);
      await reopened(other, 13);
      await until(tab, nodes(14));
      await until(tab, word("unsaved"));
      await until(tab, word("saved"));
      await until(other, nodes(15));
      await until(other, said("Changed in another tab too. This tab goes on as "));
      assert.equal(await tab.evaluate(nodesNow), "14");
      assert.equal(await other.evaluate(nodesNow), "15");
    }));
  });
}
