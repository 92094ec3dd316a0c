// A published page in Chromium and Firefox: the network cut after the first visit, an update, and a figure in a paper.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browsers } from "./browsers.mjs";
import { otherBuild, serve } from "./site.mjs";
import { comparison, nodes, until } from "./tabs.mjs";

const kept = "Boolean(navigator.serviceWorker.controller)";
const press = (words) => `(() => {
  const found = [...document.querySelectorAll("button")].find((button) => button.innerText.startsWith("${words}"));
  found?.click();
  return Boolean(found);
})()`;
const build = 'document.querySelector("meta[name=elastiplan-build]")?.content';

async function withSite(withPage, body, { files = {}, path = "" } = {}) {
  const site = await serve({ files });
  try {
    await withPage(site.url + path, (page) => body(page, site));
  } finally {
    await site.stop().catch(() => {});
  }
}

for (const { name, missing, withPage } of browsers.filter(({ name }) => name !== "WebKit")) {
  test(`in ${name}, the page opens again without its server, and compares anew`, { skip: missing }, async () => {
    await withSite(withPage, async (page, site) => {
      const expected = await until(page, comparison());
      await until(page, kept);
      await site.stop();
      await page.evaluate("(globalThis.isOld = true, setTimeout(() => location.reload(), 50), true)");
      await until(page, "!globalThis.isOld");
      assert.equal(await until(page, comparison()), expected);
      await until(page, nodes(12));
      await until(page, press("Run"));
      await until(page, `${comparison()} && ${comparison()} !== "${expected}"`);
    });
  });

  test(`in ${name}, a new build is offered, and taken when its user says so`, { skip: missing }, async () => {
    await withSite(withPage, async (page, site) => {
      await until(page, comparison());
      await until(page, kept);
      site.isOther = true;
      await until(page, "navigator.serviceWorker.getRegistration().then((registration) => registration.update()).then(() => true)");
      await until(page, 'document.querySelector(".update-bar") !== null');
      assert.equal(await page.evaluate(build), site.build);
      await until(page, press("Reload now"));
      await until(page, `${build} === "${otherBuild}"`);
      await until(page, comparison());
    });
  });

  test(`in ${name}, a paper's page in the same folder holds a figure that its readers change`, { skip: missing }, async () => {
    const paper = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Our paper</title><h1>Our paper</h1>
      <iframe width="720" height="460" title="Figure" src="./?embed=1&amp;show=cluster.nodes"></iframe>
      <script>globalThis.got = []; addEventListener("message", ({ data }) => got.push(data));</script></html>`;
    await withSite(withPage, async (page) => {
      const inside = 'document.querySelector("iframe").contentDocument';
      const expected = await until(page, comparison(inside));
      await until(page, 'got.some(({ type }) => type === "ready")');
      await page.evaluate('(document.querySelector("iframe").contentWindow.postMessage({ elastiplan: 1, type: "state?" }, location.origin), true)');
      const state = await until(page, 'got.find(({ type }) => type === "state")');
      assert.equal(state.runs.map(({ digest }) => digest).join(), expected);
      await until(page, nodes(12, inside));
      await until(page, `${comparison(inside)} && ${comparison(inside)} !== "${expected}"`);
    }, { files: { "/papers/elastiplan/paper.html": paper }, path: "paper.html" });
  });
}
