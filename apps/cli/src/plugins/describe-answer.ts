import type { Json } from "@gatehouse/base";
import { count } from "@gatehouse/command-line";
import { type ActionName, fault } from "@gatehouse/contract";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { readPlanDraft } from "@gatehouse/plan";
import { describeOperation } from "./describe-operation.ts";
import { fieldLine } from "./field-lines.ts";

export interface DescribedAnswer {
  /** Whether all is well: a plugin that says it is not makes the exit code 1. */
  readonly ok: boolean;
  /** Goes on a sentence that begins with the plugin. */
  readonly verdict: string;
  readonly lines: readonly string[];
}

/** A plugin's answer in words. Whoever ran the plugin has judged it by its form; what cannot be read here is newer than this program. */
export function describeAnswer(action: ActionName, result: Json): DescribedAnswer {
  return describers[action](result);
}

const mostMapLines = 20;

const describers: Readonly<Record<ActionName, (result: Json) => DescribedAnswer>> = {
  describe: (result) => {
    const read = describeResult.safeParse(result);
    if (!read.success) throw unreadable("describe");
    const { name, version, summary, mapLines = [] } = read.data;
    const more = mapLines.length - mostMapLines;
    return {
      ok: true,
      verdict: "describes itself",
      lines: [
        fieldLine("name", name),
        fieldLine("version", version),
        fieldLine("summary", summary),
        fieldLine("fleet map", mapLines.length === 0 ? "no lines" : count(mapLines.length, "line")),
        ...mapLines
          .slice(0, mostMapLines)
          .map(({ from, to, label, state }) => fieldLine("", `${from} to ${to}: ${label} (${state})`)),
        ...(more > 0 ? [fieldLine("", `and ${more} more`)] : []),
      ],
    };
  },
  health: (result) => {
    const read = healthResult.safeParse(result);
    if (!read.success) throw unreadable("health");
    const { status, message } = read.data;
    return {
      ok: status === "ok",
      verdict: `says that it is ${status}`,
      lines: message === undefined ? [] : [fieldLine("message", message)],
    };
  },
  plan: (result) => {
    const read = readPlanDraft(result);
    if (!read.ok) throw unreadable(`plan (${read.reason})`);
    const { title, summary, sections } = read.value;
    return {
      ok: true,
      verdict: `drew up a plan for ${count(sections.length, "node")}; nothing was stored or applied`,
      lines: [
        fieldLine("title", title),
        fieldLine("summary", summary),
        ...sections.flatMap(({ node, operations }) => [
          fieldLine("node", node),
          ...operations.map((operation) => fieldLine("", describeOperation(operation))),
        ]),
      ],
    };
  },
};

function unreadable(what: string): Error {
  return fault("cli.answer_unexpected", `the answer to ${what} has a form that this version does not know`);
}
