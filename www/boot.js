// Starts the app. It is a file because the page's Content-Security-Policy forbids inline scripts, and a classic script
// because modules do not even start where the page was opened straight from disk, which deserves a plain sentence.
(async () => {
  const { app, wasm } = document.currentScript.dataset;
  try {
    if (typeof WebAssembly !== "object") throw new Error("This browser has no WebAssembly.");
    startWorkers();
    // Both names are relative to the page, so that it works from any folder.
    const module = await import(new URL(app, document.baseURI));
    await module.default({ module_or_path: new URL(wasm, document.baseURI) });
  } catch (error) {
    explain(error);
    throw error;
  }

  // Workers take as long to start as the app does, so they start at the same time; the app takes them over by this
  // name. What goes wrong before it listens is kept for it.
  function startWorkers() {
    const { content: build } = document.querySelector("meta[name=elastiplan-build]");
    globalThis.elastiplanWorkers = Array.from({ length: 3 }, () => {
      const worker = new Worker(`worker-boot.js?v=${build}`, { type: "module" });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        worker.elastiplanError = event.message || "it could not be loaded";
      });
      return worker;
    });
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
