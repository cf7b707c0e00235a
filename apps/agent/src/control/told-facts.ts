import { statSync } from "node:fs";
import type { AskHelper } from "../local/ask-helper.ts";
import { askFacts } from "./ask-facts.ts";
import type { HostEvents } from "./host-events.ts";
import { reasonOf } from "./reason-of.ts";

/** What the server is told of this host: asked from the helper, and again when the ceiling is another one. */
export interface ToldFacts {
  ask(): Promise<void>;
  /** Asks only when the ceiling's file is another one than when facts came last. */
  lookAtCeiling(): void;
}

export interface ToldFactsDeps {
  readonly ask: AskHelper;
  readonly ceilingFile: string;
  readonly events: Pick<HostEvents, "ceiling">;
  readonly tell: (about: string, text: string) => void;
  readonly log: (line: string) => void;
}

export function openToldFacts(deps: ToldFactsDeps): ToldFacts {
  /** What the file was when facts were asked for; undefined until they came. */
  let seen: string | undefined;
  let untold = "";
  const ask = async () => {
    seen = stampOf(deps.ceilingFile);
    try {
      const { about, text, ceiling } = await askFacts(deps.ask);
      deps.tell(about, text);
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
  return {
    ask,
    lookAtCeiling: () => {
      if (stampOf(deps.ceilingFile) !== seen) void ask();
    },
  };
}

/** The file is root's alone; that it is another one can be seen all the same. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeNs}`;
}
