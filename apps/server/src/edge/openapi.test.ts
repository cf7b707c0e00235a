import { type Access, agentControlSocket, type Proof, type RouteSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import * as z from "zod";
import { describeApi } from "./openapi.ts";
import { buildRouteTable } from "./route-table.ts";

/** What the description says of one row with this access: who may call it, and how it refuses. */
function described(access: Access): readonly [string, string] {
  const spec: RouteSpec = {
    method: "GET",
    path: "/api/nodes/:id",
    summary: "",
    access,
    params: z.strictObject({ id: z.string() }),
    responses: { 204: null },
    faults: ["user.unknown"],
  };
  const api = describeApi(buildRouteTable([{ spec, handle: () => undefined }]), "0.0.0") as {
    paths: Record<string, { get: { description: string; responses: { default: { description: string } } } }>;
  };
  const { description = "", responses } = api.paths["/api/nodes/{id}"]?.get ?? {};
  return [description, responses?.default.description ?? ""];
}

const needed = "Needs the scope `node:read`. See hosts, their state and their metrics.";
const plainly = "The request is refused; among others with `user.unknown`.";
const orLimited = "The request is refused; among others with `user.unknown`, `auth.node_limited`.";

test("a row says what it has to do with nodes, and the refusal that follows from it", () => {
  const reach = (nodes: Extract<Access, { kind: "scope" }>["nodes"]) =>
    described({ kind: "scope", scope: "node:read", nodes });
  expect(reach("every")).toEqual([`${needed} A credential that is limited to some nodes is refused.`, orLimited]);
  expect(reach("filtered")).toEqual([
    `${needed} A credential that is limited to some nodes is answered about those.`,
    orLimited,
  ]);
  expect(reach({ param: "id" })).toEqual([
    `${needed} A credential that is limited to some nodes must have \`id\` among them.`,
    orLimited,
  ]);
  expect(reach({ none: "a test" })).toEqual([`${needed} Speaks of no node: a test.`, plainly]);
});

test("a row for anybody, or for the metrics token, says so and has nothing to do with nodes", () => {
  expect(described({ kind: "public", because: "a test" })).toEqual(["Open to anybody: a test.", plainly]);
  expect(described({ kind: "metrics-token" })).toEqual(["Needs the metrics token.", plainly]);
});

test("a row says who has to prove the password, which bodies need no proof, and the refusals that follow", () => {
  const proved = (proof: Proof) => {
    const spec: RouteSpec = {
      method: "POST",
      path: "/api/nodes",
      summary: "",
      access: { kind: "signed-in", nodes: { none: "a test" }, ...proof },
      body: z.strictObject({ less: z.boolean() }),
      responses: { 204: null },
    };
    const api = describeApi(buildRouteTable([{ spec, handle: () => undefined }]), "0.0.0");
    return (api["paths"] as Record<string, { post: unknown }>)["/api/nodes"]?.post;
  };
  const lowers = { says: "`less: true`", body: z.strictObject({ less: z.literal(true) }) };
  const refused = (codes: string) => ({
    default: { description: expect.stringContaining(`among others with ${codes}.`) },
  });
  expect(proved({ stepUp: "always" })).toMatchObject({
    "x-step-up": "always",
    security: [{ session: [] }],
    description: expect.stringMatching(
      /proved the password in the last five minutes; a token is refused\. Speaks of no node: a test\.$/,
    ),
    responses: refused("`auth.step_up_required`, `auth.session_required`"),
  });
  expect(proved({ stepUp: "sessions", lowers })).toMatchObject({
    "x-step-up": "sessions",
    "x-step-up-unless": { properties: { less: { const: true } }, required: ["less"], additionalProperties: false },
    security: [{ session: [] }, { token: [] }],
    description: expect.stringMatching(
      /a token passes\. A body that says `less: true` needs no proof\. Speaks of no node: a test\.$/,
    ),
    responses: refused("`auth.step_up_required`"),
  });
  expect(proved({ stepUp: "always", lowers })).toMatchObject({ security: [{ session: [] }, { token: [] }] });
  expect(proved({})).not.toHaveProperty("x-step-up");
});

test("a socket is a GET that changes the protocol, and says who opens it and what it bounds", () => {
  const open = () => undefined;
  const agent = { spec: agentControlSocket, open };
  const browser = {
    spec: {
      path: "/api/nodes/:id/attach",
      summary: "",
      from: "browser",
      access: { kind: "scope", scope: "terminal:open", nodes: { param: "id" }, stepUp: "always" },
      params: z.strictObject({ id: z.string() }),
      maxFrame: 512,
    },
    open,
  } as const;
  const api = describeApi(buildRouteTable([], [agent, browser]), "0.0.0");
  const { [agentControlSocket.path]: ofAgents, "/api/nodes/{id}/attach": ofPeople } = api["paths"] as Record<
    string,
    { get: { responses: object } }
  >;
  expect(ofAgents?.get).toMatchObject({
    security: [{ agent: [] }],
    description: expect.stringContaining("prove who they are on the socket"),
    "x-websocket": { from: "agent", maxFrame: 65_536, subprotocol: "gatehouse.agent.1" },
  });
  expect(Object.keys(ofAgents?.get.responses ?? {})).toEqual(["101", "default"]);
  expect(ofPeople?.get).toMatchObject({
    security: [{ session: [] }],
    description: expect.stringMatching(/^Needs the scope `terminal:open`\..* must have `id` among them\.$/),
    parameters: [{ name: "id", in: "path", required: true }],
    responses: { 101: { description: expect.stringContaining("at most 512 bytes") } },
    "x-websocket": { from: "browser", maxFrame: 512 },
    "x-step-up": "always",
  });
});

test("a row whose body is a stream says its type and how much it takes", () => {
  const spec: RouteSpec = {
    method: "PUT",
    path: "/api/planted",
    summary: "",
    access: { kind: "public", because: "a test" },
    bodyStream: { mediaType: "application/octet-stream", most: 7 },
    responses: { 204: null },
  };
  const api = describeApi(buildRouteTable([{ spec, handle: () => undefined }]), "0.0.0");
  const { requestBody } =
    (api["paths"] as Record<string, { put: { requestBody: unknown } }>)["/api/planted"]?.put ?? {};
  expect(requestBody).toEqual({
    required: true,
    description: "At most 7 bytes; the request says how many in Content-Length.",
    content: { "application/octet-stream": { schema: { type: "string", format: "binary", maxLength: 7 } } },
  });
});
