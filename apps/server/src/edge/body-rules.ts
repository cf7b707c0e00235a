import type { IncomingHttpHeaders } from "node:http";
import { parseStrictJsonBytes, type Json } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { BodyStreamSpec, RouteSpec } from "@gatehouse/contract/routes";
import * as z from "zod";
import { edgeLimits } from "./limits.ts";

/** Judges a body by its headers, before a byte of it is read. */
export function checkBodyHeaders(spec: RouteSpec, headers: IncomingHttpHeaders): void {
  if (headers["content-encoding"] !== undefined) {
    // A compressed body could be a thousand times its size.
    throw fault("request.unsupported_media_type", "a request body must not have a Content-Encoding");
  }
  if (spec.bodyStream !== undefined) return checkStreamHeaders(spec.bodyStream, headers);
  if (spec.body === undefined) {
    if (hasBody(headers)) throw fault("request.malformed", `${spec.method} ${spec.path} takes no body`);
    return;
  }
  if (!hasBody(headers)) {
    if (mayLackBody(spec)) return;
    throw fault("request.malformed", "a JSON body is expected; none was sent");
  }
  checkMediaType(spec.accepts ?? json, headers["content-type"]);
  const limit = spec.bodyLimit ?? edgeLimits.bodyBytes;
  if (Number(headers["content-length"] ?? 0) > limit) throw bodyTooLarge(limit);
}

/** Where the row's own schema says that there may be none. Nothing of the schema is run for that. */
export function mayLackBody({ body }: RouteSpec): boolean {
  return body instanceof z.ZodOptional;
}

/** A stream says how long it is: whoever takes it can refuse it for that before a byte is read. */
function checkStreamHeaders({ mediaType, most }: BodyStreamSpec, headers: IncomingHttpHeaders): void {
  if (!hasBody(headers)) throw fault("request.malformed", `a body of ${mediaType} is expected; none was sent`);
  // No parameter either: bytes have no charset.
  if (headers["content-type"]?.toLowerCase() !== mediaType) {
    throw fault("request.unsupported_media_type", `the body must be ${mediaType}`);
  }
  if (headers["content-length"] === undefined) {
    throw fault("request.malformed", "the length of this body must stand in Content-Length; it was sent in chunks");
  }
  if (Number(headers["content-length"]) > most) throw bodyTooLarge(most);
}

export function bodyTooLarge(limit: number): Error {
  return fault("request.body_too_large", `the body is larger than ${limit} bytes`, { fields: { limitBytes: limit } });
}

export function parseBody(bytes: Uint8Array): Json {
  const read = parseStrictJsonBytes(bytes);
  if (read.ok) return read.value;
  throw fault("request.malformed", `the body is not acceptable JSON: ${read.reason} (character ${read.at})`);
}

const json = ["application/json"] as const;

/** One type, at most the one charset there is, nothing else: what two readers could understand differently is refused. */
const mediaType = /^([a-z0-9+.-]+\/[a-z0-9+.-]+)(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

function checkMediaType(accepted: readonly string[], found: string | undefined): void {
  const type = found === undefined || found.length > 128 ? undefined : mediaType.exec(found)?.[1]?.toLowerCase();
  if (type !== undefined && accepted.includes(type)) return;
  throw fault("request.unsupported_media_type", `the body must be ${accepted.join(" or ")} in UTF-8`);
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && Number(length) !== 0);
}
