import type { HostLogLine } from "@gatehouse/contract/routes";

/** What is asked for: the newest, or what arrived behind a line and is nearest to it. */
export interface FollowQuestion {
  readonly after?: string;
  readonly limit: number;
}

export interface FollowAnswer {
  readonly items: readonly HostLogLine[];
  /** Up to here everything was looked at, also what was not meant. */
  readonly position: string;
}

export interface FollowLogsDeps {
  readonly read: (question: FollowQuestion) => Promise<FollowAnswer>;
  /** Resolves when the next question is due; rejects when nobody follows any more. */
  readonly wait: (ms: number) => Promise<void>;
  readonly tell: (news: FollowNews) => void;
  /** Whether the same question may yet be answered. */
  readonly mayPass: (error: unknown) => boolean;
}

export type FollowNews =
  | ({ readonly kind: "began" | "came" | "skipped" } & FollowAnswer)
  /** Asked again by itself. */
  | { readonly kind: "late"; readonly error: unknown };

export const followPace = { everyMs: 2_000, lateMs: 5_000, firstLines: 200, pageLines: 500, pagesAtOnce: 4 } as const;

/**
 * Asks for what is new, over and over. Answers that are full are followed by the next question at once, a few times; where hosts
 * write more than that, it goes on with the newest and says that some were skipped. It ends by the refusal that it throws, or by
 * that of `wait`.
 */
export async function followLogs(position: string | undefined, deps: FollowLogsDeps): Promise<never> {
  let last = position;
  for (;;) {
    let pause: number = followPace.everyMs;
    try {
      last = last === undefined ? await begin(deps) : await goOn(last, deps);
    } catch (error) {
      if (!deps.mayPass(error)) throw error;
      deps.tell({ kind: "late", error });
      pause = followPace.lateMs;
    }
    await deps.wait(pause);
  }
}

async function begin({ read, tell }: FollowLogsDeps): Promise<string> {
  const answer = await read({ limit: followPace.firstLines });
  tell({ kind: "began", ...answer });
  return answer.position;
}

async function goOn(from: string, { read, tell }: FollowLogsDeps): Promise<string> {
  let last = from;
  for (let page = 0; page < followPace.pagesAtOnce; page += 1) {
    const answer = await read({ after: last, limit: followPace.pageLines });
    tell({ kind: "came", ...answer });
    last = answer.position;
    if (answer.items.length < followPace.pageLines) return last;
  }
  const answer = await read({ limit: followPace.pageLines });
  const oldest = Number(answer.items.at(-1)?.id ?? 0);
  tell({ kind: oldest > Number(last) + 1 ? "skipped" : "came", ...answer });
  return answer.position;
}
