import type { Json } from "@gatehouse/base";
import type { Node } from "@gatehouse/contract/routes";
import { planDraft, sshSubject, stateDigest, trustSubject } from "@gatehouse/plan";
import { expect, test } from "vitest";
import type { PlanRequest } from "../plugin-runtime/index.ts";
import { draftPlan } from "./draft-plan.ts";
import { hashBytes } from "./hash-bytes.ts";

const id = (end: string) => `node_${"0".repeat(25)}${end}`;
const node = (end: string) => ({ id: id(end), name: `web-${end}`, tags: [], facts: null }) as unknown as Node;
const publicKey = `${"a".repeat(42)}A=`;
const asker = { actor: "usr_1", requestId: "req_1", address: "192.0.2.9" };
const source = {
  from: "plugin",
  plugin: "acme-mesh",
  version: "1.0.0",
  artifactSha256: "a0".repeat(32),
  inputSha256: "b0".repeat(32),
} as const;
const operations = [
  {
    kind: "network.wireguard",
    interface: "wg0",
    publicKey: null,
    listenPort: 51_820,
    addresses: ["10.9.0.1/24"],
    peers: [],
  },
  { kind: "service.restart", unit: "a.service" },
];

/** Draws a plan up for two nodes of which one host says of `wireguard:wg0` what the test says. */
async function draftWith(wireguard: Json) {
  const questions: PlanRequest[] = [];
  const asked: string[][] = [];
  const draft = planDraft.parse({ title: "Join", summary: "Joins.", sections: [{ node: id("1"), operations }] });
  const told = new Map<string, Json>([
    ["wireguard:wg0", wireguard],
    [sshSubject, { ports: [22], peers: ["198.51.100.7"] }],
  ]);
  const drafted = await draftPlan(
    {
      askPlan: (_, question) => {
        questions.push(question);
        return Promise.resolve({ draft, source, report: {} as never });
      },
      readStates: (_, subjects) => {
        asked.push([...subjects]);
        const states = subjects.map((subject) => ({ subject, state: (told.get(subject) ?? null) as null }));
        return Promise.resolve({ states, at: 0, signed: new Uint8Array() });
      },
    },
    asker,
    { plugin: "acme-mesh", input: { a: 1 } },
    [node("1"), node("2")],
  );
  return { questions, asked, drafted };
}

test("the second question of a plugin has the public key that the host told for an interface, and nothing else of its state", async () => {
  const state = { publicKey, interface: null };
  const { questions, asked, drafted } = await draftWith(state);
  expect(asked).toEqual([["service:a.service", "wireguard:wg0", sshSubject, trustSubject]]);
  expect(questions[0]?.nodes.map(({ states }) => states)).toEqual([[], []]);
  expect(questions[1]?.nodes.map(({ states }) => states)).toEqual([
    [
      { subject: "service:a.service", state: "absent" },
      { subject: "wireguard:wg0", state: stateDigest(hashBytes, "wireguard:wg0", state), publicKey },
    ],
    [],
  ]);
  expect(drafted.question?.nodes).toEqual(questions[1]?.nodes);
});

test.each([
  ["nothing", null],
  ["what has another form", { publicKey: "none", interface: null }],
])("a host that tells %s of an interface has no key in the question", async (_, state) => {
  const { questions } = await draftWith(state);
  for (const { states } of questions[1]?.nodes ?? []) {
    for (const one of states) expect(Object.keys(one)).toEqual(["subject", "state"]);
  }
});

test("more hosts than a plan may have are refused before anybody is asked", async () => {
  const untouched = () => expect.fail("somebody was asked");
  const nodes = Array.from({ length: 10_001 }, () => node("1"));
  const restart = { title: "Restart", summary: "Restarts.", operations: operations.slice(1) };
  for (const wanted of [{ plugin: "acme-mesh", input: 1 }, restart]) {
    const refused = draftPlan({ askPlan: untouched, readStates: untouched }, asker, wanted, nodes);
    const detail = "expected at most 10000 hosts, found 10001";
    await expect(refused).rejects.toMatchObject({ code: "plan.too_large", detail });
  }
});
