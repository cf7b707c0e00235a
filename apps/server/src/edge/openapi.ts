import { type FaultCode, type Scope, scopes } from "@gatehouse/contract";
import {
  type BodyStreamSpec,
  type NodeReach,
  problemSchema,
  type ResponseSpec,
  type RouteSpec,
  type SocketSpec,
  type StepUp,
} from "@gatehouse/contract/routes";
import * as z from "zod";
import { mayLackBody } from "./body-rules.ts";
import type { RouteTable } from "./route-table.ts";
import { handshakeOf } from "./socket-row.ts";

type JsonSchema = Record<string, unknown>;

/** OpenAPI 3.1, made from the very schemas that check the requests: it cannot say something else than the server does. */
export function describeApi(table: RouteTable, version: string): JsonSchema {
  const components: JsonSchema = {};
  const schemaOf = (schema: z.ZodType, io: "input" | "output") => collect(schema, io, components);
  const problem = { [`application/problem+json`]: { schema: schemaOf(problemSchema, "output") } };
  const paths: Record<string, JsonSchema> = {};
  for (const { spec } of table.routes) {
    const path = spec.path.replaceAll(/:([a-zA-Z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operation(spec, schemaOf, problem) };
  }
  for (const { spec } of table.sockets) {
    const path = spec.path.replaceAll(/:([a-zA-Z]+)/g, "{$1}");
    paths[path] = { ...paths[path], get: socketOperation(spec, schemaOf, problem) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version,
      description: "Every error is an RFC 9457 problem; its `code` is stable. Objects take no other fields than named.",
    },
    // Relative: the document is the same wherever the server is installed, and repeats no Host it was asked under.
    servers: [{ url: "/" }],
    paths,
    components: { schemas: components, securitySchemes },
  };
}

const securitySchemes = {
  session: { type: "apiKey", in: "cookie", name: "__Host-gatehouse", description: "A dashboard session." },
  token: { type: "http", scheme: "bearer", description: "A personal access token." },
  agent: { type: "http", scheme: "hello", description: "No header: the agent's signed hello on the socket itself." },
  metrics: { type: "http", scheme: "bearer", description: "The value of SERVICE_METRICS_TOKEN." },
};

type SchemaOf = (schema: z.ZodType, io: "input" | "output") => JsonSchema;

function operation(spec: RouteSpec, schemaOf: SchemaOf, problem: JsonSchema): JsonSchema {
  const statuses = Object.entries(spec.responses).map(([status, response]) => [status, answer(response, schemaOf)]);
  const types = spec.accepts ?? ["application/json"];
  const { body, bodyStream } = spec;
  return {
    operationId: operationId(spec),
    summary: spec.summary,
    tags: [spec.path.split("/")[2]],
    ...access(spec, schemaOf),
    parameters: parameters(spec, schemaOf),
    ...(body && {
      requestBody: {
        required: !mayLackBody(spec),
        content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(body, "input") }])),
      },
    }),
    ...(bodyStream && { requestBody: streamOf(bodyStream) }),
    responses: {
      ...Object.fromEntries(statuses),
      default: { description: refusals(spec), content: problem },
    },
  };
}

function streamOf({ mediaType, most }: BodyStreamSpec): JsonSchema {
  return {
    required: true,
    description: `At most ${most} bytes; the request says how many in Content-Length.`,
    content: { [mediaType]: { schema: { type: "string", format: "binary", maxLength: most } } },
  };
}

/** A socket is a GET that changes the protocol; what is said on it afterwards is not HTTP and not described here. */
function socketOperation(spec: SocketSpec, schemaOf: SchemaOf, problem: JsonSchema): JsonSchema {
  const { from, maxFrame, subprotocol } = spec;
  const handshake = handshakeOf(spec);
  return {
    ...operation(handshake, schemaOf, problem),
    ...(from === "agent" && { security: [{ agent: [] }], description: ofAgents }),
    responses: {
      101: { description: `The connection is a WebSocket; a message has at most ${maxFrame} bytes.` },
      default: { description: refusals(handshake), content: problem },
    },
    "x-websocket": { from, maxFrame, ...(subprotocol !== undefined && { subprotocol }) },
  };
}

const ofAgents = "For agents, who prove who they are on the socket. A request with an Origin or a Cookie is refused.";

function operationId(spec: RouteSpec): string {
  const words = spec.path.slice("/api/".length).split(/[/.-]/);
  return [spec.method.toLowerCase(), ...words].map((word) => word.replace(":", "by-")).join("-");
}

function access({ access }: RouteSpec, schemaOf: SchemaOf): JsonSchema {
  if (access.kind === "public") return { security: [], description: `Open to anybody: ${access.because}.` };
  if (access.kind === "metrics-token") return { security: [{ metrics: [] }], description: "Needs the metrics token." };
  const needed = access.kind === "scope" ? scopeNeeded(access.scope) : "Needs a credential.";
  const { stepUp } = access;
  if (stepUp === undefined) return { security: eitherOne, description: `${needed} ${reachOf(access.nodes)}` };
  const unless = access.lowers === undefined ? "" : ` A body that says ${access.lowers.says} needs no proof.`;
  return {
    // A row that excepts bodies takes a token for those.
    security: stepUp === "always" && access.lowers === undefined ? [{ session: [] }] : eitherOne,
    description: `${needed} ${stepUpNeeded[stepUp]}${unless} ${reachOf(access.nodes)}`,
    "x-step-up": stepUp,
    ...(access.lowers && { "x-step-up-unless": schemaOf(access.lowers.body, "input") }),
  };
}

const eitherOne = [{ session: [] }, { token: [] }];

const stepUpNeeded: Readonly<Record<StepUp, string>> = {
  always: "Needs a session that proved the password in the last five minutes; a token is refused.",
  sessions: "A session must have proved the password in the last five minutes; a token passes.",
};

function scopeNeeded(scope: Scope): string {
  return `Needs the scope \`${scope}\`. ${scopes[scope].says}`;
}

function reachOf(reach: NodeReach): string {
  const limited = "A credential that is limited to some nodes";
  if (reach === "every") return `${limited} is refused.`;
  if (reach === "filtered") return `${limited} is answered about those.`;
  return "param" in reach ? `${limited} must have \`${reach.param}\` among them.` : `Speaks of no node: ${reach.none}.`;
}

function parameters(spec: RouteSpec, schemaOf: SchemaOf): JsonSchema[] {
  const places = [
    { place: "path", schema: spec.params },
    { place: "query", schema: spec.query },
    { place: "header", schema: spec.headers },
  ];
  return places.flatMap(({ place, schema }) =>
    Object.entries(schema?.shape ?? {}).map(([name, type]) => ({
      name,
      in: place,
      required: !(type as z.ZodType).safeParse(undefined).success,
      schema: schemaOf(type as z.ZodType, "input"),
    })),
  );
}

function answer(response: ResponseSpec, schemaOf: SchemaOf): JsonSchema {
  if (response === null) return { description: "Done; there is no body." };
  if ("mediaType" in response) {
    return { description: "The answer.", content: { [response.mediaType]: { schema: { type: "string" } } } };
  }
  return { description: "The answer.", content: { "application/json": { schema: schemaOf(response, "output") } } };
}

function refusals({ access, faults = [] }: RouteSpec): string {
  const own = [...faults, ...ofReach(access), ...ofProof(access)].map((code) => `\`${code}\``).join(", ");
  return own === "" ? "The request is refused." : `The request is refused; among others with ${own}.`;
}

/** What a row need not list because its reach says it. */
function ofReach(access: RouteSpec["access"]): readonly FaultCode[] {
  if (!("nodes" in access)) return [];
  const speaksOfNone = typeof access.nodes === "object" && "none" in access.nodes;
  return speaksOfNone ? [] : ["auth.node_limited"];
}

/** Nor what its proof says. */
function ofProof(access: RouteSpec["access"]): readonly FaultCode[] {
  if (!("stepUp" in access) || access.stepUp === undefined) return [];
  return access.stepUp === "always" ? ["auth.step_up_required", "auth.session_required"] : ["auth.step_up_required"];
}

/** Named schemas go to the components, where every route points at the same one. */
function collect(schema: z.ZodType, io: "input" | "output", components: JsonSchema): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, { io, target: "draft-2020-12", reused: "inline" }) as JsonSchema;
  const relink = (part: unknown) =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
  for (const [name, definition] of Object.entries(($defs ?? {}) as JsonSchema)) components[name] = relink(definition);
  const name = own["id"];
  if (typeof name !== "string") return relink(own);
  components[name] = relink(own);
  return { $ref: `#/components/schemas/${name}` };
}
