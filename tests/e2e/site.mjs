// A server of the finished page that tests may stop, slow down, add files to and give another build. It hands on what
// ELASTIPLAN_URL serves.
import { once } from "node:events";
import { createServer } from "node:http";
import { setting } from "../page.mjs";

const source = setting("ELASTIPLAN_URL");

/** The id of the other build. */
export const otherBuild = "0123456789abcdef";

/**
 * Starts a server. `files` are further ones by their address on the server: text, or what makes an answer of a request.
 * The result's `mode` may be changed while it runs.
 */
export async function serve({ mount = "/papers/elastiplan/", files = {}, port = 0 } = {}) {
  const build = /name="elastiplan-build" content="(\w+)"/.exec(await (await fetch(source)).text())[1];
  const site = {
    build,
    /** Whether the other build is served, and files of this one are gone. */
    isOther: false,
    /** Milliseconds that an answer takes. */
    delayMs: 0,
    /** The folder of an author's scenarios, as index.html names it. */
    gallery: "",
    /** Addresses whose content is damaged. */
    damaged: undefined,
    /** Addresses that were asked for. */
    asked: [],
    files,
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, source);
    site.asked.push(request.url);
    const send = (status, type, content) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-cache", ...site.headers }).end(content);
    };
    await new Promise((resolve) => setTimeout(resolve, site.delayMs));
    if (pathname === "/favicon.ico") return send(204, "image/x-icon", "");
    if (site.files[pathname] !== undefined) return send(200, typeOf(pathname), site.files[pathname]);
    if (!pathname.startsWith(mount)) return send(404, "text/plain", "no such file");
    let below = request.url.slice(mount.length);
    const isGone = site.isOther && (searchParams.get("v") === build || /^app-(?!0123456789abcdef)/.test(below));
    if (isGone) return send(404, "text/plain", "another build");
    if (site.isOther) below = below.replace(`app-${otherBuild}`, site.app).replaceAll(otherBuild, build);
    const answer = await fetch(new URL(below, source));
    const type = answer.headers.get("content-type") ?? "text/plain";
    let content = Buffer.from(await answer.arrayBuffer());
    if (/^(|index\.html|sw\.js)(\?|$)/.test(below)) {
      site.app ??= /app-[0-9a-f]{16}/.exec(String(content))?.[0];
      content = String(content).replace('name="elastiplan-gallery" content=""', `name="elastiplan-gallery" content="${site.gallery}"`);
      if (site.isOther) content = String(content).replaceAll(build, otherBuild).replaceAll(site.app, `app-${otherBuild}`);
    }
    if (site.damaged?.test(below)) content = Buffer.concat([content, Buffer.from(" ")]);
    send(answer.status, type, content);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const address = server.address().port;
  site.origin = `http://127.0.0.1:${address}`;
  site.url = site.origin + mount;
  site.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  site.start = () => once(server.listen(address, "127.0.0.1"), "listening");
  return site;
}

function typeOf(path) {
  if (path.endsWith(".html")) return "text/html; charset=utf-8";
  return path.endsWith(".json") ? "application/json" : "text/plain; charset=utf-8";
}
