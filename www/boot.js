// Starts the app. It is a file because the page's Content-Security-Policy forbids inline scripts, and a classic script
// because modules do not even start where the page was opened straight from disk, which deserves a plain sentence.
(async () => {
  const { app, wasm } = document.currentScript.dataset;
  const modules = {}; // of workers, by name, compiled or being compiled
  const ahead = []; // workers started with the page
  const failed = new WeakSet();
  if (new URLSearchParams(location.search).get("embed") === "1") addStyle("embed.css");
  try {
    if (typeof WebAssembly !== "object") throw new Error("This browser has no WebAssembly.");
    // Workers take as long to start as the app does, so they start at the same time.
    for (let i = 0; i < 3; i += 1) ahead.push(startWorker(false));
    // The app gets its workers here.
    globalThis.elastiplanWorker = (isFull) => (isFull ? undefined : takeAhead()) ?? startWorker(isFull);
    // Both names are relative to the page, so that it works from any folder.
    const module = await import(new URL(app, document.baseURI));
    await module.default({ module_or_path: new URL(wasm, document.baseURI) });
  } catch (error) {
    explain(error);
    throw error;
  }

  // Starts a worker of the small module or the full one. The module is compiled here, once, and handed over: compiled
  // code is shared by all workers that have it.
  function startWorker(isFull) {
    const worker = new Worker(`worker-boot.js?v=${build()}${isFull ? "&full" : ""}`, { type: "module" });
    const name = isFull ? "elastiplan-worker-full" : "elastiplan-worker";
    // What goes wrong before the app listens is kept for it.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      failed.add(worker);
    });
    modules[name] ??= compile(`${name}_bg.wasm`).catch((error) => {
      delete modules[name]; // the next worker tries again
      throw error;
    });
    const fail = (error) => {
      const message = `The worker could not start: ${name}_bg.wasm: ${error?.message ?? error}`;
      worker.dispatchEvent(new ErrorEvent("error", { message, cancelable: true }));
    };
    modules[name].then((module) => worker.postMessage(module)).catch(fail);
    return worker;
  }

  async function compile(file) {
    const response = await fetch(new URL(`${file}?v=${build()}`, document.baseURI));
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    // Some servers send it as another type, which cannot be compiled as it comes.
    const streams = WebAssembly.compileStreaming && response.headers.get("content-type") === "application/wasm";
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  }

  // One of the workers that were started with the page, if one is left that works.
  function takeAhead() {
    let worker = ahead.pop();
    while (failed.has(worker)) worker = ahead.pop();
    return worker;
  }

  function addStyle(file) {
    const link = document.head.appendChild(document.createElement("link"));
    link.rel = "stylesheet";
    link.href = `${file}?v=${build()}`;
  }

  function build() {
    return document.querySelector("meta[name=elastiplan-build]").content;
  }

  function explain(error) {
    const lines = [
      ["h1", "Elastiplan could not start"],
      ["p", advice(error)],
      ["p", `What the browser said: ${error?.message ?? error}`],
    ];
    const box = document.createElement("div");
    box.setAttribute("role", "alert");
    for (const [tag, text] of lines) box.appendChild(document.createElement(tag)).textContent = text;
    (document.getElementById("app") ?? document.body).replaceChildren(box);
  }

  function advice(error) {
    if (location.protocol === "file:") {
      return "Browsers do not run WebAssembly from a file on disk. Serve this folder with any web server, for example with “cargo xtask serve”, and open the address that it prints.";
    }
    if (typeof WebAssembly !== "object") {
      return "It needs WebAssembly, which this browser lacks or has switched off. Please use a current Firefox, Chrome, Edge or Safari.";
    }
    if (error instanceof WebAssembly.RuntimeError) {
      return "It stopped with an error of its own. Please reload the page; if that does not help, please report this with the words below.";
    }
    return "A part of the page could not be loaded. Please reload it. If that does not help, the site may have been updated half-way or the browser may be too old: try again in a few minutes, or in a current Firefox, Chrome, Edge or Safari.";
  }
})();
