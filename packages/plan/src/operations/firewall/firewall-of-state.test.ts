import fc from "fast-check";
import { expect, test } from "vitest";
import type { FirewallState } from "../../states.ts";
import { smallChain } from "./firewall-cases.ts";
import { findFirewallOf } from "./firewall-of-state.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { foreignState, recordedOperation, recordedState } from "./nft-cases.ts";
import { diffFirewall } from "./diff.ts";
import { renderFirewall } from "./render.ts";

const { table } = recordedOperation;

test("a table that nft told is an operation again, and nothing differs between the two", () => {
  const read = findFirewallOf(table, recordedState);
  expectSame(read, recordedState);
  // With sources of both families it is one rule again, as it was planned.
  expect(read?.input.rules.map(({ label }) => label)).toEqual(recordedOperation.input.rules.map(({ label }) => label));
  expect(read?.forward).toEqual(recordedOperation.forward);
});

test("every table that a plan can hold comes back from what nft tells of it", () => {
  fc.assert(
    fc.property(smallChain, fc.option(smallChain, { nil: undefined }), (input, forward) => {
      const planned = { kind: "firewall.apply", table, input, ...(forward && { forward }) } as const;
      const told = tellTable(planned);
      expectSame(findFirewallOf(table, told), told);
      expectSame(planned, told);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test.each<[string, FirewallState]>([
  ["that somebody wrote by hand", foreignState],
  ["without its chain of incoming packets", without(({ chain }) => chain?.name === "input")],
  ["with a rule that has no label", changed("loopback", (rule) => ({ ...rule, comment: "" }))],
  ["with a rule that counts", changed("rest", (rule) => ({ ...rule, expr: [{ counter: null }, { drop: null }] }))],
  ["with a label that no plan has", changed("rest", (rule) => ({ ...rule, comment: "a, \u202eb" }))],
  ["with a chain at another priority", changedHead({ prio: 10 })],
  ["with a policy that no plan has", changedHead({ policy: "queue" })],
])("a table %s is none", (_, state) => {
  expect(findFirewallOf(table, state)).toBeUndefined();
});

test("a table of another name than the one that was asked for is none", () => {
  expect(findFirewallOf("gatehouse_other", recordedState)).toBeUndefined();
  expect(findFirewallOf(table, { nftables: [] })).toBeUndefined();
});

function expectSame(read: FirewallApply | undefined, told: FirewallState): void {
  expect(read).toBeDefined();
  const lines = read === undefined ? [] : diffFirewall(read, told);
  expect(new Set(lines.map(({ mark }) => mark))).toEqual(new Set(["same"]));
}

/** As nft tells a table: from the text that it loads, word by word. */
function tellTable(operation: FirewallApply): FirewallState {
  let chain = "";
  const nftables = renderFirewall(operation)
    .split("\n")
    .flatMap((line): object[] => {
      const words = line.trim();
      if (words.startsWith("table inet ")) return [{ table: { family: "inet", name: operation.table } }];
      const opened = /^chain (\w+) \{$/.exec(words)?.[1];
      if (opened !== undefined) {
        chain = opened;
        return [];
      }
      const hook = /^type filter hook (\w+) priority filter; policy (\w+);$/.exec(words);
      const at = { family: "inet", table: operation.table };
      if (hook !== null) {
        return [{ chain: { ...at, name: chain, type: "filter", hook: hook[1], prio: 0, policy: hook[2] } }];
      }
      const rule = /^(.*?)(accept|drop|reject) comment "(.*)"$/.exec(words);
      if (rule === null) return [];
      const [, conditions = "", verdict = "", comment] = rule;
      return [{ rule: { ...at, chain, comment, expr: [...tellConditions(conditions), { [verdict]: null }] } }];
    });
  return { nftables: nftables as FirewallState["nftables"] };
}

function tellConditions(text: string): object[] {
  return [...text.matchAll(/(?:(\w+) (\w+)|iifname) (?:\{ ([^}]*) \}|([a-z0-9-]+)) /g)].map((found) => {
    const [, first, second, set, one] = found;
    const left =
      first === undefined
        ? { meta: { key: "iifname" } }
        : first === "ct" || first === "meta"
          ? { [first]: { key: second } }
          : { payload: { protocol: first, field: second } };
    return { match: { op: "==", left, right: set === undefined ? one : { set: set.split(", ").map(tellElement) } } };
  });
}

function tellElement(text: string): unknown {
  if (text.startsWith('"')) return JSON.parse(text);
  const [addr, len] = text.split("/");
  if (len !== undefined) return { prefix: { addr, len: Number(len) } };
  const range = /^(\d+)-(\d+)$/.exec(text);
  if (range !== null) return { range: [Number(range[1]), Number(range[2])] };
  return /^\d+$/.test(text) ? Number(text) : text;
}

interface Entry {
  readonly rule?: { readonly comment?: string };
  readonly chain?: { readonly name: string };
}

function without(isGone: (entry: Entry) => boolean): FirewallState {
  return { nftables: recordedState.nftables.filter((entry) => !isGone(entry as Entry)) };
}

function changed(label: string, change: (rule: Record<string, unknown>) => object): FirewallState {
  const nftables = recordedState.nftables.map((entry) =>
    (entry as Entry).rule?.comment === label ? { rule: change(entry["rule"] as Record<string, unknown>) } : entry,
  );
  return { nftables: nftables as FirewallState["nftables"] };
}

function changedHead(more: object): FirewallState {
  const nftables = recordedState.nftables.map((entry) =>
    (entry as Entry).chain?.name === "input" ? { chain: { ...(entry["chain"] as object), ...more } } : entry,
  );
  return { nftables };
}
