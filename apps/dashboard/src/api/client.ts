import type { Method, Problem, RouteSpec } from "@gatehouse/contract/routes";
import { tellCall } from "../perf/perf.ts";
import { ApiError } from "./api-error.ts";
import { askForProof, type ProofKind } from "./proof.ts";
import type { CallOf, DataOf, LastArgument } from "./route-call.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For the calls that give a proof themselves: a refusal of these is shown where they were made. */
  readonly asksNobody?: boolean;
}

export interface Answer<Data> {
  readonly data: Data;
  /** What a change of the record has to send as If-Match. */
  readonly etag: string | undefined;
}

/** A call once its types have been checked against the row of its route. */
interface Request extends CallOptions {
  readonly method: Method;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * One call of the API, by the type of its route's row: `callApi<typeof userRoute>("GET", "/api/users/:id", { params: { id } })`.
 * A refusal is an `ApiError`; one that a proof would lift is repeated once the proof was given.
 */
export async function callApi<Spec extends RouteSpec = never>(
  method: Spec["method"],
  path: Spec["path"],
  ...[call]: LastArgument<CallOf<Spec> & CallOptions>
): Promise<Answer<DataOf<Spec>>> {
  const request: Request = { ...call, method, path };
  try {
    return await callOnce<DataOf<Spec>>(request);
  } catch (error) {
    const proof = proofFor(error);
    if (proof === undefined || request.asksNobody === true || !(await askForProof(proof))) throw error;
    return callOnce<DataOf<Spec>>(request);
  }
}

/** As `callApi`, for whoever needs only the data. */
export async function fetchApi<Spec extends RouteSpec = never>(
  method: Spec["method"],
  path: Spec["path"],
  ...call: LastArgument<CallOf<Spec> & CallOptions>
): Promise<DataOf<Spec>> {
  return (await callApi<Spec>(method, path, ...call)).data;
}

/** The address of a route, for what the browser reads by itself. */
export function addressOf<Spec extends RouteSpec = never>(
  path: Spec["path"],
  ...[call]: LastArgument<CallOf<Spec>>
): string {
  return withQuery({ ...call, path });
}

function proofFor(error: unknown): ProofKind | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return "sign-in";
  return error.code === "auth.step_up_required" ? "step-up" : undefined;
}

async function callOnce<Data>(request: Request): Promise<Answer<Data>> {
  const started = performance.now();
  const { response, text } = await answerOf(request, started);
  const requestId = requestIdOf(response);
  tell(request, started, response.status, response);
  const body = readJson(text);
  if (!response.ok) {
    const problem = (body ?? {}) as Partial<Problem>;
    throw new ApiError(response.status, requestId === undefined ? problem : { requestId, ...problem });
  }
  return { data: body as Data, etag: response.headers.get("etag") ?? undefined };
}

/** The whole answer. Calls that have none are told of too: those are the ones that somebody asks about. */
async function answerOf(request: Request, started: number): Promise<{ response: Response; text: string }> {
  let response: Response | undefined;
  try {
    response = await send(request);
    return { response, text: await response.text() };
  } catch (error) {
    tell(request, started, 0, response);
    if (request.signal?.aborted === true) throw error;
    throw new ApiError(0, {
      code: "answer.none",
      title: "The server cannot be reached",
      detail: `${nameOf(request)} had no answer.`,
      todo: "Check the connection and that the server runs; the page goes on by itself when it answers again.",
    });
  }
}

function send(request: Request): Promise<Response> {
  const { method, body, headers, signal } = request;
  const hasBody = body !== undefined;
  return fetch(withQuery(request), {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(hasBody && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(hasBody && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
}

function tell(request: Request, started: number, status: number, response: Response | undefined): void {
  const at = new Date().toISOString();
  const requestId = response === undefined ? undefined : requestIdOf(response);
  tellCall({ name: nameOf(request), ms: performance.now() - started, status, at, requestId });
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get("x-request-id") ?? undefined;
}

function withQuery({ query = {}, ...request }: Pick<Request, "path" | "params" | "query">): string {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") said.set(name, value);
  return said.size === 0 ? filled(request) : `${filled(request)}?${said}`;
}

function filled({ path, params = {} }: Pick<Request, "path" | "params">): string {
  return path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function nameOf(request: Request): string {
  return `${request.method} ${filled(request)}`;
}

function readJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
