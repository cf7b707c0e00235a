import { mostOfOverviewKind, type OverviewKind, overviewKinds } from "@gatehouse/contract";
import type { OverviewItem } from "@gatehouse/contract/routes";
import type { Principal, SeenNodes } from "../../platform/route/index.ts";
import { overviewLimits } from "./limits.ts";

/** Who asks, what nodes they may see, and when. */
export interface OverviewAsker {
  readonly principal: Principal;
  readonly seen: SeenNodes;
  readonly now: number;
}

/** What there is of one kind. */
export interface OverviewFindings {
  readonly kind: OverviewKind;
  readonly items: readonly OverviewItem[];
  /** Beyond the items. */
  readonly more: number;
}

/** One place that is asked. It is not asked where the asker may see none of its kinds. */
export interface OverviewSource {
  /** What it reads, as it is said when it cannot be read: "plans". */
  readonly about: string;
  readonly kinds: readonly OverviewKind[];
  read(asker: OverviewAsker): Promise<readonly OverviewFindings[]> | readonly OverviewFindings[];
}

/** The first of them as items; the others are only counted. */
export function cutFindings<T>(kind: OverviewKind, all: readonly T[], say: (one: T) => SaidItem): OverviewFindings {
  const items = all.slice(0, mostOfOverviewKind).map((one) => makeOverviewItem(kind, say(one)));
  return { kind, items, more: all.length - items.length };
}

export interface SaidItem {
  readonly subject: OverviewItem["subject"];
  readonly title: string;
  readonly line: string;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export function makeOverviewItem(kind: OverviewKind, { subject, title, line, since, until }: SaidItem): OverviewItem {
  const { level, word } = overviewKinds[kind];
  return {
    kind,
    level,
    subject: { ...subject, name: cut(subject.name) },
    word,
    title: cut(title),
    line: cut(line),
    since: iso(since),
    until: iso(until),
  };
}

/** A reason in the words of somebody else, as a sentence of its own. */
export function sayWhole(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function iso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function cut(text: string): string {
  return text.length <= overviewLimits.textChars ? text : `${text.slice(0, overviewLimits.textChars - 1)}…`;
}
