import { byteForm } from "@gatehouse/base";
import {
  type FirewallRule,
  operation,
  type Operation,
  type OperationKind,
  operationKinds,
  parsePlanSection,
  usualPlaces,
  workOfOperation,
} from "@gatehouse/plan";
import { findHostChange } from "../../apps/agent/src/operations/host-operations.ts";
import type { ChangeGround } from "../../apps/agent/src/operations/host-operation.ts";
import { findStarted } from "../evil-server/started-programs.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { makeSection } from "../support/signed-task.ts";
import { type FieldPath, fieldsOf, findField } from "./operation-fields.ts";
import { harms } from "./harms.ts";
import { hostileStringsFor } from "./hostile-strings.ts";

/** Small ones that have every field of the kinds that hosts can do between them: what is beside the field is read each time too. */
const samples: Readonly<Record<string, readonly Operation[]>> = {
  "firewall.apply": tablesOf(
    { label: "web", verdict: "accept" },
    { label: "web", verdict: "accept", interfaces: ["eth0"] },
    { label: "web", verdict: "accept", sources: ["10.0.0.0/8"] },
    { label: "web", verdict: "accept", states: ["new"] },
    { label: "web", verdict: "accept", protocol: "tcp", ports: [{ from: 80, to: 443 }] },
    { label: "web", verdict: "accept", protocol: "icmpv6", types: ["echo-request"] },
  ),
  "network.wireguard": [
    {
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: `${"a".repeat(42)}A=`,
      listenPort: 51_820,
      mtu: 1_400,
      addresses: ["10.9.0.1/24", "fd00::1/64"],
      peers: [
        {
          label: "office",
          publicKey: `${"b".repeat(42)}A=`,
          endpoint: { host: "192.0.2.1", port: 51_820 },
          allowedIps: ["10.9.0.2/32", "10.20.0.0/16"],
          keepaliveSeconds: 25,
        },
      ],
    },
  ],
  "file.write": [
    { kind: "file.write", path: "/etc/motd", text: "hello\n", mode: "0644", owner: "root", group: "root" },
  ],
  "binary.replace": [
    {
      kind: "binary.replace",
      path: "/usr/local/bin/tool",
      name: "tool",
      version: "1.2.3",
      architecture: "x64",
      sha256: "a".repeat(64),
      size: 10,
      publisher: "acme",
      signature: { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` },
    },
  ],
  "agent.update": [
    {
      kind: "agent.update",
      version: "1.2.3",
      architecture: "x64",
      sha256: "a".repeat(64),
      size: 10,
      signature: { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` },
    },
  ],
  "service.restart": [{ kind: "service.restart", unit: "nginx.service" }],
  "log.tail": [
    { kind: "log.tail", source: { from: "journal", unit: "nginx.service" }, lines: 10 },
    { kind: "log.tail", source: { from: "file", path: "/var/log/nginx/error.log" }, lines: 10 },
  ],
};

function tablesOf(...rules: readonly FirewallRule[]): Operation[] {
  const [kind, table, empty] = ["firewall.apply", "gatehouse_web", { policy: "drop", rules: [] }] as const;
  return [
    { kind, table, input: { ...empty, rules: [] }, forward: { ...empty, rules: [] } },
    ...rules.map((rule): Operation => ({ kind, table, input: { policy: "drop", rules: [rule] } })),
    ...rules.map(
      (rule): Operation => ({
        kind,
        table,
        input: { ...empty, rules: [] },
        forward: { policy: "drop", rules: [rule] },
      }),
    ),
  ];
}

/**
 * Fields of free text: what they let through is data, never a word of a program. The label of a rule stands in quotes, which it cannot hold, and
 * that of a peer stands nowhere.
 */
const carried: readonly string[] = ["text", "label"];

/** What names a part of the host: it comes back from files of the host, past every schema of a plan. */
const targets: readonly string[] = ["table", "interface", "path", "unit"];
const targetSteps = ["snapshot", "prove", "restore"] as const;

const node = `node_${"0".repeat(26)}`;
/** So many strings are read once as values, for each that is also read as the bytes of a section. */
const bytesEvery = 50;

/** Every field of every kind against strings that nobody would write: refused by the schema, and nothing is started. */
export const hostileFields: Scenario<"differential"> = {
  name: "fields",
  run: async ({ seed, counts }) => {
    const tally = new Tally();
    const before = findStarted(process.pid).join();
    let number = 0;
    for (const kind of operationKinds) {
      for (const path of fieldsOf(kind)) {
        const field = number;
        const strings = (name: string, good: string) =>
          hostileStringsFor({ name, good, seed, field, count: counts.strings });
        await tryField({ kind, path, strings }, tally);
        number += 1;
      }
    }
    const after = findStarted(process.pid).join();
    if (after !== before) tally.fail(`a program was started: ${before} became ${after}`, harms.started);
    return tally.outcome();
  },
};

interface TriedField {
  readonly kind: OperationKind;
  readonly path: FieldPath;
  readonly strings: (name: string, good: string) => readonly string[];
}

async function tryField({ kind, path, strings }: TriedField, tally: Tally): Promise<void> {
  const name = `${kind} ${path.join(".")}`;
  const sample = samples[kind]?.find((one) => findField(one, path) !== undefined);
  const tried = structuredClone(sample);
  const field = tried === undefined ? undefined : findField(tried, path);
  if (sample === undefined || tried === undefined || field === undefined)
    return tally.fail(`${name}: no sample has this field, so that nothing was tried`);
  tally.count("fields");
  const isCarried = carried.includes(path.at(-1) ?? "");
  const target = path.length === 1 && targets.includes(path[0] ?? "");
  const good = typeof field.good === "string" || typeof field.good === "number" ? String(field.good) : "";
  for (const [index, evil] of strings(path.findLast((part) => part !== "[]") ?? "", good).entries()) {
    tally.count("strings");
    field.put(evil);
    const read = operation.safeParse(tried);
    const isAccepted = read.success || (index % bytesEvery === 0 && evil.isWellFormed() && isSection(kind, tried));
    if (isAccepted && isCarried) {
      tally.count("carried as data");
      const flaw = findCarriedFlaw(sample, tried, good, evil);
      if (flaw !== undefined) tally.fail(`${name}: ${shown(evil)} ${flaw}`, harms.accepted);
    } else if (isAccepted) tally.fail(`${name}: ${shown(evil)} was accepted`, harms.accepted);
    if (target && !isAccepted) await tryTarget(kind, evil, tally);
  }
  field.put(field.good);
  if (!operation.safeParse(tried).success || !isSection(kind, tried)) tally.fail(`${name}: the good value is refused`);
}

/** As its bytes come to a host, with a precondition for whatever they name. */
function isSection(kind: OperationKind, tried: Operation): boolean {
  const section = makeSection({ nodeId: node, operations: [{ ...tried, kind } as Operation] });
  return parsePlanSection(byteForm({ ...section, operations: [tried] })).ok;
}

/** What a host would do with it is what it does with the good value, but for the place where the text stands as data. */
function findCarriedFlaw(sample: Operation, tried: Operation, good: string, evil: string): string | undefined {
  const [one, other] = [workOfOperation(sample, usualPlaces), workOfOperation(tried, usualPlaces)];
  if (JSON.stringify(other.programs) !== JSON.stringify(one.programs)) return "became a word of a program";
  const places = [one, other].map((work) => JSON.stringify(work.files.map(({ path }) => path)));
  if (places[0] !== places[1]) return "became a part of a path";
  const isInPlace = (text: string, at: number) => {
    const before = one.files[at]?.text ?? "";
    return text === evil || text === before.replace(`comment "${good}"`, () => `comment "${evil}"`);
  };
  return other.files.every(({ text }, at) => isInPlace(text, at)) ? undefined : "stands elsewhere than in its place";
}

/** Past the schema: as if a file of the host named it. Each step refuses it before it starts anything. */
async function tryTarget(kind: Operation["kind"], evil: string, tally: Tally): Promise<void> {
  let started = 0;
  const ground: ChangeGround = {
    root: "/nowhere",
    owner: 0,
    directory: "/nowhere",
    pause: async () => undefined,
    run: async () => {
      started += 1;
      return { code: 1, stdout: "", stderr: "" };
    },
  };
  const copy = new Uint8Array();
  for (const step of targetSteps) {
    const change = findHostChange(kind);
    const made = step === "snapshot" ? change?.snapshot(ground, evil) : change?.[step](ground, evil, copy);
    const isRefused = await (made ?? Promise.resolve(null)).then(
      () => false,
      () => true,
    );
    if (!isRefused) tally.fail(`${kind}: ${step} took ${shown(evil)} for a name`, harms.accepted);
  }
  if (started > 0) tally.fail(`${kind}: ${shown(evil)} started ${started} programs`, harms.started);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
