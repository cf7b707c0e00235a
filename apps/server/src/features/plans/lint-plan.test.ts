import type { Operation, PlanDocument } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { lintDocument } from "./lint-plan.ts";
import { hashStates, type ReadStates } from "./read-host-states.ts";

const id = (number: number) => `node_${String(number).padStart(26, "0")}`;
const key = (letter: string) => `${letter.repeat(42)}A=`;
const server = { addresses: () => [], ports: () => [] };

const joined = (own: string | null, ...peers: string[]): Operation => ({
  kind: "network.wireguard",
  interface: "wg0",
  publicKey: own === null ? null : key(own),
  listenPort: 51_820,
  addresses: ["10.9.0.1/24"],
  peers: peers.map((letter, at) => ({
    label: `peer ${letter}`,
    publicKey: key(letter),
    allowedIps: [`10.9.0.${at + 2}/32`],
  })),
});

/** What is found on each host; each of them tells one key. */
async function findingsOf(hosts: readonly { readonly key: string; readonly operation: Operation }[]) {
  const sections = hosts.map(({ operation }, at) => ({ node: id(at), operations: [operation], preconditions: [] }));
  const told: ReadStates = new Map(
    hosts.map((host, at) => {
      const states = [{ subject: "wireguard:wg0", state: { publicKey: key(host.key), interface: null } }];
      return [id(at), hashStates({ states, at: 0, signed: new Uint8Array() })];
    }),
  );
  const document = { header: {}, sections } as unknown as PlanDocument;
  const found = await lintDocument({ server }, document, { told, nodes: [], management: [] });
  return found.map((all) => all.map(({ code, severity }) => `${severity} ${code}`));
}

test("a peer whose key a host of the plan has told is known; any other is warned of", async () => {
  expect(
    await findingsOf([
      { key: "a", operation: joined("a", "b", "c") },
      { key: "b", operation: joined("b", "a", "c") },
      { key: "c", operation: joined("c", "a", "b", "m") },
    ]),
  ).toEqual([[], [], ["warn wireguard.peer_unknown"]]);
});

test("the same operation is judged anew for a host that told another key", async () => {
  expect(
    await findingsOf([
      { key: "a", operation: joined("a", "b") },
      { key: "b", operation: joined("a", "b") },
      { key: "a", operation: joined("a", "b") },
    ]),
  ).toEqual([[], ["refuse wireguard.key", "refuse wireguard.peer_self"], []]);
});
