import type { Json, JsonObject } from "@gatehouse/base";
import { type Operation, parsePlan, type PlanDocument, planSchemaOf, serialisePlan } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { codeOf, makePlan } from "../support/signed-task.ts";
import { judgePlan } from "./inside/agent.ts";
import { Chance, counts } from "./support/chance.ts";
import { call, enter } from "./support/people.ts";
import { askForPlan, plannedHost, restartNginx } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Portainer: what a policy forbade in one field was said in the field beside it, which the policy did not read. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const node = `node_${"0".repeat(26)}`;
const operations: readonly Operation[] = [
  {
    kind: "firewall.apply",
    table: "gatehouse_edge",
    input: {
      policy: "drop",
      rules: [
        { label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }], sources: ["192.0.2.0/24"] },
      ],
    },
  },
  { kind: "file.write", path: "/srv/motd", text: "hello\n", mode: "0644", owner: "root", group: "root" },
  {
    kind: "binary.replace",
    path: "/opt/tool",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: "a".repeat(64),
    size: 10,
    publisher: "acme",
    signature: { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` },
  },
  { kind: "service.restart", unit: "nginx.service" },
];
/** Names that mean something somewhere: in another kind, in another version, to another reader of JSON, or to the machine below. */
const siblings = [
  ...new Set(operations.flatMap(namesIn)),
  ..."command args env shell content contentBase64 encoding files units force also output raw include".split(" "),
  ..."priority hook nodes tags together approved skipLint Unit constructor toString __proto__ $schema #text".split(" "),
  "kind ",
  "",
];

test("a plan with one field more than its form has is refused by the server, by the command line and by the host alike", (context) => {
  const plan = documentOf(operations);
  let tries = 0;
  // What holds header and sections together is not sent to a host: it gets its own parts, each by itself.
  for (const where of objectsIn(plan).filter((at) => at.length > 0)) {
    for (const name of siblings) {
      const changed = addField(plan, where, name);
      if (changed === undefined) continue;
      expect(verdicts(changed), `${name} in ${where.join("/")}`).toEqual([false, false]);
      tries += 1;
    }
  }
  expect(verdicts(plan)).toEqual([true, true]);
  tried(context, count(tries, "fields"));
});

test("whatever else is done to a plan, the server that lints it and the host that applies it read the same, or neither does", (context) => {
  const chance = new Chance("sibling fields");
  let taken = 0;
  for (let at = 0; at < counts["10 changed plans"]; at += 1) {
    const changed = changeSomewhere(documentOf(operations), chance);
    const [byServer, byHost] = verdicts(changed);
    expect(byHost, JSON.stringify(changed)).toBe(byServer);
    if (byHost) taken += 1;
  }
  // Otherwise nothing would have been compared.
  expect(taken).toBeGreaterThan(counts["10 changed plans"] / 100);
  tried(context, `${count(counts["10 changed plans"], "changed plans")}, ${count(taken, "still plans")}`);
});

test("nor is one made when somebody asks for more than the form of asking has", async (context) => {
  const owner = await enter(port);
  const { nodeId } = await plannedHost(port, owner);
  const body: JsonObject = { ...restartNginx, nodes: [nodeId] };
  let tries = 0;
  for (const where of objectsIn(body)) {
    for (const name of [...siblings, "plugin", "input", "digest", "state", "author", "source"]) {
      const changed = addField(body, where, name);
      // `tags` beside `nodes` is no secret way: it has its own test, and means both.
      if (changed === undefined || (where.length === 0 && name === "tags")) continue;
      const made = await askForPlan(port, owner.as, changed as object);
      expect([400, 422], `${name} in /${where.join("/")}: ${made.status}`).toContain(made.status);
      tries += 1;
    }
  }
  expect((await call<{ items: unknown[] }>(port, "GET", "/api/plans", owner)).body.items).toEqual([]);
  tried(context, count(tries, "requests"));
});

type Path = readonly (string | number)[];

function documentOf(of: readonly Operation[]): PlanDocument {
  const { section } = makePlan({ nodeId: node, operations: of });
  const words = { title: "A plan", summary: "Of a test.", source: { from: "person" } } as const;
  const header = { schema: planSchemaOf(of), ...words };
  return { header, sections: [JSON.parse(new TextDecoder().decode(section)) as PlanDocument["sections"][number]] };
}

/** Whether server and command line take the document, and whether its host takes its part of it. */
function verdicts(value: Json | PlanDocument): [boolean, boolean] {
  const plan = value as PlanDocument;
  const byServer = parsePlan(serialisePlan(plan)).ok;
  const made = makePlan({ nodeId: node, operations: [], header: plan.header, section: plan.sections?.[0] });
  const task = { ...made, approvals: new Uint8Array(), task: "" };
  const byHost = codeOf(() => judgePlan(task, node)) === "taken";
  return [byServer, byHost];
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => [name, ...namesIn(held)]);
}

/** The places of all objects in a value, the outermost first. */
function objectsIn(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, [...at, index]));
  if (typeof value !== "object" || value === null) return [];
  return [at, ...Object.entries(value).flatMap(([name, held]) => objectsIn(held, [...at, name]))];
}

function addField(value: unknown, where: Path, name: string): Json | undefined {
  const copy = structuredClone(value) as Json;
  const held = heldAt(copy, where);
  if (Object.hasOwn(held, name)) return undefined;
  // As a parser does it: `__proto__` becomes a field like any other.
  Object.defineProperty(held, name, { value: "x", enumerable: true, configurable: true, writable: true });
  return copy;
}

function heldAt(value: Json, where: Path): Record<string, Json> {
  return where.reduce<Json>((inner, part) => (inner as JsonObject)[part] as Json, value) as Record<string, Json>;
}

/** One edit at one place: a field goes, comes from elsewhere, or changes places. */
function changeSomewhere(plan: PlanDocument, chance: Chance): Json {
  const copy = structuredClone(plan) as unknown as Json;
  const places = objectsIn(copy).filter((at) => at.length > 0);
  const [held, other] = [heldAt(copy, chance.pick(places)), heldAt(copy, chance.pick(places))];
  const [name, from] = [chance.pick(Object.keys(held)), chance.pick(Object.keys(other))];
  const values: readonly Json[] = ["x", "", 0, -1, null, true, [], {}, "0600", "drop", "a.service", "/srv/b", "udp"];
  const edits = [
    () => delete held[name],
    () => (held[name] = structuredClone(other[from] as Json)),
    () => (held[from] = structuredClone(other[from] as Json)),
    () => (held[name] = chance.pick(values)),
    () => (held[name] = `${textOf(held[name])}${chance.pick(["", "0", " ", "\n", "\u0000", "\u202e", "/..", "@"])}`),
  ];
  chance.pick(edits)();
  return copy;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
