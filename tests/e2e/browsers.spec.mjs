// The same numbers in every browser: the comparison of the sample, and a study of it, against the command line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
import { browsers } from "./browsers.mjs";
import { samplePolicies, url } from "./lib.mjs";
import { sampleFiles, simulate } from "./native.mjs";
import { nativeDigests, readKept, written } from "./studies.mjs";

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

const sample = new URL("../../crates/documents/presets/sample.json", import.meta.url);
const studyPatienceMs = 240_000;
/** Whether something can be pressed now, which is pressed then. */
const press = (words) => `(() => {
  const found = [...document.querySelectorAll("button")].find((button) => button.innerText.startsWith("${words}"));
  found?.click();
  return Boolean(found);
})()`;
/** How far the study is; its words, once it is over and all of its runs are kept: the last are written after that. */
const over = `(() => {
  const ended = /^(Run study|Go on)/.test(document.querySelector(".st-progress button")?.innerText ?? "");
  const words = document.querySelector(".st-runs")?.innerText ?? "";
  const [made] = words.split(" ");
  return ended && document.querySelector(".st-kept")?.innerText.startsWith(made + " run") ? words : null;
})()`;

const study = {
  axes: { "cluster.nodes": { from: 8, to: 32, step: 2 } },
  goals: [{ metric: "deadline_satisfactory_ratio", at_least: 0.95 }],
};
let native;

for (const { name, missing, withPage } of browsers) {
  test(`all runs of a study in ${name} are those of the command line`, { skip: missing }, async () => {
    native ??= nativeDigests({ ...JSON.parse(readFileSync(sample, "utf8")), policies: samplePolicies, study });
    await withPage(url, async (page) => {
      const end = Date.now() + studyPatienceMs;
      const until = async (expression) => {
        for (;;) {
          const found = await page.evaluate(expression);
          if (found) return found;
          assert.ok(Date.now() < end, `${name} waits for ${expression}`);
          await delay(100);
        }
      };
      await until(`${shown}.length === ${samplePolicies.length}`);
      await until(press("Study"));
      await until(press("Vary nodes 8 to 32"));
      const words = await until(over);
      await page.evaluate(readKept);
      const kept = written(await until("globalThis.keptChunks"));
      assert.deepEqual(kept.digests, native, words);
      assert.equal(kept.written, native.length);
      assert.deepEqual(await page.errors(), []);
    });
  });
}
