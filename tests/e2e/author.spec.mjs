// An author's page in a sub-folder: scenarios beside the page, and a paper that holds a figure of it in a frame.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cli, withApp, withPage } from "./lib.mjs";
import { serve } from "./site.mjs";

const jobs = ["job_id,submit_s,model,gpus,samples", ...Array.from({ length: 12 }, (_, at) => `j${at},${at * 60},bert,${1 + (at % 4)},${90_000 + at}`)].join("\n");
const document = (title, nodes) => ({
  elastiplan: 1,
  title,
  about: `${nodes} nodes.`,
  jobs: { file: "data/jobs.csv" },
  curves: { inline: "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n" },
  cluster: { nodes, gpus_per_node: 4 },
  policies: ["fixed", "equal-share"],
});
const first = document("As in the paper", 2);
const folder = "/papers/elastiplan/scenarios";
const files = {
  [`${folder}/index.json`]: JSON.stringify({
    elastiplan_gallery: 1,
    scenarios: [
      { file: "first.json", title: first.title, sentence: "Two nodes.", paper: "https://example.org/paper" },
      { file: "second.json", title: "With a third node" },
      { file: "../secret.json", title: "Outside" },
    ],
  }),
  [`${folder}/first.json`]: JSON.stringify(first),
  [`${folder}/second.json`]: JSON.stringify(document("With a third node", 3)),
  [`${folder}/data/jobs.csv`]: jobs,
};

/** The digests of a scenario on the command line. */
function natively(scenario) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  const inline = { ...scenario, jobs: { inline: jobs } };
  writeFileSync(join(folder, "a.json"), JSON.stringify(inline));
  return JSON.parse(execFileSync(cli, ["run", join(folder, "a.json"), "--format", "json"], { encoding: "utf8" })).seeds[0].runs.map((run) => run.digest);
}

async function withSite(gallery, body, options = {}) {
  const site = await serve({ files: { ...files } });
  site.gallery = gallery;
  try {
    await withPage((page) => body(page, site), { viewport: { width: 1440, height: 900 }, origins: [site.origin], ...options });
  } finally {
    await site.stop();
  }
}

const named = (page, title) => page.locator(".scenario-name", { hasText: title }).waitFor();
const shows = (page, expected) => page.waitForFunction((expected) => {
  const now = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
  return JSON.stringify(now) === JSON.stringify(expected);
}, expected);

test("the page opens with the author's first scenario and its data, and lists the others", async () => {
  await withSite("scenarios/", async (page, site) => {
    await page.goto(site.url);
    await named(page, "As in the paper");
    await shows(page, natively(first));
    await page.getByText("Two nodes.").waitFor();
    assert.equal(await page.getByRole("link", { name: "The paper" }).getAttribute("href"), "https://example.org/paper");
    const list = page.getByLabel("Presets");
    const titles = await list.locator('optgroup[label="Of this page"] option').allInnerTexts();
    assert.deepEqual(titles, ["As in the paper", "With a third node"], "nothing outside the folder");
    await list.selectOption("With a third node");
    await named(page, "With a third node");
    await shows(page, natively(document("With a third node", 3)));
  });
});

test("an address may name the folder, and a link comes before its first scenario", async () => {
  await withSite("", async (page, site) => {
    await page.goto(`${site.url}?gallery=scenarios`);
    await named(page, "As in the paper");
    await page.goto("about:blank");
    await page.goto(`${site.url}?gallery=scenarios#v=1&preset=idle-nodes`);
    await named(page, "Nodes that come and go");
    assert.equal(await page.locator('optgroup[label="Of this page"] option').count(), 2);
  });
});

test("a page without scenarios asks for none", async () => {
  await withApp(async (page) => {
    const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.deepEqual(asked.filter((name) => name.includes("scenarios")), []);
  });
});

test("a list on another server, a list that is none, and data that are missing are named", async () => {
  await withSite("", async (page, site) => {
    const notice = page.getByRole("dialog", { name: "Opened scenario" });
    await page.goto(`${site.url}?gallery=https://example.org/`);
    await notice.getByText("https://example.org/ is on another server").waitFor();
    site.files[`${folder}/index.json`] = "<html>";
    await page.goto(`${site.url}?gallery=scenarios&a`);
    await notice.getByText("scenarios/index.json is no list of scenarios").waitFor();
    site.files[`${folder}/data/jobs.csv`] = undefined;
    await page.goto(`${site.url}?scenario=scenarios/first.json`);
    await notice.getByText(/data\/jobs\.csv: the server answers 404/).waitFor();
  }, { expectTrouble: /404|ERR_ABORTED/ });
});

test("a paper's page in the same folder holds a figure that its readers change", async () => {
  await withSite("scenarios/", async (page, site) => {
    site.files["/papers/elastiplan/paper.html"] = `<!doctype html><html lang="en"><title>Our paper</title><h1>Our paper</h1>
      <iframe width="720" height="460" title="Figure 3" src="./?embed=1&amp;show=cluster.nodes&amp;scenario=scenarios/first.json"></iframe></html>`;
    await page.goto(`${site.url}paper.html`);
    const frame = page.frameLocator('iframe[title="Figure 3"]');
    await frame.getByRole("heading", { name: "As in the paper" }).waitFor();
    const inFrame = page.frames()[1];
    await shows(inFrame, natively(first));
    await frame.getByLabel("Nodes", { exact: true }).fill("3");
    await shows(inFrame, natively(document("As in the paper", 3)));
    const [planner] = await Promise.all([page.waitForEvent("popup"), frame.getByRole("link", { name: "Open in Elastiplan" }).click()]);
    await named(planner, "As in the paper");
    assert.equal(await planner.getByLabel("Nodes", { exact: true }).inputValue(), "3");
  });
});
