// The same numbers in every browser: the comparison of the sample against the command line.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
import { browsers } from "./browsers.mjs";
import { samplePolicies, url } from "./lib.mjs";
import { sampleFiles, simulate } from "./native.mjs";

const patienceMs = 60_000;
/** The digests of the strips in their order, as soon as the comparison stands. */
const shown = `document.querySelector("table caption")
  ? [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest)
  : []`;

for (const { name, missing, withPage } of browsers) {
  test(`the sample's comparison in ${name} is that of the command line`, { skip: missing }, async () => {
    const { runs } = simulate(sampleFiles(3), samplePolicies);
    await withPage(url, async (page) => {
      const end = Date.now() + patienceMs;
      let digests = [];
      while (digests.length < samplePolicies.length && Date.now() < end) {
        digests = await page.evaluate(shown);
        await delay(100);
      }
      assert.deepEqual(await page.errors(), []);
      assert.deepEqual(digests, samplePolicies.map((policy) => runs[policy].digest));
    });
  });
}
