import { type AddressRange, findHostAddress, networksOfRange, rangeOfPrefix } from "../../address-ranges.ts";
import { findNetwork, type Prefix, writeAddress } from "../../addresses.ts";
import { type LintAround, type LintFinding, lintFinding } from "../../lint-finding.ts";
import { escapeHidden } from "../../say.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { type FirewallQuestion, type NamedSource, questionsOf } from "./questions.ts";
import { type LostPackets, lossFindings } from "./say-loss.ts";
import { walkChain } from "./walk.ts";

/** SSH's own, where a host did not tell its ports. The agent keeps the same one open by itself. */
const usualSshPort = 22;

/** What the new table does to packets that a host cannot do without. Only the typed rules are looked at; nothing is loaded. */
export function lintFirewall({ input }: FirewallApply, around: LintAround): LintFinding[] {
  const peers = namedSources(around.ssh?.peers ?? [], findHostAddress).read.filter(({ prefix }) => !isLoopback(prefix));
  const management = namedSources(around.management, (text) => findNetwork(text) ?? findHostAddress(text));
  const sshSources = [...new Map([...peers, ...management.read].map((one) => [one.text, one])).values()];
  const questions = questionsOf(around, sshSources);

  const lost = ([4, 6] as const).flatMap((family) => {
    const ofFamily = questions.filter((question) => question.family === family);
    const ranges = ofFamily.flatMap(({ sources }) => sources.map(({ range }) => range));
    const walk = walkChain(input, family, ranges);
    return ofFamily.flatMap((question): LostPackets[] => {
      const decide = walk(question.packet, "against");
      return question.sources.flatMap((source) => lostOf(question, source, decide(source.range)));
    });
  });
  return [
    ...lossFindings(input, lost),
    ...unjudgedSsh(input, around, sshSources.length),
    ...management.unread.map((text) =>
      lintFinding("firewall.network_unread", `The management network ${text} is not a network, and was not judged.`),
    ),
    lintFinding("firewall.other_tables", "Other tables of the host, and forwarded traffic, are not judged."),
  ];
}

function lostOf(
  question: FirewallQuestion,
  source: NamedSource,
  { accepted, lost }: ReturnType<ReturnType<ReturnType<typeof walkChain>>>,
): LostPackets[] {
  return lost.map(({ rule, part }) => ({
    // A list of unwanted networks is meant; shutting out everybody is not.
    code: question.partly !== null && accepted && rule?.sources !== undefined ? question.partly : question.code,
    question,
    source: source.text,
    rule,
    part: isEqual(part, source.range) ? null : (networksOfRange(part, question.family)[0] ?? null),
    first: part.from,
  }));
}

/** Without a source to judge by, at least somebody must be able to come in. */
function unjudgedSsh(input: FirewallApply["input"], { ssh }: LintAround, sources: number): LintFinding[] {
  const ports = ssh?.ports ?? [usualSshPort];
  if (ports.length === 0 || (ssh !== null && sources > 0)) return [];
  const everywhere = ([4, 6] as const).map((family) => {
    const all = { from: 0n, to: (1n << (family === 4 ? 32n : 128n)) - 1n };
    return { all, walk: walkChain(input, family, [all]) };
  });
  const isOpen = ports.some((port) =>
    everywhere.some(({ all, walk }) => {
      const packet = { protocol: "tcp", state: "new", interface: "outside", ports: { from: port, to: port } } as const;
      return walk(packet, "for")(all).accepted;
    }),
  );
  const why =
    ssh === null
      ? `The host did not tell where its SSH server listens; port ${usualSshPort} is taken for it.`
      : "Nobody is connected over SSH now, and no management network is known.";
  return [
    ...(isOpen
      ? []
      : [
          lintFinding(
            "firewall.ssh_closed",
            `No rule accepts a new tcp connection from anybody to port ${ports.join(" or ")}: nobody could connect over SSH.`,
          ),
        ]),
    lintFinding("firewall.ssh_unjudged", `${why} Whether SSH stays reachable for you was not judged.`),
  ];
}

function namedSources(texts: readonly string[], find: (text: string) => Prefix | undefined) {
  const read: (NamedSource & { readonly prefix: Prefix })[] = [];
  const unread: string[] = [];
  for (const text of new Set(texts)) {
    const prefix = find(text);
    if (prefix === undefined) unread.push(escapeHidden(text).slice(0, 64));
    else {
      const name = `${writeAddress(prefix.bytes)}/${prefix.length}`;
      read.push({ text: name, family: prefix.family, range: rangeOfPrefix(prefix), prefix });
    }
  }
  return { read, unread };
}

/** Somebody who came through a tunnel of the host itself: judged as loopback traffic. */
function isLoopback({ family, bytes }: Prefix): boolean {
  return family === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isEqual(one: AddressRange, other: AddressRange): boolean {
  return one.from === other.from && one.to === other.to;
}
