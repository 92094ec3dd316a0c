// Bad input of studies on the page: what cannot be answered is said before it runs, and what cannot be kept while it does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, withApp } from "./lib.mjs";

/** Shows the study's screen, and begins the study of the nodes without running it. */
async function varyNodes(page) {
  await ended(page);
  await page.keyboard.press("3");
  await page.getByRole("list", { name: "What can be varied" }).getByRole("button", { name: "Share of the jobs" }).click();
  await page.getByRole("button", { name: /^Share of the jobs / }).waitFor();
}

/** Makes a metric the first goal. */
async function ask(page, metric) {
  await page.getByRole("button", { name: /^Deadlines met ≥/ }).click();
  await page.getByLabel("Metric").selectOption(metric);
  await page.keyboard.press("Escape");
}

test("a goal that no run has a value for is said before it runs, and refused", async () => {
  await withApp(async (page) => {
    await varyNodes(page);
    await ask(page, "cost_dollars");
    const why = "Cost is not a goal for these jobs: no price is set. Set a price per GPU-hour, or another goal";
    await page.getByText(why).first().waitFor();
    await page.getByRole("button", { name: "Run study" }).first().click();
    await page.locator(".notice", { hasText: "no price is set" }).waitFor();
  });
});

test("a goal over completed jobs asks for one on declined jobs, by the name of the metric", async () => {
  await withApp(async (page) => {
    await varyNodes(page);
    await ask(page, "makespan_s");
    await page.getByText("Makespan is over completed jobs: a policy that declines jobs looks better than it is").waitFor();
    await page.getByRole("button", { name: "Add Declined ≤ 5%" }).click();
    await page.getByText("Makespan is over completed jobs").waitFor({ state: "detached" });
  });
});

test("a million points are estimated, offered smaller, and not begun", async () => {
  await withApp(async (page) => {
    await varyNodes(page);
    const type = async (chip, values) => {
      await page.getByRole("button", { name: chip }).click();
      const form = page.getByRole("group", { name: /^Values of / });
      for (const [label, value] of values) await form.getByLabel(label).fill(value);
      await page.keyboard.press("Escape");
    };
    await type(/^Share of the jobs /, [["Step", "0.1"], ["From", "0.1"]]);
    await page.getByRole("button", { name: "+ axis" }).click();
    await page.getByLabel("Search fields and parameters").fill("nodes");
    await page.getByRole("button", { name: /^Nodes/ }).last().click();
    await type(/^Nodes /, [["From", "1"], ["To", "1000"], ["Step", "1"]]);
    await page.getByText(/^[\d,]{9,} runs, about /).waitFor();
    await page.getByRole("button", { name: "Run study" }).first().click();
    await page.getByText(/too many for a page\. Take the smaller study that is offered/).waitFor();
    await page.getByRole("button", { name: /^Every .* value: / }).click();
    await page.getByRole("region", { name: "Answer" }).getByText(/points × 3 policies × /).waitFor();
  });
});

test("a browser without room for runs says so, and the study goes on", async () => {
  await withApp(async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize: 1 });
    await ended(page);
    await page.keyboard.press("3");
    await page.getByRole("button", { name: /^Vary nodes/ }).click();
    await page.getByText(/^All \d+ points settled$/).waitFor({ timeout: 120_000 });
    await page.getByRole("group", { name: "Notes" }).getByText(/^Not kept: the browser gives no more room/).waitFor();
    assert.equal(await page.getByText(/are kept in this browser/).count(), 0);
  });
});
