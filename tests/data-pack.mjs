// Where the public traces are, for the tests and benchmarks that read them.
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const pack = resolve(process.env.ELASTIPLAN_DATA ?? "../shared/data");

/** What to say where the real traces are missing; false where they are there. */
export const noDataPack = existsSync(pack) ? false : "skipped: no data pack";

/** A file or a folder. */
export function inDataPack(...path) {
  return join(pack, ...path);
}

/** A trace of ElasticFlow with its A100 profiles. */
export function realFiles(trace) {
  const profiles = inDataPack("elasticflow/profiles/A100");
  return {
    jobs: inDataPack("elasticflow/traces", trace),
    curves: readdirSync(profiles).filter((name) => name.endsWith(".csv")).sort().map((name) => join(profiles, name)),
  };
}
