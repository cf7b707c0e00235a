import { statSync } from "node:fs";
import type { AskHelper } from "../local/ask-helper.ts";
import { askFacts } from "./ask-facts.ts";
import type { HostEvents } from "./host-events.ts";
import { reasonOf } from "./reason-of.ts";

/** What the server is told of this host: asked from the helper, and again when root has set something else. */
export interface ToldFacts {
  /** While the helper is still at it: once more afterwards, however many connections ask. It has places for eight questions. */
  ask(): Promise<void>;
  /** Asks only when a file of root's is another one than when facts came last. */
  lookAtFiles(): void;
}

export interface ToldFactsDeps {
  readonly ask: AskHelper;
  /** What root of the host decides: the ceiling, and whom it believes. */
  readonly files: readonly string[];
  readonly events: Pick<HostEvents, "ceiling">;
  readonly tell: (about: string, text: string) => void;
  /** Which logs root lets be sent, whether the server was told before or not. */
  readonly listLogs: (logs: readonly string[]) => void;
  readonly log: (line: string) => void;
}

export function openToldFacts(deps: ToldFactsDeps): ToldFacts {
  /** What the files were when facts were asked for; undefined until they came. */
  let seen: string | undefined;
  let untold = "";
  let isAsking = false;
  let isAskedAgain = false;
  const read = async () => {
    seen = stampOf(deps.files);
    try {
      const { about, text, ceiling, logs } = await askFacts(deps.ask);
      deps.tell(about, text);
      deps.listLogs(logs);
      untold = "";
      await deps.events.ceiling(ceiling);
    } catch (error) {
      // The connection stands without them. `ceiling set` ends a helper that may be at it: the next beat asks again.
      seen = undefined;
      const { code, detail } = reasonOf(error);
      const line = `the server was not told about this host: ${code}: ${detail}`;
      if (line !== untold) deps.log(line);
      untold = line;
    }
  };
  const ask = async (): Promise<void> => {
    isAskedAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    await read();
    isAsking = false;
    if (isAskedAgain) await ask();
  };
  return {
    ask,
    lookAtFiles: () => {
      if (stampOf(deps.files) !== seen) void ask();
    },
  };
}

/** The ceiling is root's alone; that a file is another one can be seen all the same. */
function stampOf(files: readonly string[]): string {
  return files
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false, bigint: true });
      return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeNs}`;
    })
    .join(", ");
}
