// Rows of jobs, GPUs and nodes, painted with WebGL and without.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "../page.mjs";
import { coloursOf, mounted, openAll, url, withApp, withPage } from "./lib.mjs";

const size = { width: 1280, height: 900 };

// WebGL on the processor: machines that run tests seldom have a graphics card.
let card;
after(() => card?.close());

test("a strip shows stacked GPUs, or rows of jobs, GPUs or nodes", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await openAll(page);
    await drawn(page);
    const show = page.getByRole("group", { name: "What strips show" });
    for (const [rows, count, per] of [["Each GPU", 128, /^Node \d+, GPU/], ["Nodes", 16, /^Node \d+$/]]) {
      await show.getByRole("button", { name: rows, exact: true }).click();
      assert.equal(await show.getByRole("button", { name: rows, exact: true }).getAttribute("aria-pressed"), "true");
      await drawn(page);
      const fact = await page.locator("canvas.tl-canvas").first().evaluate((canvas) => ({ ...canvas.dataset }));
      assert.ok(Number(fact.rowsPerLine) >= 1 && Number(fact.rowPitch) >= 2, JSON.stringify(fact));
      assert.ok(Number(fact.rowsPerLine) * 150 >= count, `${rows}: all rows are within reach`);
      const y = await middleOfRows(page);
      await page.mouse.move(560, y, { steps: 3 });
      await page.mouse.move(562, y);
      await page.locator(".tl-tip:not([hidden])").waitFor({ timeout: 5_000 });
      const words = await page.locator(".tl-tip").innerText();
      assert.ok(words.split("\n").some((line) => per.test(line) || /^Node \d+, GPUs/.test(line)), words);
    }
    await show.getByRole("button", { name: "Jobs", exact: true }).click();
    await drawn(page);
    // High enough for lines of less than a node in each of three strips.
  }, { viewport: { width: 1280, height: 1400 } });
});

test("stacked GPUs say what they stand for, and a click on a band shows only its jobs", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await page.getByRole("group", { name: "What strips show" }).getByRole("button", { name: "GPUs", exact: true }).click();
    await drawn(page);
    const place = await page.locator("canvas.tl-canvas").first().evaluate((canvas) => {
      const box = canvas.getBoundingClientRect();
      return { x: box.left + box.width / 4, bottom: box.bottom };
    });
    await page.mouse.move(place.x, place.bottom - 6, { steps: 3 });
    await page.locator(".tl-tip:not([hidden])").waitFor({ timeout: 5_000 });
    const lines = (await page.locator(".tl-tip").innerText()).split("\n").filter(Boolean);
    assert.match(lines[0], /of 128 GPUs$/);
    const [, band] = /^▸ (.+): [\d.]+$/.exec(lines.at(-1));
    await page.mouse.click(place.x, place.bottom - 6);
    await page.getByText(`model:${band}`).first().waitFor();
    for (const by of ["by user", "by size", "by outcome", "by model"]) {
      await page.getByRole("combobox", { name: "How" }).selectOption(by);
      await drawn(page);
      assert.ok(await coloursOfStrips(page) > 1, `GPUs ${by}`);
    }
  }, { viewport: size });
});

test("packed rows say which of them are in view, and scroll", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await page.getByRole("combobox", { name: "How" }).selectOption("packed");
    await drawn(page);
    const strip = page.locator(".tl-strip").first();
    await strip.locator(".tl-readout", { hasText: /^\d+ jobs hold GPUs, rows 1–\d+ of \d+/ }).waitFor();
    await strip.locator("canvas").hover();
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 4_000);
    await page.keyboard.up("Shift");
    await strip.locator(".tl-readout", { hasText: /rows (\d+)–(\d+) of \2/ }).waitFor();
    await strip.locator("canvas").focus();
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageUp");
    await strip.locator(".tl-readout", { hasText: /rows 1–/ }).waitFor();
  }, { viewport: size });
});

test("packed rows follow the order and the groups of jobs", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await page.getByRole("combobox", { name: "How" }).selectOption("packed");
    await drawn(page);
    const first = page.locator("canvas.tl-canvas").first();
    for (const [heading, words] of [["Group rows by", "model"], ["Sort rows by", "GPUs asked for"]]) {
      const before = await pictureOf(first);
      await page.getByRole("button", { name: "View", exact: true }).click();
      const menu = page.getByRole("group", { name: "View" });
      await menu.locator("section", { hasText: heading }).getByRole("button", { name: words, exact: true }).click();
      await otherPicture(first, before);
      await page.keyboard.press("Escape");
    }
  }, { viewport: size });
});

test("the selected job is marked in the stacked GPUs of every run", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await page.getByRole("group", { name: "What strips show" }).getByRole("button", { name: "GPUs", exact: true }).click();
    await drawn(page);
    const canvases = await page.locator("canvas.tl-canvas").all();
    const before = await Promise.all(canvases.map(pictureOf));
    await page.keyboard.press(".");
    await page.getByRole("region", { name: /^Story of / }).waitFor();
    for (const [at, canvas] of canvases.entries()) await otherPicture(canvas, before[at]);
    await page.keyboard.press("Escape");
    for (const [at, canvas] of canvases.entries()) await samePicture(canvas, before[at]);
  }, { viewport: size });
});

test("chevrons say which runs are open after GPUs and then jobs are shown", async () => {
  await withApp(async (page) => {
    await drawn(page);
    const show = page.getByRole("group", { name: "What strips show" });
    for (const rows of ["GPUs", "Jobs"]) {
      await show.getByRole("button", { name: rows, exact: true }).click();
      await drawn(page);
    }
    await page.waitForFunction(() => {
      const strips = [...document.querySelectorAll(".tl-strip")];
      const isOpen = (strip) => strip.querySelector("canvas").clientHeight > 60;
      const says = (strip) => strip.querySelector(".tl-chevron").getAttribute("aria-expanded") === "true";
      return strips.some(isOpen) && strips.every((strip) => isOpen(strip) === says(strip));
    }, null, { timeout: 10_000 });
  }, { viewport: size });
});

test("the whole run stands above the axis, and the frame of the time in view is dragged", async () => {
  await withApp(async (page) => {
    await drawn(page);
    const whole = page.locator("canvas.tl-whole");
    assert.equal(await whole.isVisible(), false, "all time is in view");
    for (let times = 0; times < 4; times += 1) await page.keyboard.press("w");
    await whole.waitFor();
    await drawn(page);
    const window = () => page.locator("canvas.tl-canvas").first().evaluate((canvas) => [Number(canvas.dataset.startS), Number(canvas.dataset.endS)]);
    const [startS, endS] = await window();
    const box = await whole.boundingBox();
    const y = box.y + box.height / 2;
    // Beside the frame: it goes there.
    await page.mouse.click(box.x + 30, y);
    await page.waitForFunction((startS) => Number(document.querySelector("canvas.tl-canvas").dataset.startS) < startS, startS);
    await drawn(page);
    const earlier = await window();
    assert.ok(Math.abs(earlier[1] - earlier[0] - (endS - startS)) < 1, "it is as long as before");
    await page.mouse.move(box.x + 30, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 130, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((startS) => Number(document.querySelector("canvas.tl-canvas").dataset.startS) > startS, earlier[0]);
    await page.keyboard.press("f");
    await whole.waitFor({ state: "hidden" });
  }, { viewport: size });
});

test("beside open runs stands what jobs do in view, and the way to the next decision of that run", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await openAll(page);
    await drawn(page);
    const blocks = page.locator(".tl-in-view > div");
    await page.waitForFunction(() => document.querySelectorAll(".tl-in-view > div").length === 3);
    const last = blocks.nth(2);
    assert.match(await last.innerText(), /48 jobs hold GPUs/);
    assert.match(await last.innerText(), /\d+ changes in view/);
    const numbers = await page.locator(".run-table tbody tr").nth(2).locator("td").first().innerText();
    assert.match(numbers, /\d/, "the numbers stand there too");
    for (let times = 0; times < 2; times += 1) await last.getByRole("button", { name: "Step to next decision" }).click();
    await last.locator("p", { hasText: /^At .+ it (starts|rescales|preempts|declines|changes)/ }).waitFor();
    assert.match(await page.locator(".tl-live").textContent(), /elastic-dp: .*(starts|rescales|preempts|changes nothing)/);
  }, { viewport: { width: 1440, height: 1200 } });
});

test("on a phone Jobs shows one run, and its badge leads to the next", async () => {
  await withApp(async (page) => {
    await page.waitForFunction(() => document.querySelectorAll("[data-digest]").length >= 3);
    const show = page.getByRole("group", { name: "What strips show" });
    await show.getByRole("button", { name: "Jobs", exact: true }).click();
    for (const policy of ["fixed", "equal-share", "elastic-dp", "fixed"]) {
      await page.waitForFunction((policy) => {
        const strips = [...document.querySelectorAll(".tl-strip")];
        return strips.length === 1 && strips[0].dataset.policy === policy;
      }, policy, { timeout: 10_000 });
      await page.getByRole("button", { name: "Next run" }).click();
    }
    await show.getByRole("button", { name: "GPUs", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".tl-strip").length === 3, null, { timeout: 10_000 });
  }, { viewport: { width: 390, height: 844 } });
});

test("the worst queue is where most jobs wait", async () => {
  await withApp(async (page) => {
    await drawn(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> worst queue");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /Most jobs wait under/.test(document.querySelector(".tl-live").textContent));
    const [, policy, count] = /Most jobs wait under (\S+): (\d+)/.exec(await page.locator(".tl-live").textContent());
    const peaks = await page.locator(".tl-shared canvas").first().getAttribute("aria-label");
    const highest = Math.max(...[...peaks.matchAll(/peak (\d+)/g)].map(([, peak]) => Number(peak)));
    assert.equal(Number(count), highest, peaks);
    const readout = page.locator(`.tl-strip[data-policy="${policy}"] .tl-readout`);
    await readout.filter({ hasText: `${count} waiting` }).waitFor();
  }, { viewport: size });
});

test("time stops at the ends of the runs", async () => {
  await withApp(async (page) => {
    await drawn(page);
    const canvas = page.locator("canvas.tl-canvas").first();
    const window = () => canvas.evaluate((canvas) => [Number(canvas.dataset.startS), Number(canvas.dataset.endS)]);
    const all = await window();
    await canvas.hover();
    await page.mouse.wheel(0, 3_000);
    await page.waitForTimeout(300);
    await drawn(page);
    assert.deepEqual(await window(), all);
  }, { viewport: size });
});

test("a browser without WebGL paints everything on canvases", async () => {
  await withPage(async (page) => {
    await page.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
        return kind === "webgl2" ? null : real.call(this, kind, ...rest);
      };
    });
    await page.goto(`${url}?renderer=gl`);
    await mounted(page);
    await drawn(page);
    assert.equal(await renderer(page), "2d");
    assert.ok(await coloursOfStrips(page) > 4);
  }, { viewport: size });
});

test("both ways of painting look alike, on every screen and for all rows", async () => {
  for (const ratio of [1, 1.5, 2]) {
    const shots = {};
    for (const kind of ["2d", "gl"]) {
      await withCard(async (page) => {
        await page.goto(`${url}?renderer=${kind}`);
        await mounted(page);
        await drawn(page);
        assert.equal(await renderer(page), kind);
        await openAll(page);
        for (const rows of ["Jobs", "GPUs", "Nodes", "Each GPU"]) {
          await page.locator(".tl-show button", { hasText: rows }).click();
          await drawn(page);
          shots[`${rows} ${kind}`] = await page.locator(".tl-stage").screenshot();
        }
      }, ratio);
    }
    for (const rows of ["Jobs", "GPUs", "Nodes", "Each GPU"]) {
      const share = await difference(shots[`${rows} 2d`], shots[`${rows} gl`]);
      // Hatches begin elsewhere: their lines differ, not what they cover.
      assert.ok(share < 0.03, `${rows} at ${ratio}: ${(share * 100).toFixed(2)} % of the pixels differ`);
    }
  }
});

test("what the browser takes away is painted otherwise, and again when it comes back", async () => {
  await withCard(async (page) => {
    await page.goto(`${url}?renderer=gl`);
    await mounted(page);
    await drawn(page);
    assert.equal(await renderer(page), "gl");
    const before = await page.locator(".tl-stage").screenshot();
    await page.evaluate(() => {
      const gl = document.querySelector("canvas.tl-below").getContext("webgl2");
      globalThis.loss = gl.getExtension("WEBGL_lose_context");
      globalThis.loss.loseContext();
    });
    await page.waitForFunction(() => document.querySelector("canvas.tl-canvas").dataset.renderer === "2d");
    assert.ok(await coloursOfStrips(page) > 4);
    await page.evaluate(() => globalThis.loss.restoreContext());
    await page.waitForFunction(() => document.querySelector("canvas.tl-canvas").dataset.renderer === "gl");
    await page.waitForTimeout(100);
    const after = await page.locator(".tl-stage").screenshot();
    assert.ok(await difference(before, after) < 0.001);
  }, 1);
});

async function withCard(body, deviceScaleFactor) {
  card ??= await launch("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist");
  const context = await card.newContext({ viewport: size, deviceScaleFactor });
  try {
    const page = await context.newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    await body(page);
    assert.deepEqual(troubles, []);
  } finally {
    await context.close();
  }
}

/** Waits until all strips are there with all their detail, as the page draws them after what was done last. */
async function drawn(page) {
  await frames(page, 4);
  await page.waitForFunction(() => {
    const canvases = [...document.querySelectorAll("canvas.tl-canvas")];
    return canvases.length >= 3 && document.querySelectorAll("[data-digest]").length >= 3
      && canvases.every((canvas) => canvas.dataset.detailComplete === "1")
      && document.getAnimations().every((animation) => animation.playState !== "running");
  }, null, { timeout: 60_000 });
  await frames(page, 4);
}

/** Lets the page draw so many frames, however long each takes. */
async function frames(page, count) {
  await page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
  }, count);
}

/** A height in the strip of equal-share, under which all GPUs are in use in the middle of the run. */
async function middleOfRows(page) {
  const box = await page.locator("canvas.tl-canvas").nth(1).boundingBox();
  return box.y + 60;
}

/** What a canvas shows. */
function pictureOf(canvas) {
  return canvas.evaluate((canvas) => canvas.toDataURL());
}

async function otherPicture(canvas, before) {
  const handle = await canvas.elementHandle();
  await handle.ownerFrame().then((frame) => frame.waitForFunction(([canvas, before]) => canvas.toDataURL() !== before, [handle, before], { timeout: 10_000 }));
}

async function samePicture(canvas, before) {
  const handle = await canvas.elementHandle();
  await handle.ownerFrame().then((frame) => frame.waitForFunction(([canvas, before]) => canvas.toDataURL() === before, [handle, before], { timeout: 10_000 }));
}

function renderer(page) {
  return page.locator("canvas.tl-canvas").first().evaluate((canvas) => canvas.dataset.renderer);
}

/** How many colours the canvas of the first strip has. */
function coloursOfStrips(page) {
  return coloursOf(page.locator("canvas.tl-canvas").first());
}

/** The share of pixels of two pictures that differ so that one sees it. */
async function difference(a, b) {
  const context = await card.newContext();
  try {
    const page = await context.newPage();
    return await page.evaluate(async (pictures) => {
      const pixels = await Promise.all(pictures.map(async (picture) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      }));
      const [a, b] = pixels;
      if (a.length !== b.length) return 1;
      let differ = 0;
      for (let at = 0; at < a.length; at += 4) {
        const most = Math.max(...[0, 1, 2].map((part) => Math.abs(a[at + part] - b[at + part])));
        if (most > 40) differ += 1;
      }
      return differ / (a.length / 4);
    }, [a, b].map((picture) => picture.toString("base64")));
  } finally {
    await context.close();
  }
}
