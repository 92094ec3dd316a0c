// What tests ask of a page in any browser, as expressions in it.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

const patienceMs = 60_000;

/** Waits until an expression is true in the page, and gives its value; a page that is being left answers nothing. */
export async function until(page, expression) {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await page.evaluate(expression).catch(() => undefined);
    if (found) return found;
    assert.ok(Date.now() < end, `nothing came of ${expression}`);
    await delay(100);
  }
}

/** The digests of the three runs that are compared, once they have ended. */
export const comparison = (document = "document") => `((document) => {
  const strips = [...document.querySelectorAll("[data-digest]")].map((strip) => strip.dataset.digest);
  return strips.length === 3 && strips.join();
})(${document})`;

/** Sets the nodes of the cluster, if the field is there. */
export const nodes = (count, document = "document") => `(() => {
  const field = ${document}.querySelector("#field-nodes");
  if (!field) return false;
  field.value = "${count}";
  field.dispatchEvent(new (field.ownerDocument.defaultView.Event)("input", { bubbles: true }));
  return true;
})()`;
