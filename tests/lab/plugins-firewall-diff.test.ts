import {
  diffOperation,
  type FirewallApply,
  firewallState,
  type FirewallState,
  lintOperation,
  readPlanDraft,
  renderFirewall,
} from "@gatehouse/plan";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { smallChain } from "../../packages/plan/src/operations/firewall/firewall-cases.ts";
import { recordedOperation } from "../../packages/plan/src/operations/firewall/nft-cases.ts";
import { anyOperation } from "../../packages/plan/src/plan-cases.ts";
import { netguard } from "../../plugins/netguard/src/netguard.ts";
import { sampleQuestion } from "../../plugins/netguard/test/sample-input.ts";
import { type HostPair, openHostPair } from "./namespaces.ts";

/** What a reviewer is shown, beside what a real nft made of it: a table that is there already is no change. */
let hosts: HostPair;
beforeAll(async () => {
  hosts = await openHostPair();
});
afterAll(() => hosts.close());

const unused = () => new Uint8Array(32);

/** Loads the tables in one call, and reads back what nft has then. */
async function loaded(operations: readonly FirewallApply[]): Promise<FirewallState[]> {
  await hosts.one.run("nft", ["-f", "-"], operations.map(renderFirewall).join(""));
  const states: FirewallState[] = [];
  for (const { table } of operations) {
    const said = await hosts.one.run("nft", ["-j", "-s", "list", "table", "inet", table]);
    states.push(withoutHandles(said));
  }
  await hosts.one.run("nft", ["flush", "ruleset"]);
  return states;
}

function withoutHandles(said: string): FirewallState {
  const { nftables } = JSON.parse(said, (name, value: unknown) =>
    name === "handle" || name === "index" ? undefined : value,
  ) as FirewallState;
  return firewallState.parse({ nftables: nftables.filter((entry) => !("metainfo" in entry)) });
}

const changes = (operation: FirewallApply, before: FirewallState) =>
  diffOperation(operation, before, unused).filter(({ mark }) => mark !== "same");

test("netguard's plan, once loaded, is no change, and its lint has nothing against it", async () => {
  const draft = readPlanDraft(await netguard.actions.plan({} as never, sampleQuestion));
  if (!draft.ok) throw new Error(draft.reason);
  for (const [operation] of draft.value.sections.map(({ operations }) => operations)) {
    if (operation?.kind !== "firewall.apply") throw new Error("the plan has no firewall");
    const [state] = await loaded([operation]);
    expect(state && changes(operation, state)).toEqual([]);
    const around = { ssh: { ports: [], peers: [] }, management: [], controlPorts: [] };
    expect(lintOperation(operation, around).map(({ code }) => code)).toEqual(["firewall.other_tables"]);
  }
});

test("no table that the schema lets through differs from itself after nft has loaded it", async () => {
  const wide = fc.sample(anyOperation, { numRuns: 1_200, seed: 17 }).filter((one) => one.kind === "firewall.apply");
  const chains = fc.sample(fc.record({ input: smallChain, forward: smallChain }), { numRuns: 150, seed: 18 });
  const narrow = chains.map((both): FirewallApply => ({ kind: "firewall.apply", table: "gatehouse_t", ...both }));
  const all = [recordedOperation, ...wide, ...narrow].map((one, index) => ({ ...one, table: `gatehouse_t${index}` }));
  expect(all.length).toBeGreaterThan(200);
  for (let at = 0; at < all.length; at += 50) {
    const operations = all.slice(at, at + 50);
    const states = await loaded(operations);
    for (const [index, operation] of operations.entries()) {
      const state = states[index];
      expect(state && changes(operation, state)).toEqual([]);
    }
  }
});

test("a table that differs in one rule differs in that line alone", async () => {
  const { input } = recordedOperation;
  const other: FirewallApply = {
    ...recordedOperation,
    input: { ...input, rules: input.rules.map((rule, at) => (at === 1 ? { ...rule, verdict: "drop" } : rule)) },
  };
  const [state] = await loaded([other]);
  expect(state && changes(recordedOperation, state)).toEqual([
    { mark: "removed", text: '    ct state { established, related } drop comment "answers"' },
    { mark: "added", text: '    ct state { related, established } accept comment "answers"' },
  ]);
});
