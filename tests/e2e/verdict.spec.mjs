// The verdict follows the goal: what it names is what the numbers say, and a limit decides what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idle, samplePolicies as policies, withApp } from "./lib.mjs";
import { sampleFiles, simulate } from "./native.mjs";

test("the run that the verdict names is the best by the goal", async () => {
  await withApp(async (page) => {
    await finished(page);
    const { runs } = simulate(sampleFiles(3), policies);
    const bestBy = (key, sign) => policies.toSorted((a, b) => sign * (runs[a].metrics[key] - runs[b].metrics[key]))[0];
    for (const [goal, key, sign] of [
      ["deadlines", "deadline_satisfactory_ratio", -1],
      ["mean completion", "avg_jct_s", 1],
      ["p95 waiting", "p95_queueing_s", 1],
    ]) {
      await page.getByLabel("Goal", { exact: true }).selectOption({ label: goal });
      const headline = await page.getByRole("region", { name: "Verdict" }).getByRole("heading").textContent();
      assert.ok(headline.includes(bestBy(key, sign)), `${goal}: ${headline}, and the best is ${bestBy(key, sign)}`);
      assert.match(await words(page), /Its price: /);
    }
  });
});

test("a limit that no run keeps names the nearest and the bound; one that is none is refused", async () => {
  await withApp(async (page) => {
    await finished(page);
    const limit = page.getByLabel("Limit of the goal");
    await limit.fill("100%");
    await limit.press("Enter");
    const heading = page.getByRole("region", { name: "Verdict" }).getByRole("heading");
    assert.match(await heading.textContent(), /^No run reaches 100% of deadlines; .* comes nearest with /);
    assert.match(await words(page), /^The bound for any policy on 16 nodes is /);
    await limit.fill("plenty");
    await limit.press("Enter");
    assert.equal(await limit.getAttribute("aria-invalid"), "true");
    await limit.fill("");
    await limit.press("Enter");
    assert.match(await heading.textContent(), / of deadlines, the most of 3 runs$/);
    await page.getByLabel("Goal", { exact: true }).selectOption({ label: "cost" });
    assert.equal(await heading.textContent(), "What these runs cost is not known");
  });
});

/** Waits for the numbers of a finished comparison. */
async function finished(page) {
  await page.getByRole("table", { name: "Metrics" }).waitFor();
  await idle(page);
}

/** The line below the headline. */
async function words(page) {
  return page.getByRole("region", { name: "Verdict" }).locator("p").first().textContent();
}
