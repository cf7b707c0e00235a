import type { Problem } from "@gatehouse/contract/routes";
import { tellCall } from "../perf/perf.ts";
import { ApiError } from "./api-error.ts";
import { askForProof, type ProofKind } from "./proof.ts";

export interface CallOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For the calls that give a proof themselves: a refusal of these is shown where they were made. */
  readonly asksNobody?: boolean;
}

export interface Answer<Body> {
  readonly body: Body;
  /** What a change of the record has to send as If-Match. */
  readonly etag: string | undefined;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One call of the API. A refusal is an `ApiError`; one that a proof would lift is repeated once the proof was given. */
export async function callApi<Body>(method: Method, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
  try {
    return await callOnce<Body>(method, path, options);
  } catch (error) {
    const proof = proofFor(error);
    if (proof === undefined || options.asksNobody === true || !(await askForProof(proof))) throw error;
    return callOnce<Body>(method, path, options);
  }
}

/** As `callApi`, for whoever needs only the body. */
export async function fetchApi<Body>(method: Method, path: string, options: CallOptions = {}): Promise<Body> {
  return (await callApi<Body>(method, path, options)).body;
}

function proofFor(error: unknown): ProofKind | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return "sign-in";
  return error.code === "auth.step_up_required" ? "step-up" : undefined;
}

async function callOnce<Body>(method: Method, path: string, options: CallOptions): Promise<Answer<Body>> {
  const started = performance.now();
  const response = await send(method, path, options);
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const at = new Date().toISOString();
  const text = await response.text();
  tellCall({ name: `${method} ${path}`, ms: performance.now() - started, status: response.status, at, requestId });
  const body = readJson(text);
  if (!response.ok) {
    const problem = (body ?? {}) as Partial<Problem>;
    throw new ApiError(response.status, requestId === undefined ? problem : { requestId, ...problem });
  }
  return { body: body as Body, etag: response.headers.get("etag") ?? undefined };
}

async function send(method: Method, path: string, options: CallOptions): Promise<Response> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const hasBody = options.body !== undefined;
  try {
    return await fetch(query.size === 0 ? path : `${path}?${query}`, {
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        ...(hasBody && { "Content-Type": "application/json" }),
        ...options.headers,
      },
      ...(hasBody && { body: JSON.stringify(options.body) }),
      ...(options.signal !== undefined && { signal: options.signal }),
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError(0, {
      code: "answer.none",
      title: "The server cannot be reached",
      detail: `${method} ${path} had no answer.`,
      todo: "Check the connection and that the server runs; the page goes on by itself when it answers again.",
    });
  }
}

function readJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
