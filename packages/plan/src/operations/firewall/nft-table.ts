import * as z from "zod";
import { escapeHidden } from "../../say.ts";
import type { FirewallState } from "../../states.ts";
import { findNftText } from "./nft-expression.ts";

/**
 * The table that a host has, line by line in the syntax of our renderer. What our renderer never writes stands there as JSON:
 * nothing that a change would destroy is left out.
 */
export function renderNftTable({ nftables }: FirewallState): string[] {
  const rules = nftables.flatMap((entry) => rule.safeParse(entry).data?.rule ?? []);
  const chains = nftables.flatMap((entry) => chain.safeParse(entry).data?.chain ?? []);
  const names = new Set(chains.map(({ name }) => name));
  const isShown = (entry: object) =>
    table.safeParse(entry).success ||
    chain.safeParse(entry).success ||
    names.has(rule.safeParse(entry).data?.rule.chain ?? "");
  const head = nftables.flatMap((entry) => table.safeParse(entry).data?.table ?? []);
  return [
    ...head.map((one) => `table ${word(one.family)} ${word(one.name)} {${others(rest(one, "name"))}`),
    ...nftables.filter((entry) => !isShown(entry)).map((entry) => `  ${jsonLine(entry)}`),
    ...chains.flatMap((one) => [
      `  chain ${word(one.name)} {`,
      ...headLines(one).map((line) => `    ${line}`),
      ...rules.filter((each) => each.chain === one.name).map((each) => `    ${ruleLine(each)}`),
      "  }",
    ]),
    ...(head.length === 0 ? [] : ["}"]),
  ];
}

const table = z.strictObject({ table: z.looseObject({ family: z.string(), name: z.string() }) });
const chain = z.strictObject({ chain: z.looseObject({ family: z.string(), table: z.string(), name: z.string() }) });
const rule = z.strictObject({
  rule: z.looseObject({
    family: z.string(),
    table: z.string(),
    chain: z.string(),
    comment: z.string().optional(),
    expr: z.array(z.json()),
  }),
});
type Chain = z.output<typeof chain>["chain"];
type Rule = z.output<typeof rule>["rule"];

const hooked = z.strictObject({
  type: z.string(),
  hook: z.string(),
  prio: z.int(),
  policy: z.string().optional(),
});

function headLines(one: Chain): string[] {
  const own = rest(one, "table", "name");
  if (Object.keys(own).length === 0) return [];
  const parsed = hooked.safeParse(own);
  if (!parsed.success) return [jsonLine(own)];
  const { type, hook, prio, policy } = parsed.data;
  const priority = prio === 0 ? "filter" : String(prio);
  const after = policy === undefined ? "" : ` policy ${word(policy)};`;
  return [`type ${word(type)} hook ${word(hook)} priority ${priority};${after}`];
}

function ruleLine(one: Rule): string {
  const { comment, expr } = one;
  const parts = [
    ...expr.map((each) => findNftText(each) ?? jsonLine(each)),
    ...(comment === undefined ? [] : [`comment ${JSON.stringify(comment)}`]),
  ];
  return escapeHidden(`${parts.join(" ")}${others(rest(one, "table", "chain", "comment", "expr"))}`);
}

function others(own: object): string {
  return Object.keys(own).length === 0 ? "" : ` ${jsonLine(own)}`;
}

/** What is said of it beside what stands elsewhere. A number that only this reading of the host has is no part of the table. */
function rest(entry: object, ...elsewhere: readonly string[]): object {
  const left = ["family", "handle", "index", ...elsewhere];
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !left.includes(name)));
}

/** A name as it is, or quoted where it could be taken for more. */
function word(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : jsonLine(text);
}

function jsonLine(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}
