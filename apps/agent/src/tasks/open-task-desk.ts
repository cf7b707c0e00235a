import type { InTurn } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { checkParts, partsOf } from "./check-parts.ts";
import type { Inbox } from "./open-inbox.ts";
import type { AnnouncedTask, TaskDesk, TaskJudge, TaskTaker, WholeTask } from "./task.ts";

/** Counts one; false when it is one too many. */
interface Counted {
  take(): boolean;
}

export interface TaskDeskDeps {
  readonly judge: TaskJudge;
  readonly changes: TaskTaker;
  readonly inbox: Inbox;
  readonly inTurn: InTurn;
  readonly minutes: { readonly tasks: Counted; readonly taskLines: Counted };
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** Takes changes and their parts, has each judged once it is whole, and begins the one that is right. */
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
  const { judge, changes, inbox } = deps;
  try {
    await judge.admit(task);
    const taken = await changes.find(task.task);
    if (taken !== undefined) return { missing: [], taken };
    checkParts(task.parts);
    const missing = inbox.expect(partsOf(task.parts));
    if (missing.length > 0) return { missing };
  } catch (error) {
    inbox.clear();
    throw error;
  }
  const whole = wholeOf(inbox, task);
  // Whatever the verdict is, a change that is sent again brings its parts again.
  inbox.clear();
  await changes.begin(await judge.judge(whole));
  return { missing: [], taken: { ended: undefined } };
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
