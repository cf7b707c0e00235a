import { fault } from "@gatehouse/contract";
import type { SiteFile, SiteMap } from "../platform/site-map/index.ts";
import type { Exchange } from "./exchange.ts";
import type { HeaderList } from "./headers.ts";
import type { RequestPath } from "./request-path.ts";
import { Bytes, type Responder } from "./respond.ts";

/** One file ready to send: its bytes per encoding, each with its head. Made once; a request only chooses. */
interface Served {
  readonly etag: string;
  readonly unchanged: HeaderList;
  readonly forms: Readonly<Record<Encoding, { readonly head: HeaderList; readonly body: Uint8Array | Bytes }>>;
}

type Encoding = "br" | "gzip" | "identity";

/** The dashboard's files. Names are looked up in a map made at build time; no path is ever joined to a folder. */
export function openSite(map: SiteMap, respond: Responder) {
  // Contract 4.1: only content-hashed names may be kept for ever.
  const shell = prepare(map.shell, "no-cache");
  const themeInit = prepare(map.themeInit, "no-cache");
  const assets = new Map(
    [...map.assets].map(([name, file]) => [name, prepare(file, "public, max-age=31536000, immutable")]),
  );

  return (exchange: Exchange, place: RequestPath["place"]): void => {
    const { method, path } = exchange.facts;
    exchange.route = place;
    if (method !== "GET" && method !== "HEAD") {
      throw fault("request.method_not_allowed", `${place} files take GET and HEAD`, {
        fields: { allow: ["GET", "HEAD"] },
      });
    }
    if (place === "page") return send(respond, exchange, shell);
    if (place === "theme-init") return send(respond, exchange, themeInit);
    const asset = assets.get(path.slice("/assets/".length));
    if (asset === undefined) throw fault("request.unknown_route", "there is no asset of that name");
    return send(respond, exchange, asset);
  };
}

function prepare(file: SiteFile, cacheControl: string): Served {
  const shared = ["Cache-Control", cacheControl, "ETag", file.etag, "Vary", "Accept-Encoding"];
  const form = (body: Uint8Array | undefined, encoding: Encoding) => ({
    head: [
      ...shared,
      "Content-Type",
      file.type,
      ...(body === undefined || encoding === "identity" ? [] : ["Content-Encoding", encoding]),
    ],
    body: asBytes(body ?? file.body),
  });
  return {
    etag: file.etag,
    unchanged: shared,
    forms: { br: form(file.brotli, "br"), gzip: form(file.gzip, "gzip"), identity: form(file.body, "identity") },
  };
}

/** A short body is kept as a string of bytes: head and body then leave in one write. */
function asBytes(body: Uint8Array): Uint8Array | Bytes {
  return body.byteLength > shortBody ? body : new Bytes(Buffer.from(body).toString("latin1"));
}

const shortBody = 16 * 1024;

function send(respond: Responder, exchange: Exchange, file: Served): void {
  const { headers } = exchange;
  if (hasSameTag(headers["if-none-match"], file.etag)) return respond.whole(exchange, 304, file.unchanged);
  const { head, body } = file.forms[acceptedEncoding(headers["accept-encoding"])];
  respond.whole(exchange, 200, head, body);
}

/** Weak comparison (RFC 9110, 13.1.2). */
function hasSameTag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition === etag || condition === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return condition.split(",").some((tag) => tag.trim().replace(/^W\//, "") === bare);
}

/** Brotli when the client takes it, else gzip, else the bytes as they are. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return "identity";
  let gzip = false;
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";");
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter));
    if (isRefused) continue;
    const coding = name.trim().toLowerCase();
    if (coding === "br") return "br";
    if (coding === "gzip") gzip = true;
  }
  return gzip ? "gzip" : "identity";
}
