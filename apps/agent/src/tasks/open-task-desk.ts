import type { InTurn } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { checkParts, partsOf } from "./check-parts.ts";
import type { Inbox } from "./open-inbox.ts";
import type { AnnouncedTask, TaskDesk, TaskJudge, WholeTask } from "./task.ts";

/** Counts one; false when it is one too many. */
interface Counted {
  take(): boolean;
}

export interface TaskDeskDeps {
  readonly judge: TaskJudge;
  readonly inbox: Inbox;
  readonly inTurn: InTurn;
  readonly minutes: { readonly tasks: Counted; readonly taskLines: Counted };
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** Takes changes and their parts, and has each judged once it is whole. This version applies none: one that is right is refused too. */
export function openTaskDesk(deps: TaskDeskDeps): TaskDesk {
  const { inbox, inTurn, minutes, log } = deps;
  const note = (what: string, error: unknown, name: string) => {
    const code = isFault(error) ? error.code : "defect";
    if (minutes.taskLines.take()) log(`${what} was refused: ${code}: ${name}`);
  };
  return {
    submit: async (task) => {
      try {
        if (!minutes.tasks.take()) throw fault("local.limit", "more changes were submitted in a minute than are taken");
        return await inTurn(["task"], () => takeTurn(deps, task));
      } catch (error) {
        note("a change", error, task.task);
        throw error;
      }
    },
    put: async (piece) => {
      try {
        inbox.put(piece);
      } catch (error) {
        note("a part of a change", error, piece.sha256);
        throw error;
      }
    },
  };
}

async function takeTurn(deps: TaskDeskDeps, task: AnnouncedTask): ReturnType<TaskDesk["submit"]> {
  const { judge, inbox } = deps;
  try {
    const missing = await findMissing(deps, task);
    if (missing.length > 0) return { missing };
  } catch (error) {
    inbox.clear();
    throw error;
  }
  const whole = wholeOf(inbox, task);
  // Whatever the verdict is, a change that is sent again brings its parts again.
  inbox.clear();
  await judge.judge(whole);
  throw fault("apply.absent", "expected a version that applies changes, found one that judges them and stops there");
}

async function findMissing({ judge, inbox }: TaskDeskDeps, task: AnnouncedTask) {
  await judge.admit(task);
  checkParts(task.parts);
  return inbox.expect(partsOf(task.parts));
}

function wholeOf(inbox: Inbox, { parts, ...announced }: AnnouncedTask): WholeTask {
  return {
    ...announced,
    header: inbox.get(parts.header),
    digests: inbox.get(parts.digests),
    section: inbox.get(parts.section),
    approvals: inbox.get(parts.approvals),
  };
}
