// Files that are packed, and tables that are pasted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { digests, ended, handOver, withApp } from "./lib.mjs";

const curves = "model,gpus,samples_per_s\nbert,1,100\nbert,2,190\nbert,4,340\n";
const jobs = "job_id,submit_s,model,gpus,samples\na,0,bert,2,90000\nb,10,bert,1e300,90000\nc,20,bert,1,50000\n";

/** A zip archive of files by their names, deflated. */
function zip(files) {
  const u16 = (value) => [value & 255, value >> 8 & 255];
  const u32 = (value) => [...u16(value & 65_535), ...u16(value >>> 16)];
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [packed, bytes] = [deflateRawSync(text), Buffer.from(text)];
    const common = [20, 0, 0, 0, 8, 0, 0, 0, 0, 0, ...u32(crc32(bytes)), ...u32(packed.length), ...u32(bytes.length), ...u16(name.length), 0, 0];
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0, ...common, ...Array(10).fill(0), ...u32(at)]), Buffer.from(name));
    parts.push(Buffer.from([0x50, 0x4b, 3, 4, ...common]), Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = u16(Object.keys(files).length);
  return Buffer.concat([...parts, ...directory, Buffer.from([0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...count, ...count, ...u32(size), ...u32(at), 0, 0])]);
}

/** Pastes a text, or files, where the page has its focus. */
async function paste(page, text, on = "body") {
  await page.locator(on).first().evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test("a zip archive and a file packed with gzip are read, and a row in the archive is shown", async () => {
  await withApp(async (page) => {
    const buffer = zip({ "trace/jobs.csv": jobs, "README.txt": "nothing of use" });
    await handOver(page, [
      { name: "data.zip", mimeType: "application/zip", buffer },
      { name: "curves.csv.gz", mimeType: "application/gzip", buffer: gzipSync(curves) },
    ]);
    await page.getByRole("heading", { name: "2 of 3 jobs can run" }).waitFor();
    await page.getByText("data.zip/trace/jobs.csv").first().waitFor();
    await page.getByRole("row").filter({ hasText: "1e300" }).first().click();
    await page.getByRole("cell", { name: "1e300", exact: true }).last().waitFor();
  });
});

test("a table is pasted anywhere but into a field", async () => {
  await withApp(async (page) => {
    const before = await ended(page);
    await paste(page, "one line is no table");
    await paste(page, jobs, "input[type=text], input[type=number]");
    assert.equal(await page.getByText("pasted.csv").count(), 0);
    await paste(page, jobs.replaceAll(",", "\t"));
    await page.getByText("pasted.csv").first().waitFor();
    await page.getByRole("row").filter({ hasText: "1e300" }).first().waitFor();
    assert.notDeepEqual(await digests(page), before);
  });
});
