import type { DescribeResult, HealthResult } from "@gatehouse/contract/broker";
import type { JudgedResult } from "./judge-result.ts";
import type { LastAnswer, SelfAction } from "./ledger.ts";

export interface News {
  readonly was: string;
  readonly is: string;
}

const noAnswer = "no answer";
/** Before anything is known a plugin is taken to be well, so that a good one leaves no entry when it is looked at. */
const atFirst: Readonly<Record<SelfAction, string | null>> = { health: "ok", describe: null };

/** Whether an answer differs from the last one in a way that belongs into the log: a state or a name, never a passing remark. */
export function judgeNews(
  action: SelfAction,
  judged: Pick<JudgedResult, "ok"> & { readonly result?: unknown },
  last: LastAnswer | undefined,
): News | null {
  const is = wordsOf(action, judged.ok, judged.result);
  const was = last === undefined ? atFirst[action] : wordsOf(action, last.ok, last.ok ? last.result : undefined);
  if (was === is || (was === null && is !== noAnswer)) return null;
  return { was: was ?? "nothing yet", is };
}

function wordsOf(action: SelfAction, isOk: boolean, result: unknown): string {
  if (!isOk) return noAnswer;
  if (action === "health") return (result as HealthResult).status;
  const { name, version, summary } = result as DescribeResult;
  return `${name} ${version}: ${summary}`;
}
