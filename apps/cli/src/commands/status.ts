import { shortTime } from "@gatehouse/command-line";
import { overviewKinds } from "@gatehouse/contract";
import { type Overview, type OverviewItem, type OverviewList, overviewRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

export const status = defineCommand({
  name: "status",
  summary: "say what is broken, what waits for you and what is about to change",
  about: [
    "Prints what the overview of the dashboard shows, as far as you may see it: what is broken first, then what waits for you, then what is about to change. Times are UTC.",
    "Exit code 0 when nothing is broken, 1 when something is, and 3 when it is not known: the server could not be reached, or refused. What you may not see is named, and nothing is claimed of it.",
    connectionAbout,
  ],
  examples: [
    { why: "See how things stand", run: "gatehouse status" },
    { why: "Let a script or a timer watch, with a token", run: "GATEHOUSE_TOKEN=$(cat token) gatehouse status --json" },
  ],
  flags: {},
  exitWithout: 3,
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { data } = await connection.call(overviewRoute);
    const isBroken = data.broken.counts.length > 0;
    return {
      ok: !isBroken,
      lines: [
        `${answerOf(data)} (${connection.server.origin}, ${shortTime(data.at)})`,
        ...(isBroken ? sayList("Broken", data.broken) : []),
        ...sayList("Waiting for you", data.waiting),
        ...sayList("About to change", data.changing),
        ...sayUnseen(data.unseen),
      ],
      json: asJson(data),
    };
  },
});

function answerOf({ broken, unseen }: Overview): string {
  if (broken.counts.length > 0) return `Broken: ${broken.counts.map(({ says }) => says).join(", ")}.`;
  return unseen.length === 0 ? "Nothing is broken." : "Nothing that you may see is broken.";
}

function sayList(head: string, { items, more }: OverviewList): readonly string[] {
  if (items.length === 0) return [`${head}: nothing`];
  return [`${head}: ${items.length + more}`, ...items.flatMap(sayItem), ...(more === 0 ? [] : [`  and ${more} more`])];
}

function sayItem({ word, title, line, since, until }: OverviewItem): readonly string[] {
  const from = since === null ? [] : [`since ${shortTime(since)}`];
  const to = until === null ? [] : [`until ${shortTime(until)}`];
  const times = [...from, ...to].join(", ");
  return [`  ${word}: ${title}${times === "" ? "" : ` (${times})`}`, `    ${line}`];
}

/** By what it would take to see it. */
function sayUnseen(unseen: Overview["unseen"]): readonly string[] {
  if (unseen.length === 0) return [];
  const scopesOf = (isEvery: boolean) => {
    const kinds = unseen.map((kind) => overviewKinds[kind]).filter(({ nodes }) => (nodes === "every") === isEvery);
    return [...new Set(kinds.flatMap(({ scopes }) => scopes))].join(", ");
  };
  const [each, every] = [scopesOf(false), scopesOf(true)];
  const parts = [each, every === "" ? "" : `${every} for every node`].filter((part) => part !== "");
  return [`Not shown to you: what needs ${parts.join("; ")}`];
}
