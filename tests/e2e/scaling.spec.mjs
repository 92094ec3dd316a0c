// What a job scalability analyzer measured: the report charts it, and says which batch sizes finish in time.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { cli, file, handOverAndRun, withApp } from "./lib.mjs";
import { written } from "./native.mjs";

const models = file("models.csv", [
  "model,weights,batch_per_gpu,time_s",
  "resnet50,24e6,32,0.121", "resnet50,24e6,64,0.207", "resnet50,24e6,256,0.741",
  "alexnet,58e6,16,0.0112", "alexnet,58e6,64,0.0271", "alexnet,58e6,256,0.0944",
].join("\n"));
const allReduce = file("all-reduce.csv", [
  "weights,gpus,time_s",
  "10e6,2,0.0121", "10e6,4,0.0177", "10e6,8,0.0216", "24e6,2,0.028", "24e6,8,0.05", "50e6,2,0.0581", "50e6,4,0.0863",
].join("\n"));
const jobs = file("jobs.csv", [
  "job_id,submit_s,model,gpus,samples,batch_global",
  "a,0,resnet50,2,400000,256", "b,60,alexnet,1,3000000,256", "c,90,resnet50,4,900000,512",
].join("\n"));

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
  test(`models that scale are charted with where values come from: ${colorScheme}, ${width} px wide`, async () => {
    await withApp(async (page) => {
      await handOverAndRun(page, [jobs, models, allReduce]);
      if (width < 720) await page.getByRole("button", { name: "Inputs" }).click();
      await page.getByRole("button", { name: "How the models scale" }).click();
      await page.getByLabel("Model", { exact: true }).selectOption("resnet50");
      const chart = page.getByRole("region", { name: "resnet50: Throughput scaling factor by GPUs" });
      await chart.getByRole("img", { name: /^resnet50 is [0-9.]+ times as fast on 8 GPUs, with a batch of 512/ }).waitFor();
      await chart.getByText("Dots are measured, rings are interpolated, crosses are assumed").waitFor();
      await chart.getByRole("button", { name: "Show as table" }).click();
      const cells = async (gpus) =>
        (await chart.getByRole("row", { name: new RegExp(`^${gpus} `) }).innerText()).split("\t").slice(0, 3);
      assert.deepEqual(await cells(2), ["2", "0.028 s", "measured"]);
      assert.deepEqual((await cells(4)).slice(2), ["interpolated"]);
      assert.deepEqual(await cells(8), ["8", "0.05 s", "measured"]);
      await page.getByLabel("Chart of the model").selectOption("processing-time");
      const times = page.getByRole("region", { name: "resnet50: Processing time by samples on a GPU, ms" });
      await times.getByRole("row", { name: /^128 .* interpolated$/ }).waitFor();
      await times.getByRole("row", { name: /^8 .* assumed$/ }).waitFor();
      const [room, needed] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      assert.ok(needed <= room, `${needed} px in ${room}`);
    }, { colorScheme, viewport: { width, height: 800 } });
  });
}

test("batch sizes that finish in time are those of the command line", async () => {
  await withApp(async (page) => {
    await handOverAndRun(page, [jobs, models, allReduce]);
    await page.getByRole("button", { name: "How the models scale" }).click();
    await page.getByLabel("Model", { exact: true }).selectOption("resnet50");
    const advice = page.getByRole("region", { name: "Which batch sizes finish in time" });
    // It opens on the batch sizes of the jobs; the command line knows those of the measurements.
    await advice.getByLabel("Smallest batch").fill("32");
    await advice.getByLabel("Largest batch").fill("2048");
    await advice.getByLabel("Samples to train").fill("3000000");
    await advice.getByLabel("Hours").fill("0.75");
    await advice.getByRole("row", { name: /^64 never: rule out / }).waitFor();
    const rows = (await advice.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split("\t").map((cell) => cell.trim()));
    assert.deepEqual(rows, natively());
    await advice.getByLabel("Smallest batch").fill("5000");
    await advice.getByText("Whole number from 1 to 2,048. 32 is used").waitFor();
  });
});

/** The rows that the command line prints. */
function natively() {
  const asked = ["--model", "resnet50", "--samples", "3e6", "--within", "45m"];
  const printed = execFileSync(cli, ["scaling", ...written(models, allReduce), ...asked], { encoding: "utf8", stdio: "pipe" });
  const [, table] = printed.split("Training with 3,000,000 samples within 45m\n");
  return table.split("\n").slice(1, -2).map((row) => row.trim().split(/ {2,}/));
}
