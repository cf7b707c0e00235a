import type { HostLogLine } from "@gatehouse/contract/routes";
import { type LogRow, lineRows } from "./log-rows.ts";

/** Why the page stands still. */
export type Standing = "scrolled" | "chose";

/** What following has brought so far, the newest first. */
export interface FollowedLines {
  /** False before the first answer. */
  readonly hasBegun: boolean;
  readonly rows: readonly LogRow[];
  /** Until somebody wants them. */
  readonly waiting: readonly LogRow[];
  readonly waitingCount: number;
  readonly standing: Standing | undefined;
  /** Older ones have gone from the page. */
  readonly hasGone: boolean;
  /** How often more came than was taken. */
  readonly skips: number;
  /** The id of the newest line that has come. */
  readonly newest: string;
}

export type FollowedStep =
  | { readonly kind: "began"; readonly items: readonly HostLogLine[] }
  | { readonly kind: "came"; readonly items: readonly HostLogLine[] }
  /** More came than could be taken: these are the newest, and before them some are missing. */
  | { readonly kind: "skipped"; readonly items: readonly HostLogLine[] }
  | { readonly kind: "stand"; readonly why: Standing }
  | { readonly kind: "show" };

/** What the page holds; a browser would become slow with more. */
export const mostFollowed = 2_000;

export const nothingFollowed: FollowedLines = {
  hasBegun: false,
  rows: [],
  waiting: [],
  waitingCount: 0,
  standing: undefined,
  hasGone: false,
  skips: 0,
  newest: "0",
};

export function followLines(state: FollowedLines, step: FollowedStep): FollowedLines {
  switch (step.kind) {
    case "began": {
      const { standing } = state;
      const newest = step.items[0]?.id ?? "0";
      return { ...nothingFollowed, hasBegun: true, rows: lineRows(step.items), newest, standing };
    }
    case "came":
      return added(state, step.items, []);
    case "skipped":
      return added({ ...state, skips: state.skips + 1 }, step.items, gapBetween(state, step.items));
    case "stand":
      return state.standing === undefined ? { ...state, standing: step.why } : state;
    case "show":
      return shown({ ...state, standing: undefined });
  }
}

function added(state: FollowedLines, items: readonly HostLogLine[], gap: readonly LogRow[]): FollowedLines {
  // An answer may come twice, where a first one was thought to be lost.
  const news = items.filter(({ id }) => Number(id) > Number(state.newest));
  const newest = news[0]?.id;
  if (newest === undefined) return state;
  const waiting = [...lineRows(news), ...gap, ...state.waiting].slice(0, mostFollowed);
  const next = { ...state, newest, waiting, waitingCount: state.waitingCount + news.length };
  return state.standing === undefined ? shown(next) : next;
}

function shown(state: FollowedLines): FollowedLines {
  const { rows, waiting, waitingCount, hasGone } = state;
  const all = [...waiting, ...rows];
  const isCut = all.length > mostFollowed || waitingCount > waiting.length;
  return { ...state, rows: all.slice(0, mostFollowed), waiting: [], waitingCount: 0, hasGone: hasGone || isCut };
}

function gapBetween({ rows, waiting, newest }: FollowedLines, items: readonly HostLogLine[]): readonly LogRow[] {
  const before = [...waiting, ...rows].find((row) => row.kind === "line");
  const after = items.findLast(({ id }) => Number(id) > Number(newest));
  if (after === undefined || before?.kind !== "line") return [];
  return [{ kind: "skipped", key: `skipped-${newest}`, from: before.line.at, to: after.at }];
}
