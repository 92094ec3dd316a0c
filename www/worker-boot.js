// Starts the worker's wasm: the page hands over the compiled module in a message, so that it is compiled once for all
// workers. Requests that arrive before the wasm listens would be lost, so they are kept and handed on.
const early = [];
let resolve, reject;
const handedOver = new Promise((...ends) => ([resolve, reject] = ends));
const keep = (event) => (event.data instanceof WebAssembly.Module ? resolve(event.data) : early.push(event));
self.addEventListener("message", keep);
self.addEventListener("messageerror", () => reject(new Error("its module could not be handed over")));

// The page asks for this file with `?v=<build id>`; the worker's other file is asked for likewise, so that a stale
// cache cannot mix two builds.
const { search, searchParams } = new URL(import.meta.url);

// With `&full`, the module that can do everything; without, the small one that runs the sample.
const name = searchParams.has("full") ? "elastiplan-worker-full" : "elastiplan-worker";

// An error in a promise would stay inside the worker; reported, it reaches the page as the Worker's `error` event.
self.addEventListener("unhandledrejection", (event) => self.reportError(event.reason));

// A worker that directs a study starts others like itself, with the module that it has.
self.elastiplanWorker = () => {
  const runner = new Worker(import.meta.url, { type: "module" });
  handedOver.then((module) => runner.postMessage(module));
  return runner;
};

try {
  const [worker, module] = await Promise.all([import(`./${name}.js${search}`), handedOver]);
  worker.initSync({ module });
} catch (error) {
  self.reportError(new Error(`The worker could not start: ${error?.message ?? error}`));
}

self.removeEventListener("message", keep);
for (const { data, ports } of early) self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
