import { type Approval, sectionsOf } from "@gatehouse/approval";
import { planWords } from "@gatehouse/channel";
import { count, shortTime } from "@gatehouse/command-line";
import { lastDigits, saySpan } from "../nodes/say-node.ts";
import { type OwnProgram, sayOwnProgram } from "../own-program.ts";
import type { CheckedSection } from "../plans/check-section.ts";
import { digestLines, sectionLines, sourceLines } from "../plans/describe-plan.ts";
import type { PlanAround } from "../plans/lint-here.ts";
import type { CheckedPlan } from "../plans/read-plan.ts";
import { fieldLine } from "../plugins/field-lines.ts";
import { type AddressBook, sayKnown } from "./address-book.ts";
import type { LeftOutHost, SignedHost } from "./choose-hosts.ts";
import type { ApproverKey } from "./sign-statement.ts";

/** What is approved, as it was computed here. */
export function approvedPlanLines({ plan, document }: CheckedPlan): string[] {
  const { header } = document;
  return [
    `${header.title}: ${plan.state}`,
    fieldLine("id", plan.id),
    ...digestLines(document),
    fieldLine("in words", planWords(plan.digest).join(" ")),
    fieldLine("summary", header.summary),
    ...sourceLines(header.source),
    fieldLine("author", `${plan.author}, as the server says`),
  ];
}

interface Known {
  readonly around: PlanAround;
  readonly book: AddressBook;
  readonly now: number;
}

export function signedHostLines(host: SignedHost, { around, book, now }: Known): string[] {
  const { checked, trust, person, needed } = host;
  const persons = count(trust.persons.length, "person");
  return [
    ...sectionLines(checked, around),
    ...ageLines(checked, now),
    fieldLine("known", sayKnown(book, namedHost(checked))),
    fieldLine("accepts", "signatures, as the host signed it"),
    fieldLine("trust file", trust.digest),
    fieldLine("your key", `is of ${person}, one of ${persons}; it takes ${count(needed, "person")}`),
  ];
}

export function trustingHostLines(checked: CheckedSection, { around, book, now }: Known): string[] {
  return [
    ...sectionLines(checked, around),
    ...ageLines(checked, now),
    fieldLine("known", sayKnown(book, namedHost(checked))),
    fieldLine("accepts", "the word of its server, as the host signed it: nobody signs"),
  ];
}

export function leftOutLines(hosts: readonly LeftOutHost[]): string[] {
  if (hosts.length === 0) return [];
  const rows = hosts.map(({ checked: { view }, why }) => `  ${view.name} (${lastDigits(view.node)}): ${why}`);
  return ["", "Not approved for:", ...rows];
}

/** The statement itself, for whoever signs it. */
export function statementLines(approval: Approval, { key, own }: { key: ApproverKey; own: OwnProgram }): string[] {
  const at = (time: number) => shortTime(new Date(time).toISOString());
  return [
    "",
    `Approval ${approval.approvalId}`,
    fieldLine("hosts", `${sectionsOf(approval.sections).length} of ${approval.sections.count}`),
    fieldLine("holds", `${at(approval.notBefore)} to ${at(approval.notAfter)}`),
    fieldLine("issued", at(approval.issuedAt)),
    fieldLine("rollback", `after ${approval.rollbackWindow} s without a confirmation`),
    ...(approval.confirmation === 2 ? [fieldLine("confirm", "by the approvers, as a host wants it")] : []),
    fieldLine("key", key.fingerprint),
    fieldLine("signed by", sayOwnProgram(own)),
  ];
}

export function namedHost({ view, section }: CheckedSection): { readonly node: string; readonly name: string } {
  return { node: section.node, name: view.name };
}

/** Old words are no reason to refuse: the host itself refuses what is stale. */
const freshMs = 10 * 60_000;

function ageLines({ host }: CheckedSection, now: number): string[] {
  const age = host === null ? 0 : now - Date.parse(host.at);
  return age <= freshMs ? [] : [fieldLine("", `that was ${saySpan(age)} ago`)];
}
