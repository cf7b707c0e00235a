import { type Report, UsageError } from "@gatehouse/command-line";
import type { Plan } from "@gatehouse/contract/routes";
import { planLimits } from "@gatehouse/plan";
import type { Connection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { type BecameOfPlan, shownDiffLines, shownPlanLines } from "./describe-plan.ts";
import { readPlanTasks, readWaves } from "./follow-plan.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import { lintHere } from "./lint-here.ts";
import { type CheckedPlan, identityOf, readPlan } from "./read-plan.ts";
import { readSection } from "./section-words.ts";

/** Nodes that are shown unless somebody asks for another number. */
const unsaidNodes = 100;

/** The flags of the commands that show what a plan does. */
export const sectionFlags = {
  node: { value: "NODE", about: "Show this node alone: its id, its last digits, or its name." },
  limit: { value: "N", about: `Show so many nodes at most. Without it, ${unsaidNodes}.` },
} as const;

export interface ShowWish {
  readonly as: "words" | "diff" | "programs";
  readonly node?: string | undefined;
  readonly most?: number | undefined;
}

/** Said in the help of the commands that show a plan. */
export const checkedAbout =
  "The digest is computed here from the bytes of the plan, and the states that a host signed are checked with its key; if the server shows anything else, the command shows nothing and fails (cli.plan_differs, cli.host_states_differ). Words, comparison and what the lint finds are made here too, of those bytes and states; what the server alone has found is marked.";

/** A plan that was held against its digest, for people and for machines. */
export async function showPlan(connection: Connection, plan: Plan, wish: ShowWish): Promise<Report> {
  const checked = await readPlan(connection, plan, { node: wish.node, most: wish.most ?? unsaidNodes });
  const became = wish.as !== "diff" && wasStarted(plan) ? await readBecame(connection, checked) : nothing;
  const { ends } = became;
  const isProved = !ends.some(({ verdict }) => verdict.word === "unproven");
  return {
    ok: plan.state !== "draft" && !isRefused(checked) && isProved,
    lines: wish.as === "diff" ? shownDiffLines(checked) : shownPlanLines(checked, became, wish.as === "programs"),
    json: jsonOf(checked, became),
  };
}

/** Whether its hosts have tasks. */
function wasStarted({ state }: Plan): boolean {
  return state === "running" || state === "halted" || state === "done";
}

const nothing: BecameOfPlan = { ends: [] };

/** Where each host stands, and whose word that is. */
async function readBecame(connection: Connection, { plan, document }: CheckedPlan): Promise<BecameOfPlan> {
  const tasks = await readPlanTasks(connection, plan.id);
  const identity = identityOf(document);
  const ends = tasks.map((task) => ({ task, verdict: judgeOutcome(task, identity) }));
  return plan.waves === null ? { ends } : { ends, waves: await readWaves(connection, plan.id) };
}

/** How many nodes to show, from the option. */
export function parseLimit(text: string | undefined, topic: string, most: number = planLimits.sections) {
  if (text === undefined) return undefined;
  const number = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new UsageError(`--limit must be a whole number from 1 to ${most}; found ${JSON.stringify(text)}`, topic);
}

/** A server that was taken over could pass what the lint refuses. */
function isRefused({ around, sections }: CheckedPlan): boolean {
  return sections.some((one) => lintHere(one, around).some(({ severity }) => severity === "refuse"));
}

/** What was made here stands in the place of what the server says. */
function jsonOf({ plan, sections, around, left }: CheckedPlan, { ends, waves }: BecameOfPlan): Report["json"] {
  return {
    plan: asJson(plan),
    ...(ends.length > 0 && { unproven: ends.filter(({ verdict }) => verdict.word === "unproven").length }),
    ...(waves !== undefined && { waves: asJson(waves) }),
    sections: sections.map((one) =>
      asJson({
        ...ends.find(({ task }) => task.index === one.view.index),
        ...one.view,
        operations: readSection(one, around.hostKeys).map(({ kind, words, diff, peers, work }) => ({
          kind,
          words,
          ...(peers.length > 0 && { peers }),
          diff,
          files: work.files,
          programs: work.programs,
        })),
        findings: lintHere(one, around),
        signedAt: one.host?.at ?? null,
      }),
    ),
    more: left > 0,
  };
}
