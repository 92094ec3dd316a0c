// The native command line, to compare the page with.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "./lib.mjs";

/** The sample with another seed, as files. */
export function sampleFiles(seed) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  execFileSync(cli, ["sample", folder, "--seed", String(seed)]);
  return { jobs: join(folder, "jobs.csv"), curves: [join(folder, "curves.csv")] };
}

/** Files as they are handed to the page, written to a folder: their paths. */
export function written(...files) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  return files.map(({ name, buffer }) => {
    writeFileSync(join(folder, name), buffer);
    return join(folder, name);
  });
}

/** Simulates natively: the runs by policy, and the rows of spans.csv. With a log, `nodes` are those always there. */
export function simulate({ jobs, curves, availability }, policies, { nodes = 16, gpusPerNode = 8, options = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "elastiplan-"));
  const args = ["simulate", "--jobs", jobs, ...curves.flatMap((path) => ["--curves", path])];
  args.push("--nodes", String(nodes), "--gpus-per-node", String(gpusPerNode));
  if (availability) args.push("--availability", availability);
  args.push(...policies.flatMap((policy) => ["--policy", policy]), "--format", "json", "--out", folder, ...options);
  const { runs, diagnostics } = JSON.parse(execFileSync(cli, args, { encoding: "utf8", maxBuffer: 1 << 28 }));
  const table = (name) => rows(readFileSync(join(folder, name), "utf8"));
  return {
    diagnostics,
    runs: Object.fromEntries(runs.map((run) => [run.policy, run])),
    text: (name) => readFileSync(join(folder, name), "utf8"),
    spans: table("spans.csv"),
    jobs: table("jobs.csv"),
  };
}

/** The rows of a CSV without quoted cells, as objects. */
export function rows(csv) {
  const [header, ...lines] = csv.trimEnd().split("\n").map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
}
