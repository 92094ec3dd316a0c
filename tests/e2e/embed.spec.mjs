// The page inside another one: what of it is there, what its host may ask, and what nobody may do to either.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, url, withApp, withPage } from "./lib.mjs";
import { serve } from "./site.mjs";

const sample = "#v=1&preset=sample";
/** A page with a frame, which keeps what that sends. */
const host = (src, width = 720, height = 460) => `<!doctype html><title>A paper</title><h1>A paper</h1><p>Text</p>
<iframe width="${width}" height="${height}" title="Figure 1" src="${src}"></iframe><div style="height: 3000px"></div>
<script>globalThis.got = []; addEventListener("message", (event) => got.push({ ...event.data, origin: event.origin }));</script>`;

/** Opens a host with a frame of the page, both on servers of their own. */
async function inHost(address, body, { width, height, sandbox } = {}) {
  const site = await serve();
  const other = await serve({ files: {} });
  other.files["/paper.html"] = host(site.url + address, width, height);
  if (sandbox) other.files["/paper.html"] = other.files["/paper.html"].replace("<iframe", `<iframe sandbox="${sandbox}"`);
  try {
    await withPage(async (page) => {
      await page.goto(`${other.origin}/paper.html`);
      const frame = page.frames().find((frame) => frame.url().startsWith(site.url)) ?? await page.waitForEvent("frameattached");
      await page.waitForFunction(() => got.length > 0);
      await body(page, frame, site, other);
    }, { viewport: { width: 1000, height: 800 }, origins: [site.origin, other.origin] });
  } finally {
    await site.stop();
    await other.stop();
  }
}

const ask = (page, message) => page.evaluate((message) => document.querySelector("iframe").contentWindow.postMessage(message, "*"), message);
const got = async (page, type, count = 1) => {
  const handle = await page.waitForFunction(([type, count]) => {
    const found = got.filter((message) => message.type === type);
    return found.length >= count && found.at(-1);
  }, [type, count]);
  return handle.jsonValue();
};

/** Leaves the page once it has fetched everything: what is cut off counts as a trouble. */
async function leave(page) {
  await page.waitForLoadState("networkidle");
  await page.goto("about:blank");
}

test("a host is told that the page is ready, and nothing more until it asks", async () => {
  await inHost(`?embed=1${sample}`, async (page, frame, site) => {
    await ended(frame);
    await page.waitForTimeout(500);
    assert.deepEqual(await page.evaluate(() => got), [{ elastiplan: 1, type: "ready", origin: site.origin }]);
    await ask(page, { elastiplan: 1, type: "state?" });
    const { verdict, goal, runs, link, origin } = await got(page, "state");
    assert.equal(verdict, await frame.locator(".embed-verdict h2").innerText());
    assert.equal(origin, site.origin);
    assert.equal(goal, "deadline_satisfactory_ratio");
    assert.deepEqual(runs.map(({ policy }) => policy.split("[")[0]), ["fixed", "equal-share", "elastic-dp"]);
    assert.deepEqual(runs.map(({ digest }) => digest), await ended(frame));
    assert.ok(runs.every(({ value }) => value > 0 && value < 1), JSON.stringify(runs));
    assert.ok(link.startsWith(`${site.url}#v=1`), link);
    await ask(page, { elastiplan: 1, type: "height?" });
    const { px } = await got(page, "height");
    assert.ok(px > 300 && px < 800, `${px} px`);
  });
});

test("a host loads a document, then a link, and is told of each", async () => {
  await inHost(`?embed=1${sample}`, async (page, frame) => {
    await ended(frame);
    await ask(page, { elastiplan: 1, type: "state?" });
    await got(page, "state");
    const document = { elastiplan: 1, title: "From the host", jobs: { sample: {} }, curves: { sample: {} }, cluster: { nodes: 5, gpus_per_node: 8 }, policies: ["fixed", "equal-share"] };
    await ask(page, { elastiplan: 1, type: "load", document });
    await frame.getByRole("heading", { name: "From the host" }).waitFor();
    const own = await got(page, "state", 2);
    assert.equal(own.runs.length, 2);
    await ask(page, { elastiplan: 1, type: "load", link: own.link.replace("view=compare", "view=jobs") });
    await page.waitForTimeout(1000);
    assert.deepEqual(await ended(frame, { count: 2 }), own.runs.map(({ digest }) => digest));
    await ask(page, { elastiplan: 1, type: "load", link: "#v=1&preset=idle-nodes" });
    await frame.getByRole("heading", { name: "Nodes that come and go" }).waitFor();
    assert.notDeepEqual((await got(page, "state", 3)).runs, own.runs);
  });
});

test("what a reader changes runs, is told to the host, and is in the way to the planner", async () => {
  await inHost("?embed=1&show=cluster.nodes", async (page, frame, site) => {
    const before = await ended(frame);
    const open = frame.getByRole("link", { name: "Open in Elastiplan" });
    assert.equal(await open.getAttribute("href"), site.url);
    assert.equal(await open.getAttribute("target"), "_blank");
    await frame.getByLabel("Nodes", { exact: true }).fill("12");
    await ended(frame, { before });
    await frame.waitForFunction((before) => document.querySelector(".embed-foot a").href !== before, site.url);
    const [planner] = await Promise.all([page.waitForEvent("popup"), open.click()]);
    await planner.waitForFunction(() => document.querySelector("#field-nodes")?.value === "12");
  });
});

test("hundreds of rubbish messages change nothing and stop nothing", async () => {
  await inHost(`?embed=1${sample}`, async (page, frame) => {
    const before = await ended(frame);
    const sent = await page.evaluate(() => {
      const frame = document.querySelector("iframe").contentWindow;
      let seed = 7;
      const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };
      const loop = {}; loop.loop = loop;
      const values = [null, undefined, 0, -1, NaN, 1e308, "", "load", "state?", "#v=1", "#v=1&s=%%%", "javascript:alert(1)", "<img src=x onerror=alert(1)>", {}, [], [1], loop,
        { toString: "x" }, new Date(), /x/, new Map([[1, 2]]), new ArrayBuffer(8), 10n, true, "x".repeat(2_000_000), { elastiplan: 1 }, { elastiplan: "1" }, new Error("x")];
      const any = () => values[random(values.length)];
      for (let at = 0; at < 600; at += 1) {
        const message = random(3) === 0 ? any() : { elastiplan: random(2) ? 1 : any(), type: random(2) ? "load" : any(), link: random(3) ? undefined : any(), document: random(4) ? undefined : any() };
        frame.postMessage(message, "*");
      }
      return true;
    });
    assert.ok(sent);
    await page.waitForTimeout(1500);
    assert.deepEqual(await ended(frame), before);
    const errors = await page.evaluate(() => got.filter(({ type }) => type === "error").length);
    assert.ok(errors > 0 && errors <= 20, `${errors} errors`);
    assert.ok((await page.evaluate(() => got)).every(({ elastiplan, type }) => elastiplan === 1 && ["ready", "state", "error"].includes(type)));
    await ask(page, { elastiplan: 1, type: "load", link: "#v=1&preset=idle-nodes" });
    await frame.getByRole("heading", { name: "Nodes that come and go" }).waitFor();
  });
});

test("windows other than the holder are not listened to", async () => {
  await inHost(`?embed=1${sample}`, async (page, frame) => {
    const before = await ended(frame);
    // The frame's own window, and another frame of the host.
    await frame.evaluate(() => postMessage({ elastiplan: 1, type: "load", link: "#v=1&preset=idle-nodes" }, "*"));
    await page.evaluate(() => {
      const other = document.body.appendChild(document.createElement("iframe"));
      const script = other.contentDocument.createElement("script");
      script.textContent = 'parent.frames[0].postMessage({ elastiplan: 1, type: "load", link: "#v=1&preset=idle-nodes" }, "*")';
      other.contentDocument.body.append(script);
    });
    await page.waitForTimeout(1000);
    assert.deepEqual(await ended(frame), before);
    assert.equal(await frame.getByText("Nodes that come and go").count(), 0);
  });
});

test("nothing is stored, and no key or wheel of the host is taken", async () => {
  await inHost(`?embed=1&theme=dark${sample}`, async (page, frame) => {
    await ended(frame);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "dark");
    await frame.getByLabel(/^Rescale cost/).fill("60");
    await page.waitForTimeout(1000);
    assert.deepEqual(await frame.evaluate(async () => [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length]), [0, 0, 0]);
    await frame.locator(".embed-verdict").click();
    for (const key of ["2", "3", "?", "t", "Control+k", "Control+s"]) await page.keyboard.press(key);
    assert.equal(await frame.locator("dialog").count(), 0);
    assert.equal(await frame.locator(".app").getAttribute("data-screen"), "compare");
    const canvas = await frame.locator(".tl-canvas").first().boundingBox();
    await page.mouse.move(canvas.x + 200, canvas.y + 30);
    for (let at = 0; at < 12; at += 1) await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => scrollY > 300);
  });
});

test("parts are shown, locked and hidden as the address says", async () => {
  await withPage(async (page) => {
    const open = async (query) => {
      await leave(page);
      await page.goto(`${url}?embed=1${query}`);
      await ended(page);
    };
    await open("");
    assert.equal(await page.locator(".topbar, .rail, .status, .bottom-bar").count(), 0);
    assert.equal(await page.locator(".embed-locked", { hasText: "Nodes" }).innerText(), "Nodes16");
    assert.equal(await page.locator(".embed-controls input").count(), 1);
    await open("&show=policies,metrics,cluster.nodes,seed&hide=what_if.rescale_cost_s,planner&lock=selection");
    assert.equal(await page.getByRole("checkbox").count(), 3);
    assert.equal(await page.getByLabel(/^Rescale cost/).count(), 0);
    assert.equal(await page.getByRole("link", { name: "Open in Elastiplan" }).count(), 0);
    await page.getByRole("table", { name: "Metrics" }).waitFor();
    const before = await ended(page);
    await page.getByLabel("Nodes", { exact: true }).fill("12");
    await ended(page, { before });
    await page.getByRole("checkbox", { name: "equal-share" }).uncheck();
    await ended(page, { count: 2 });
    await leave(page);
    await page.goto(`${url}?embed=1&figure=all${sample}`);
    await page.locator(".panel-chart canvas").first().waitFor();
    assert.equal(await page.locator(".tl-canvas, .embed-verdict").count(), 0);
  });
});

for (const [colorScheme, width] of [["light", 720], ["dark", 360]]) {
  test(`an embedded page is accessible and no wider than its frame: ${colorScheme}, ${width} px`, async () => {
    const { readFileSync } = await import("node:fs");
    const { createRequire } = await import("node:module");
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await withPage(async (page) => {
      for (const query of ["", "&show=metrics,policies,seed", "&figure=each"]) {
        await leave(page);
        await page.goto(`${url}?embed=1${query}${sample}`);
        await page.locator(".embed-foot").waitFor();
        await page.waitForTimeout(1500);
        await page.evaluate(axe);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) <= 0, `${query} is too wide`);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${query} ${id}: ${nodes[0].html}`), []);
      }
    }, { colorScheme, viewport: { width, height: 460 } });
  });
}

test("the Share dialog shows what readers will see, and its code is that frame", async () => {
  await withApp(async (page) => {
    await ended(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const part = page.getByRole("dialog", { name: "Share" }).getByRole("region", { name: "Embed" });
    await part.getByRole("group", { name: "Seed" }).getByRole("button", { name: "Shown" }).click();
    await part.getByLabel("Theme").selectOption("dark");
    await part.getByLabel("Width").fill("640");
    const code = await part.getByLabel("Code of the frame").inputValue();
    assert.match(code, /^<iframe width="640" height="460" title="BFTrainer mix, 48 jobs" loading="lazy" style="border:0"\n {2}src="[^"]+\?embed=1&amp;show=seed&amp;theme=dark#v=1&amp;/);
    const preview = page.frameLocator('iframe[title="Preview"]');
    await preview.getByLabel("Seed", { exact: true }).waitFor();
    await preview.locator(".embed-verdict h2", { hasText: "deadlines" }).waitFor();
    assert.equal(await preview.locator("html").getAttribute("data-theme"), "dark");
  }, { viewport: { width: 1440, height: 900 } });
});
