// The time from navigation to the first comparison painted, with an empty cache: for each folder with a finished page,
// on localhost as it is, and compressed at 10 Mbit/s with 40 ms of latency. Pages are visited in turn, so that a busy
// machine slows all of them alike: `cargo xtask bench --only first-load --dist BEFORE --dist AFTER`.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { firstComparison, launch, spread, watchComparison } from "../page.mjs";

const visits = 9;
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const slow = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

const folders = process.argv.slice(2);
const browser = await launch("--disable-gpu");
const servers = [];
try {
  console.log(`Chromium ${browser.version()}, ${visits} visits, navigation to the first comparison painted: median (smallest to largest)`);
  await measure("localhost", { compressed: false });
  await measure("10 Mbit/s, 40 ms, brotli", { compressed: true, network: slow });
} finally {
  await browser.close();
  for (const server of servers) server.close();
}

async function measure(what, { compressed, network }) {
  const pages = [];
  for (const folder of folders) pages.push({ folder, url: await serve(folder, compressed), times: [] });
  for (let visit = 0; visit < visits; visit += 1) {
    for (const { url, times } of pages) times.push(await visited(url, network));
  }
  for (const { folder, times } of pages) {
    const { median, least, most } = spread(times);
    const [middle, from, to] = [median, least, most].map((ms) => ms.toFixed(0));
    console.log(`${what.padEnd(26)} ${middle.padStart(6)} ms  (${from} to ${to})  ${folder}`);
  }
}

/** Milliseconds of a visit with an empty cache. */
async function visited(url, network) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchComparison);
    if (network) {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", network);
    }
    await page.goto(url);
    return await firstComparison(page);
  } finally {
    await context.close();
  }
}

/** Serves a folder as a static host does; compressed, each file is so before it is asked for. */
async function serve(folder, compressed) {
  const contents = new Map();
  const content = async (name) => {
    if (!contents.has(name)) {
      const raw = await readFile(join(resolve(folder), name));
      contents.set(name, compressed ? brotliCompressSync(raw) : raw);
    }
    return contents.get(name);
  };
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    try {
      const body = await content(name);
      // Three workers ask for the same files: hosts let browsers keep them for a while.
      const headers = { "content-type": types[extname(name)], "content-length": body.length, "cache-control": "max-age=600" };
      response.writeHead(200, compressed ? { ...headers, "content-encoding": "br" } : headers).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  servers.push(server);
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${server.address().port}/`;
  await visited(url); // compresses, and takes what Chromium does only once
  return url;
}
