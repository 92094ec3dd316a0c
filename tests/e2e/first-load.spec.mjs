// What the browser fetches before the first comparison is painted is what the size budget counts as the first load.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstComparison, setting, watchComparison } from "../page.mjs";
import { url, withPage } from "./lib.mjs";

test("the first load is what the size budget says", async () => {
  await withPage(async (page) => {
    const requests = [];
    page.on("request", (request) => requests.push(request));
    await page.addInitScript(watchComparison);
    await page.goto(url);
    const painted = await firstComparison(page) + await page.evaluate(() => performance.timeOrigin);
    // The time of a request is known once it has been answered.
    await Promise.all(requests.map((request) => request.response()));
    const early = requests.filter((request) => request.timing().startTime <= painted);
    const fetched = new Set(early.map((request) => new URL(request.url()).pathname.split("/").at(-1) || "index.html"));
    // Whether the icon is fetched, and when, is the browser's choice.
    const withoutIcon = (names) => names.filter((name) => !name.startsWith("favicon")).sort();
    assert.deepEqual(withoutIcon([...fetched]), withoutIcon(setting("ELASTIPLAN_FIRST_LOAD").split(" ")));
  });
});
