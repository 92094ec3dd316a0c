// The service worker of the page's folder: it keeps one build's files, so that the page opens and works without a
// network. `cargo xtask finish` writes the build's id and its files, each with its hash, into the two lines below.
const build = "BUILD_ID";
const files = [/* BUILD_FILES */];

const scope = self.registration.scope;
// Caches belong to the whole server, where other folders may hold other pages.
const cacheOf = (build) => `elastiplan ${scope} ${build}`;
// Copies of the documents, whatever the build: they are kept when they are read.
const documents = `elastiplan ${scope}: docs`;
const networkMs = 3000;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim().then(tidy)));
self.addEventListener("message", ({ data, ports: [port] }) => {
  // The page asks which build this is, and when its user says so, for this build to take over.
  if (data === "build") port?.postMessage(build);
  if (data === "activate") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  const url = new URL(request.url);
  const path = url.href.slice(scope.length).split(/[?#]/, 1)[0];
  if (request.mode === "navigate" && (path === "" || path === "index.html")) {
    event.respondWith(freshOr(request, () => caches.match(scope, { cacheName: cacheOf(build) })));
  } else if (path.startsWith("docs/")) {
    event.respondWith(freshOr(request, () => caches.match(request, { cacheName: documents }), documents));
  } else if (url.searchParams.has("v") || /-[0-9a-f]{16}[/_.]/.test(path) || own(path)) {
    event.respondWith(kept(request, path, url.searchParams.get("v")));
  }
});

// All files of the build, or none: a host that is half-way through an update, or that changes files, has none kept.
async function keepAll() {
  const cache = await caches.open(cacheOf(build));
  await Promise.all([keepPage(cache), ...files.map((file) => keep(cache, file))]);
}

async function keep(cache, file) {
  const response = await rightFile(file);
  await cache.put(new URL(file[0], scope), response);
}

// A file that is the build's own, or an error. What is in the browser's own cache will do.
async function rightFile([address, integrity]) {
  const url = new URL(address, scope);
  const response = await fetch(url, { integrity }).catch(() => fetch(url, { integrity, cache: "reload" }));
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status}`);
  return response;
}

// The page is known by the build's id in it: a host may have added to it.
async function keepPage(cache) {
  for (const address of ["./", "index.html"]) {
    const response = await fetch(new URL(address, scope), { cache: "reload" });
    const text = response.ok ? await response.text() : "";
    if (text.includes(`content="${build}"`)) {
      const headers = new Headers(response.headers);
      ["content-encoding", "content-length"].forEach((name) => headers.delete(name));
      return cache.put(scope, new Response(text, { headers }));
    }
  }
  throw new Error("the server has another build");
}

// A file by its address: one with a build's id from that build's cache, one with a hash from whichever has it. So a
// page goes on with its own build's files when the server has the next.
async function kept(request, path, asked) {
  const names = (await caches.keys()).filter((name) => name.startsWith(cacheOf("")));
  for (const name of asked ? [cacheOf(asked)] : [cacheOf(build), ...names]) {
    const found = names.includes(name) && (await caches.match(request, { cacheName: name, ignoreSearch: true }));
    if (found) return as(request, found);
  }
  const file = !asked || asked === build ? own(path) : undefined;
  if (!file) return fetch(request);
  // One that was lost is kept again; another build's in its place would be worse than none.
  const response = await rightFile(file);
  const cache = await caches.open(cacheOf(build));
  cache.put(new URL(file[0], scope), response.clone()).catch(() => {});
  return as(request, response);
}

// The answer under the address that was asked for: a worker reads the one that it was started with.
function as(request, response) {
  return response.url === request.url ? response : new Response(response.body, response);
}

function own(path) {
  return files.find(([address]) => address.split("?", 1)[0] === path);
}

// The server's answer if it comes in time, else the copy. With `cacheName`, a copy of the answer is kept.
async function freshOr(request, copy, cacheName) {
  const fetched = fetch(request).then(async (response) => {
    const keeps = cacheName && response.ok && !response.redirected;
    if (keeps) await caches.open(cacheName).then((cache) => cache.put(request, response.clone())).catch(() => {});
    return response;
  });
  const inTime = Promise.race([fetched, new Promise((_, late) => setTimeout(late, networkMs))]);
  const fresh = await inTime.catch(() => undefined);
  if (fresh?.ok || fresh?.type === "opaqueredirect") return fresh;
  return (await copy()) ?? fresh ?? fetched;
}

// Other builds' files go when this build takes over, unless several pages are open: one of them may be of another build.
async function tidy() {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const others = (await caches.keys()).filter((name) => name.startsWith(cacheOf("")) && name !== cacheOf(build));
  if (open.length <= 1) await Promise.all(others.map((name) => caches.delete(name)));
}
