// Starts the worker's wasm. Messages that arrive before it listens would be lost, so they are kept and handed on.
const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);

// The page asks for this file with `?v=<build id>`; the worker's other files are asked for likewise, so that a stale
// cache cannot mix two builds.
const { search, searchParams } = new URL(import.meta.url);

// With `&full`, the module that can do everything; without, the small one that runs the sample.
const name = searchParams.has("full") ? "elastiplan-worker-full" : "elastiplan-worker";

// An error in a promise would stay inside the worker; reported, it reaches the page as the Worker's `error` event.
self.addEventListener("unhandledrejection", (event) => self.reportError(event.reason));

try {
  const worker = await import(`./${name}.js${search}`);
  await worker.default({ module_or_path: new URL(`./${name}_bg.wasm${search}`, import.meta.url) });
} catch (error) {
  self.reportError(new Error(`The worker could not start: ${error?.message ?? error}`));
}

self.removeEventListener("message", keep);
for (const { data, ports } of early) self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
