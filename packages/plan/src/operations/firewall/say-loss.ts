import { type LintCode, type LintFinding, type LintPacket, lintFinding, packetWords } from "../../lint-finding.ts";
import { countOf, sayList } from "../../say.ts";
import type { FirewallChain } from "./firewall-table.ts";
import type { FirewallQuestion } from "./questions.ts";
import type { FirewallRule } from "./rule.ts";
import { matchOf, rangesOf } from "./walk.ts";

/** Packets that must come in and would not, with what decides against them. */
export interface LostPackets {
  readonly code: LintCode;
  readonly question: FirewallQuestion;
  readonly source: string;
  /** Null: no rule, but the policy. */
  readonly rule: FirewallRule | null;
  /** The first network that is hit; null when it is the whole source. */
  readonly part: string | null;
  readonly first: bigint;
}

/** One finding for each cause, port and code: a hundred people behind one rule are one sentence. */
export function lossFindings(chain: FirewallChain, lost: readonly LostPackets[]): LintFinding[] {
  const groups = new Map<string, [LostPackets, ...LostPackets[]]>();
  for (const one of lost) {
    const cause = one.rule === null ? -1 : chain.rules.indexOf(one.rule);
    const key = `${one.code} ${cause} ${findPort(one.question)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map(([first, ...others]) => {
    const packet = packetOf(first);
    const alike = new Set(others.map((one) => packetWords(packetOf(one))));
    const what = `${first.part === null ? "" : `A part (${first.part}) of `}${packetWords(packet)}`;
    const more = alike.size === 0 ? "" : `, and ${countOf(alike.size, "other packet")} of its kind,`;
    const sentences = [`${what}${more} ${fateWords(chain, first.rule)}.`, ...reasons(chain, first)];
    return lintFinding(first.code, sentences.join(" "), packet);
  });
}

function packetOf({ question: { packet }, question, source }: LostPackets): LintPacket {
  const { protocol, type, state, interface: name } = packet;
  const port = findPort(question);
  return { protocol, ...(type === undefined ? {} : { type }), source, port, state, interface: name };
}

function findPort({ packet: { ports } }: FirewallQuestion): number | null {
  return ports !== null && ports.from === ports.to ? ports.from : null;
}

function fateWords({ policy }: FirewallChain, rule: FirewallRule | null): string {
  if (rule === null) return `would be ${policy === "drop" ? "dropped" : "accepted"}: no rule accepts it`;
  return `would be ${rule.verdict === "reject" ? "rejected" : "dropped"} by the rule "${rule.label}"`;
}

/** What is not seen at the rule that decides: how far it reaches, and who would have accepted. */
function reasons({ rules }: FirewallChain, { question, rule, first }: LostPackets): string[] {
  const { packet, family } = question;
  const unknown = "on which interface such a packet comes in is not known";
  if (rule !== null) {
    if (rule.interfaces === undefined || packet.interface === "lo") return [];
    return [`That rule is for ${sayList(rule.interfaces)}, and ${unknown}.`];
  }
  const narrow = rules.find(
    (one) =>
      one.verdict === "accept" &&
      one.interfaces !== undefined &&
      packet.interface === "outside" &&
      matchOf(one, packet) === "some" &&
      (rangesOf(one, family)?.some(({ from, to }) => from <= first && first <= to) ?? true),
  );
  if (narrow === undefined) return [];
  return [`The rule "${narrow.label}" accepts it on ${sayList(narrow.interfaces ?? [], "or")} only, and ${unknown}.`];
}
