// One page in each of three browsers, driven by what each understands: Chromium by Playwright, Firefox by WebDriver
// BiDi, WebKit by WebDriver. `cargo xtask test` names the programs:
//   ELASTIPLAN_FIREFOX                              Firefox
//   ELASTIPLAN_WEBKIT, ELASTIPLAN_WEBKIT_DRIVER     WebKit's MiniBrowser and its driver
//   ELASTIPLAN_XVFB                                 an X server without a screen, to show MiniBrowser on
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { chromium } from "playwright-core";
import { launch, setting } from "../page.mjs";

const { ELASTIPLAN_FIREFOX: firefox, ELASTIPLAN_WEBKIT: webkit } = process.env;

/**
 * The browsers: what to say where one is missing, and how to open a page in it. `body` gets the page as
 * `evaluate(expression)`, which gives the JSON value of a JavaScript expression, and `errors()`, which gives the errors
 * of the page and its console as sentences.
 */
export const browsers = [
  { name: "Chromium", missing: false, withPage: inChromium },
  { name: "Firefox", missing: firefox ? false : "skipped: no Firefox; please install it (Debian: firefox-esr)", withPage: inFirefox },
  {
    name: "WebKit",
    missing: webkit ? false : "skipped: no WebKit; please install its MiniBrowser and Xvfb (Debian: webkit2gtk-driver, xvfb)",
    withPage: inWebKit,
  },
];

/**
 * Browsers that may be killed and started again with the same profile. `withTabs(profile, body)` starts one with a
 * profile's folder; `body` gets `open(url)`, which opens a tab with `evaluate`, `go(url)` and `close()`, and `kill()`,
 * which ends the browser as a crash does.
 */
export const browsersWithProfiles = [
  { name: "Chromium", missing: false, withTabs: inChromiumTabs },
  { name: "Firefox", missing: browsers[1].missing, withTabs: inFirefoxTabs },
];

async function inChromiumTabs(profile, body) {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  const program = spawn(setting("ELASTIPLAN_CHROMIUM"), [...flags, `--user-data-dir=${profile}`]);
  try {
    const [, address] = await printed(program.stderr, /DevTools listening on (ws:\S+)/);
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    const open = async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      return { evaluate: (expression) => page.evaluate(expression), go: (url) => page.goto(url), close: () => page.close() };
    };
    await body({ open, kill: () => killed(program) });
  } finally {
    await ended(program);
  }
}

async function inFirefoxTabs(profile, body) {
  const { program, send } = await startFirefox(profile);
  try {
    const open = async (url) => {
      const { context } = await send("browsingContext.create", { type: "tab" });
      const go = (url) => send("browsingContext.navigate", { context, url, wait: "complete" });
      await go(url);
      return { evaluate: evaluates(send, context), go, close: () => send("browsingContext.close", { context }) };
    };
    await body({ open, kill: () => killed(program) });
  } finally {
    await ended(program);
  }
}

/** Ends a program as a crash does, and waits for that. */
async function killed(program) {
  program.kill("SIGKILL");
  await once(program, "exit");
}

async function inChromium(url, body) {
  const browser = await launch("--disable-gpu");
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    await body({ evaluate: (expression) => page.evaluate(expression), errors: async () => errors });
  } finally {
    await browser.close();
  }
}

async function inFirefox(url, body) {
  const profile = await mkdtemp(join(tmpdir(), "elastiplan-firefox-"));
  const errors = [];
  const { program, send } = await startFirefox(profile, ({ method, params }) => {
    if (method === "log.entryAdded" && params.level === "error") errors.push(params.text);
  });
  try {
    await send("session.subscribe", { events: ["log.entryAdded"] });
    const [{ context }] = (await send("browsingContext.getTree", {})).contexts;
    await send("browsingContext.navigate", { context, url, wait: "complete" });
    await body({ evaluate: evaluates(send, context), errors: async () => errors });
  } finally {
    await ended(program);
    await rm(profile, { recursive: true, force: true });
  }
}

/** Starts Firefox with a session in which commands are sent. */
async function startFirefox(profile, onEvent = () => {}) {
  const program = spawn(firefox, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]);
  const [, address] = await printed(program.stderr, /WebDriver BiDi listening on (ws:\S+)/);
  const send = await bidi(`${address}/session`, onEvent);
  await send("session.new", { capabilities: {} });
  return { program, send };
}

/** What gives the JSON value of an expression in one of Firefox's tabs. */
function evaluates(send, context) {
  return async (expression) => {
    const params = { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: true };
    const { result, exceptionDetails } = await send("script.evaluate", params);
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value ?? "null");
  };
}

/** Opens a BiDi session: returns what sends a command and gives its result. Events are handed to `onEvent`. */
async function bidi(address, onEvent) {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const pending = new Map();
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    if (message.type === "event") return onEvent(message);
    const { resolve, reject } = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "success") resolve(message.result);
    else reject(new Error(`${message.error}: ${message.message}`));
  });
  let id = 0;
  return (method, params) => new Promise((resolve, reject) => {
    id += 1;
    pending.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, method, params }));
  });
}

async function inWebKit(url, body) {
  const screen = spawn(process.env.ELASTIPLAN_XVFB, ["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"]);
  let driver;
  const kept = await serveKeepingErrors(url);
  try {
    const [, display] = await printed(screen.stdout, /^(\d+)\n/);
    const port = await freePort();
    driver = spawn(process.env.ELASTIPLAN_WEBKIT_DRIVER, [`--port=${port}`], { env: { ...process.env, DISPLAY: `:${display}` } });
    const send = async (method, path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, body: body && JSON.stringify(body) });
      const { value } = await answer.json();
      if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
      return value;
    };
    await retried(() => fetch(`http://127.0.0.1:${port}/status`));
    const options = { binary: webkit, args: ["--automation"] };
    const { sessionId } = await send("POST", "", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } });
    await send("POST", `/${sessionId}/url`, { url: kept.url });
    const evaluate = (expression) => send("POST", `/${sessionId}/execute/sync`, { script: `return ${expression}`, args: [] });
    await body({ evaluate, errors: () => evaluate("globalThis.keptErrors") });
    await send("DELETE", `/${sessionId}`);
  } finally {
    kept.server.close();
    if (driver) await ended(driver);
    await ended(screen);
  }
}

/** WebKit's driver has no log of the console: hands on a page with a script ahead of its own that keeps errors. */
async function serveKeepingErrors(url) {
  const { origin, pathname } = new URL(url);
  const script = `globalThis.keptErrors = [];
    const keep = (error) => globalThis.keptErrors.push(String(error));
    const { error } = console;
    console.error = (...words) => { keep(words.join(" ")); error.apply(console, words); };
    addEventListener("error", (event) => keep(event.message ?? \`cannot load \${event.target.src ?? event.target.href}\`), true);
    addEventListener("unhandledrejection", (event) => keep(event.reason));`;
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url, origin));
    const type = answer.headers.get("content-type");
    let content = Buffer.from(await answer.arrayBuffer());
    if (type.startsWith("text/html")) content = String(content).replace("<head>", "<head><script src=\"./keep-errors.js\"></script>");
    const own = request.url.endsWith("/keep-errors.js");
    response.writeHead(own ? 200 : answer.status, { "content-type": own ? "text/javascript" : type });
    response.end(own ? script : content);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, url: `http://127.0.0.1:${server.address().port}${pathname}` };
}

async function freePort() {
  const server = createSocket();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Waits until what a program prints matches. */
function printed(stream, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
    stream.on("end", () => reject(new Error(`the program ended: ${text}`)));
  });
}

/** Ends a program and waits for that. */
async function ended(program) {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill();
  await once(program, "exit");
}

async function retried(action, times = 50) {
  for (let left = times; ; left -= 1) {
    try {
      return await action();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
