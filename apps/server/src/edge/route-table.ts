import type { Method, NodeReach, RouteSpec, StepUp } from "@gatehouse/contract/routes";
import * as z from "zod";
import type { Route, SocketRoute } from "../platform/route/index.ts";
import { checkSocketRow, type FoundSocket, findSocketIn, handshakeOf } from "./socket-row.ts";

/** Every route of the API in one list, and every socket in another. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** The socket at a plain path, with the path's parameters as they stand there. */
  findSocket(path: string): FoundSocket | undefined;
  /** What a path takes, for the Allow header; empty for a path that does not exist. */
  methodsOf(path: string): readonly string[];
}

/** Collects the rows of all features. A row that contradicts another or itself is a defect and stops the start. */
export function buildRouteTable(routes: readonly Route[], sockets: readonly SocketRoute[] = []): RouteTable {
  const specs = [...routes.map(({ spec }) => spec), ...sockets.map(({ spec }) => handshakeOf(spec))];
  const seen = new Set<string>();
  for (const spec of specs) {
    checkRow(spec);
    const key = `${spec.method} ${spec.path.replaceAll(/:[a-zA-Z]+/g, ":")}`;
    if (seen.has(key)) throw new Error(`route table: ${spec.method} ${spec.path} is there twice`);
    seen.add(key);
  }
  for (const row of sockets) checkSocketRow(row);
  const patterns = routes.map(({ spec }) => ({ segments: spec.path.split("/"), method: spec.method }));
  return {
    routes,
    sockets,
    findSocket: findSocketIn(sockets),
    methodsOf: (path) => {
      const segments = path.split("/");
      const found = patterns.filter((pattern) => matches(pattern.segments, segments)).map(({ method }) => method);
      return found.length === 0 ? found : withHead(found);
    },
  };
}

const pathForm = /^\/api(?:\/(?:[a-z][a-z0-9.-]*|:[a-z][a-zA-Z]*))+$/;

function checkRow(spec: RouteSpec): void {
  const name = `route table: ${spec.method} ${spec.path}`;
  if (!pathForm.test(spec.path)) throw new Error(`${name} has a path that no plain request can match`);
  const named = spec.path.split("/").filter((part) => part.startsWith(":"));
  const checked = new Set(Object.keys(spec.params?.shape ?? {}).map((name) => `:${name}`));
  if (named.length !== checked.size || !named.every((part) => checked.has(part)))
    throw new Error(`${name} does not check exactly the parameters of its path`);
  if (spec.method === "GET" && spec.body !== undefined) throw new Error(`${name} reads a body; a GET has none`);
  if (spec.bodyStream !== undefined && (spec.method === "GET" || spec.body !== undefined))
    throw new Error(`${name} reads a stream where none can be: a GET has no body, and no row has two`);
  if (Object.keys(spec.responses).length === 0) throw new Error(`${name} says nothing about its answer`);
  checkReach(spec, name);
  checkProof(spec, name);
}

/** The types ask for all of this; a row that came past them must not be served either. */
function checkReach({ access, params, path }: RouteSpec, name: string): void {
  if (access.kind === "public" || access.kind === "metrics-token") return;
  const reach = reachForm.safeParse(access.nodes).data;
  if (reach === undefined) throw new Error(`${name} does not say what it has to do with nodes`);
  if (typeof reach === "string" || "none" in reach) return;
  const isNamed = path.split("/").includes(`:${reach.param}`) && Object.hasOwn(params?.shape ?? {}, reach.param);
  if (!isNamed) throw new Error(`${name} has no path parameter ${reach.param} that could be a node`);
}

function checkProof({ access, body }: RouteSpec, name: string): void {
  if (access.kind === "public" || access.kind === "metrics-token") return;
  const { stepUp, lowers } = access;
  if (!stepUpForm.safeParse(stepUp).success) throw new Error(`${name} asks for a proof in a way that nobody knows`);
  if (lowers === undefined) return;
  if (stepUp === undefined) throw new Error(`${name} excepts bodies from a proof that it does not ask for`);
  if (body === undefined) throw new Error(`${name} judges by a body that it does not read`);
}

const stepUpForm: z.ZodType<StepUp | undefined> = z.enum(["always", "sessions"]).optional();

const reachForm: z.ZodType<NodeReach> = z.union([
  z.enum(["every", "filtered"]),
  z.strictObject({ param: z.string() }),
  z.strictObject({ none: z.string().min(1) }),
]);

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, i) => part.startsWith(":") || part === path[i]);
}

function withHead(methods: readonly Method[]): string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).toSorted();
}
