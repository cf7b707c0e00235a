import type { Clock } from "@gatehouse/base";
import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import type { StateGround } from "./host-operation.ts";

/** How long one program may take, and how long the whole question. */
export interface QuestionLimits {
  readonly program: number;
  readonly question: number;
}

/** What parts of the host are read with while a question lasts: when it has had its time, nothing more is read. */
export function boundGround(
  {
    root,
    run,
    privateKey,
    clock,
  }: Pick<StateGround, "root" | "run" | "privateKey"> & { readonly clock: Pick<Clock, "monotonic"> },
  mostMs: QuestionLimits,
): StateGround {
  const end = clock.monotonic() + mostMs.question;
  const checkTime = () => {
    if (clock.monotonic() >= end)
      throw fault("read.limit", `the answer took more than ${mostMs.question / 1_000} seconds`);
  };
  return { root, privateKey, checkTime, run: (program, args) => run(program, args, mostMs.program) };
}

/** What stands before the first colon, and behind it. */
export function splitSubject(subject: string): { readonly prefix: string; readonly target: string } {
  const colon = subject.indexOf(":");
  return { prefix: subject.slice(0, Math.max(colon, 0)), target: subject.slice(colon + 1) };
}

/** Whatever is refused meanwhile names the subject. */
export async function nameSubject<Value>(subject: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    throw fault(error.code as FaultCode, `${showSubject(subject)}: ${error.detail}`, { cause: error });
  }
}

/** The asker's words go back to it and into logs: only what can be a subject is shown. */
export function showSubject(subject: string): string {
  return subject.replaceAll(/[^\x21-\x7e]/g, "?").slice(0, 200);
}
