import { parseStrictJsonBytes } from "@gatehouse/base";
import { type BodyStreamSpec, problemMediaType, type RouteSpec } from "@gatehouse/contract/routes";
import root from "../../../../package.json" with { type: "json" };
import { sendRequest, unexpected } from "./send-request.ts";
import { parseData } from "./parse-data.ts";
import { findRefusal } from "./refusal.ts";
import type { Cookie } from "./session-cookie.ts";
import { streamOf } from "./stream-of.ts";

export type ServerCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "session"; readonly cookie: Cookie };

export interface Callee {
  readonly server: URL;
  readonly credential?: ServerCredential | undefined;
}

export interface ServerCall<Spec extends RouteSpec = RouteSpec> extends AnyCall {
  /** In the place of `body`, where the row takes bytes; it says of which media type. */
  readonly bytes?: Spec extends { readonly bodyStream: BodyStreamSpec } ? Uint8Array<ArrayBuffer> : never;
}

interface AnyCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** For routes that may take long. */
  readonly limitMs?: number;
}

type DataOf<Response> = Response extends { readonly _output: infer Data }
  ? Data
  : Response extends { readonly mediaType: string }
    ? Uint8Array
    : undefined;

export interface ServerAnswer<Spec extends RouteSpec> {
  readonly data: DataOf<Spec["responses"][keyof Spec["responses"]]>;
  readonly headers: Headers;
}

const callLimitMs = 30_000;

/** Makes one call of the API and checks its answer. A refusal is thrown in the server's own words. */
export async function callServer<const Spec extends RouteSpec>(
  { server, credential }: Callee,
  spec: Spec,
  call: ServerCall<Spec> = {},
): Promise<ServerAnswer<Spec>> {
  const url = addressOf(server, spec, call);
  const init = { method: spec.method, headers: headersOf({ server, credential }, spec, call), ...bodyOf(call) };
  const { status, headers, type, bytes } = await sendRequest(url, init, call.limitMs ?? callLimitMs);
  if (status >= 400) {
    const problem = type === problemMediaType ? parseJson(bytes) : undefined;
    throw findRefusal(problem, headers, credential?.kind) ?? unexpected(server, `it answered ${status}`);
  }
  const response = (spec as RouteSpec).responses[status];
  if (response === null) return { data: undefined as ServerAnswer<Spec>["data"], headers };
  if (response === undefined) throw unexpected(server, `it answered ${status}`);
  const expected = "mediaType" in response ? response.mediaType : "application/json";
  if (type !== expected) throw unexpected(server, `it answered with ${type === "" ? "no media type" : type}`);
  // What is no answer of the API but a thing of its own is handed on byte by byte.
  if ("mediaType" in response) return { data: bytes as ServerAnswer<Spec>["data"], headers };
  const read = parseData(response, parseJson(bytes));
  if ("problem" in read) throw unexpected(server, read.problem);
  return { data: read.data as ServerAnswer<Spec>["data"], headers };
}

function addressOf(server: URL, spec: RouteSpec, { params = {}, query = {} }: AnyCall): URL {
  const path = spec.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const url = new URL(path, server);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function headersOf({ server, credential }: Callee, spec: RouteSpec, call: AnyCall): Headers {
  const headers = new Headers({ "User-Agent": `gatehouse-cli/${root.version}`, "Accept-Encoding": "identity" });
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
  if (credential?.kind === "token") headers.set("Authorization", `Bearer ${credential.token}`);
  if (credential?.kind === "session") headers.set("Cookie", `${credential.cookie.name}=${credential.cookie.value}`);
  // A change by cookie has to come from the server's own origin. There is no page here that could be of another.
  if (spec.method !== "GET") headers.set("Origin", server.origin);
  if (call.body !== undefined) headers.set("Content-Type", "application/json");
  if (call.bytes !== undefined && spec.bodyStream !== undefined) {
    headers.set("Content-Type", spec.bodyStream.mediaType);
    headers.set("Content-Length", String(call.bytes.byteLength));
  }
  return headers;
}

function bodyOf({ body, bytes }: AnyCall): Pick<RequestInit, "body" | "duplex"> {
  if (bytes !== undefined) return { body: streamOf(bytes), duplex: "half" };
  return { body: body === undefined ? null : JSON.stringify(body) };
}

function parseJson(bytes: Uint8Array): unknown {
  const read = parseStrictJsonBytes(bytes, { depth: 32, keys: 200_000, items: 1_000_000 });
  return read.ok ? read.value : undefined;
}
