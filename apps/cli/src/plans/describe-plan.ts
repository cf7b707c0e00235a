import { count, shortTime } from "@gatehouse/command-line";
import type { Plan, PlanFinding, PlanTask, PlanWaves } from "@gatehouse/contract/routes";
import { planDigest, type PlanDocument, type PlanSource, workLines } from "@gatehouse/plan";
import { lastDigits } from "../nodes/say-node.ts";
import { fieldLine, listOr } from "../plugins/field-lines.ts";
import { sha256Of } from "../sha256-of.ts";
import type { CheckedSection } from "./check-section.ts";
import type { OutcomeVerdict } from "./judge-outcome.ts";
import { type KnownFinding, lintHere, type PlanAround } from "./lint-here.ts";
import { sayPeerHosts } from "./peer-hosts.ts";
import { sayRead, sayStanding, serviceLines } from "./plan-run.ts";
import type { CheckedPlan } from "./read-plan.ts";
import { type ReadOperation, readSection } from "./section-words.ts";
import { wavesLines } from "./wave-words.ts";

/** The task of one host, with whose word its end is. */
export interface JudgedTask {
  readonly task: PlanTask;
  readonly verdict: OutcomeVerdict;
}

/** What became of a plan that was started. */
export interface BecameOfPlan {
  readonly ends: readonly JudgedTask[];
  /** Of one that was started since there are waves. */
  readonly waves?: PlanWaves;
}

/** Everything of a plan, for people: what it is, what it does on each node, and what became of it there. */
export function shownPlanLines(
  { plan, document, sections, around, left }: CheckedPlan,
  { ends, waves }: BecameOfPlan = { ends: [] },
  withPrograms = false,
): string[] {
  return [
    ...headLines(plan, document),
    ...endsLines(ends, document.sections.length),
    ...(waves === undefined ? [] : wavesLines(waves)).map((line, at) => fieldLine(at === 0 ? "waves" : "", line)),
    ...sections.flatMap((checked) => [
      ...sectionLines(checked, around, withPrograms),
      ...ends
        .filter(({ task }) => task.index === checked.view.index)
        .flatMap(({ task, verdict }) => [
          fieldLine("became", sayStanding(task, verdict)),
          ...serviceLines(task, verdict).map((line) => fieldLine("", `  ${line}`)),
          ...sayRead(verdict).map((line, at) => fieldLine(at === 0 ? "told" : "", line)),
        ]),
    ]),
    ...leftLines(left),
  ];
}

/** What a plan changes, line by line. */
export function shownDiffLines({ plan, document, sections, around, left }: CheckedPlan): string[] {
  return [
    `${document.header.title}: ${plan.state}`,
    fieldLine("id", plan.id),
    ...digestLines(document),
    ...sections.flatMap((checked) => {
      const read = readSection(checked, around.hostKeys);
      const lines = read.flatMap(({ head, diff }) => [
        `  ${head}`,
        ...diff.map(({ mark, text }) => `    ${marks[mark]} ${text}`),
      ]);
      return ["", nodeLine(checked), ...lines, ...peerLines(read)];
    }),
    ...leftLines(left),
  ];
}

const marks = { same: " ", added: "+", removed: "-" } as const;

/** In groups that two people can read to each other. */
export function digestGroups(digest: string): string[] {
  const groups = digest.match(/.{1,8}/g) ?? [];
  return [groups.slice(0, 4), groups.slice(4)].map((half) => half.join(" "));
}

function headLines(plan: Plan, document: PlanDocument): string[] {
  const { header, sections } = document;
  const optional = (name: string, text: string | null) => (text === null ? [] : [fieldLine(name, text)]);
  return [
    `${header.title}: ${plan.state}`,
    fieldLine("id", plan.id),
    ...digestLines(document),
    fieldLine("summary", header.summary),
    ...sourceLines(header.source),
    fieldLine("author", `${plan.author}, ${shortTime(plan.createdAt)}`),
    fieldLine("expires", shortTime(plan.expiresAt)),
    fieldLine("moved", `${plan.state} since ${shortTime(plan.stateAt)} by ${plan.movedBy}`),
    ...optional("reason", plan.reason),
    ...optional("replaces", plan.replaces),
    ...optional("replaced by", plan.replacedBy),
    ...optional("undoes", plan.undoes),
    fieldLine("management", listOr(plan.management, "no networks named")),
    fieldLine("nodes", count(sections.length, "node")),
    ...plan.skipped.map(({ node, name }, index) =>
      fieldLine(index === 0 ? "skipped" : "", `${name}, ${node}: it was not connected`),
    ),
    fieldLine("findings", `${sayFindings(plan.findings)}, as the server counted`),
    ...approvalLines(plan),
  ];
}

/** How many hosts stand where. A host that the server does not show is one of which nobody knows. */
function endsLines(ends: readonly JudgedTask[], nodes: number): string[] {
  if (ends.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { task, verdict } of ends) {
    const word = verdict.word === "unproven" ? "UNPROVEN" : task.state;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].map(([word, of]) => `${of} ${word}`);
  const hidden = nodes - new Set(ends.map(({ task }) => task.index)).size;
  return [fieldLine("became", [...words, ...(hidden > 0 ? [`${hidden} not shown by the server`] : [])].join(", "))];
}

/** Who has approved it, and for how many hosts that is not enough: both in the server's words. */
function approvalLines({ approvals, awaiting }: Plan): string[] {
  if (approvals.length === 0) return [];
  const rows = approvals.map(({ id, kind, by, sections, notAfter }) => {
    const how = kind === "signed" ? "signed by" : "a word to the server by";
    return `${id}, ${how} ${by} for ${count(sections, "host")} until ${shortTime(notAfter)}`;
  });
  return [
    ...rows.map((row, index) => fieldLine(index === 0 ? "approvals" : "", row)),
    fieldLine("awaiting", `${count(awaiting ?? 0, "host")}, as the server says`),
  ];
}

export function digestLines(document: PlanDocument): string[] {
  const digest = planDigest(sha256Of, document);
  return [
    fieldLine("digest", digest),
    ...digestGroups(digest).map((half) => fieldLine("", half)),
    fieldLine("", "computed here from the bytes of the plan"),
  ];
}

export function sourceLines(source: PlanSource): string[] {
  if (source.from === "person") return [fieldLine("source", "a person")];
  return [
    fieldLine("source", `plugin ${source.plugin} ${source.version}`),
    fieldLine("", `artifact sha256 ${source.artifactSha256}`),
    fieldLine("", `input sha256 ${source.inputSha256}`),
  ];
}

/** What a plan does on one node, and what the lint found about it. */
export function sectionLines(checked: CheckedSection, around: PlanAround, withPrograms = false): string[] {
  const { host } = checked;
  const read = readSection(checked, around.hostKeys);
  return [
    "",
    nodeLine(checked),
    ...lintHere(checked, around).flatMap(findingLines),
    ...read.flatMap(({ head, words, work }) => [
      `  ${head}`,
      ...words.map((line) => `       ${line}`),
      ...(withPrograms ? workLines(work) : []),
    ]),
    ...peerLines(read),
    fieldLine(
      "made from",
      host === null
        ? "nothing: it changes no part of the host"
        : `what the host signed at ${shortTime(host.at)}, by its own clock`,
    ),
  ];
}

/** Whose keys the interfaces let in: beside the words, which are the same wherever a plan is read. */
function peerLines(read: readonly ReadOperation[]): string[] {
  const lines = read.flatMap(({ peers }, at) => peers.map((peer) => `operation ${at + 1}: ${sayPeerHosts(peer)}`));
  return lines.map((line, at) => fieldLine(at === 0 ? "peers" : "", line));
}

export function nodeLine({ view }: CheckedSection): string {
  return `${view.name} (${lastDigits(view.node)})  ${view.node}`;
}

const severityWords: Readonly<Record<PlanFinding["severity"], string>> = {
  refuse: "refused",
  warn: "warning",
  note: "note",
};

function findingLines({ severity, code, says, operation, packet, by }: KnownFinding): string[] {
  return [
    fieldLine(severityWords[severity], `${code}, operation ${operation + 1}: ${says}`),
    ...(packet === null ? [] : [fieldLine("", `packet: ${packet}`)]),
    ...(by === "here" ? [] : [fieldLine("", "the server alone says so")]),
  ];
}

export function sayFindings({ refuse, warn, note }: Plan["findings"]): string {
  const parts = [
    ...(refuse === 0 ? [] : [`${refuse} refused`]),
    ...(warn === 0 ? [] : [count(warn, "warning")]),
    ...(note === 0 ? [] : [count(note, "note")]),
  ];
  return listOr(
    [parts.join(", ")].filter((part) => part !== ""),
    "none",
  );
}

function leftLines(left: number): string[] {
  if (left === 0) return [];
  return ["", `${count(left, "node")} more: see one with --node NODE, or the first N with --limit N.`];
}
