import { fault } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import type * as z from "zod";
import { edgeLimits } from "./limits.ts";

/** The parts of a request as they came, before the row's schemas saw them. */
export interface RawCall {
  readonly params: unknown;
  readonly query: string;
  readonly headers: unknown;
  readonly body: unknown;
}

/** Checks every part against the row's own schema. What the row does not name is refused, not ignored. */
export function readCall(spec: RouteSpec, raw: RawCall) {
  return {
    params: spec.params === undefined ? undefined : check("path", spec.params, raw.params),
    query: readQuery(spec, raw.query),
    headers: spec.headers === undefined ? undefined : check("headers", spec.headers, raw.headers),
    body: spec.body === undefined ? undefined : check("body", spec.body, raw.body),
  };
}

function readQuery(spec: RouteSpec, query: string): unknown {
  if (spec.query !== undefined) return check("query", spec.query, parseQuery(query));
  if (query !== "" && spec.probe === undefined) {
    throw fault("request.malformed", `${spec.method} ${spec.path} takes no query parameters`);
  }
  return undefined;
}

/** Each name once, and only well-formed escapes: no two readers can see two different queries. */
function parseQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  if (query === "") return parameters;
  const pairs = query.split("&");
  if (pairs.length > edgeLimits.queryParameters) {
    throw fault("request.malformed", `the query has more than ${edgeLimits.queryParameters} parameters`);
  }
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name in parameters) throw fault("request.malformed", "a query parameter is given twice");
    parameters[name] = equals === -1 ? "" : decode(pair.slice(equals + 1));
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw fault("request.malformed", "the query has a malformed percent escape");
  }
}

const shownIssues = 10;
const shownText = 200;

function check(part: string, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, shownIssues).map((issue) => ({
    at: [part, ...issue.path].map(String).join(".").slice(0, shownText),
    expected: issue.message.slice(0, shownText),
  }));
  const [first] = issues;
  throw fault("request.malformed", `${first?.at}: ${first?.expected}`, { fields: { issues } });
}
