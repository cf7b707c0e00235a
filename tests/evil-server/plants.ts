import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@gatehouse/base";
import type { Dial, DialEvents } from "../../apps/agent/src/control/dial.ts";
import type { AgentPaths } from "../../apps/agent/src/config.ts";
import type { AskHelper, HelperVerbName } from "../../apps/agent/src/local/ask-helper.ts";
import type { Stage } from "./evil-case.ts";
import type { Harm } from "./harms.ts";

/**
 * A weakness that no agent has: a frame type that does something. They are composed around the real parts, in this suite alone, so that
 * the judge shows that it would find them.
 */
export interface Plant {
  readonly name: string;
  /** The frame that wakes it, and where the connection has to be. */
  readonly type: string;
  readonly stage: Stage;
  /** As what it has to be found, and some words of it. */
  readonly harm: Harm;
  readonly words: string;
  readonly act: (around: PlantGround) => Promise<void> | void;
}

interface PlantGround {
  readonly paths: AgentPaths;
  readonly ask: AskHelper;
}

/** The one verb more that the planted helper has. */
const writeVerb = "planted.write" as HelperVerbName;

/** What the planted helper has become. */
const grown = { tellsAll: false };

/** The last one ends the agent, and the one before it leaves a mark on all that the host signs afterwards: they stay the last. */
export const plants: readonly Plant[] = [
  {
    name: "a task writes a file through a verb of the helper",
    type: "task",
    stage: "open",
    harm: "changed",
    words: "host/etc/nginx/evil.conf has come",
    act: async ({ ask }) => void (await ask(writeVerb, { path: "etc/nginx/evil.conf", text: "evil\n" })),
  },
  {
    name: "a statement before the welcome changes a mode",
    type: "statement",
    stage: "between",
    harm: "changed",
    words: "host/etc/shadow was a file, mode 600",
    act: ({ paths }) => chmodSync(join(paths.root, "etc/shadow"), 0o644),
  },
  {
    name: "a head in place of a challenge removes a file",
    type: "head",
    stage: "first",
    harm: "changed",
    words: "host/etc/cron.d/backup is gone",
    act: ({ paths }) => rmSync(join(paths.root, "etc/cron.d/backup"), { force: true }),
  },
  {
    name: "the end of a pull behind the goodbye writes a file as it was",
    type: "pull-end",
    stage: "gone",
    harm: "changed",
    words: "host/etc/passwd was",
    act: ({ paths }) => writeFileSync(join(paths.root, "etc/passwd"), readFileSync(join(paths.root, "etc/passwd"))),
  },
  {
    name: "a question about the host is answered whatever the ceiling says",
    type: "want-state",
    stage: "open",
    harm: "answered",
    words: "want-state was answered state",
    act: () => void (grown.tellsAll = true),
  },
  {
    name: "a wish for a log starts a program",
    type: "want-log",
    stage: "open",
    harm: "started",
    words: "a process was started and has ended",
    act: () => void spawnSync("/bin/true", { env: {} }),
  },
  {
    name: "a channel key has another one signed by the helper",
    type: "channel-key",
    stage: "open",
    harm: "asked",
    words: "channel.sign",
    act: async ({ ask }) => void (await ask("channel.sign", { channelKey: "A".repeat(43) }).catch(() => undefined)),
  },
  {
    name: "a trust file raises the ceiling through a verb of the helper",
    type: "trust",
    stage: "open",
    harm: "changed",
    words: "host/etc/gatehouse/ceiling.json",
    act: async ({ ask }) => {
      const text = '{"schema":1,"level":"managed","allow":["file.write:/etc"]}\n';
      await ask(writeVerb, { path: "etc/gatehouse/ceiling.json", text });
    },
  },
  {
    name: "a rewind ends the agent",
    type: "out-rewind",
    stage: "open",
    harm: "lost",
    words: "has ended with 0",
    act: () => process.exit(0),
  },
];

/** A connection whose frames wake the plants before the agent itself hears of them. */
export function plantedDial(dial: Dial, around: PlantGround): Dial {
  return (server, on) => {
    let heard = 0;
    let isGone = false;
    let closing: NodeJS.Timeout | undefined;
    let [waiting, last] = [0, Promise.resolve()];
    // In the order in which they came, and at once as long as nothing is under way.
    const inTurn = (work: () => Promise<void> | void) => {
      const isFree = waiting === 0;
      waiting += 1;
      const done = isFree ? Promise.resolve(work()) : last.then(work);
      last = done.finally(() => (waiting -= 1));
    };
    const events: DialEvents = {
      opened: (...words) => on.opened(...words),
      message: (data) => {
        const stage = isGone ? "gone" : ((["first", "between"] as const)[heard] ?? "open");
        heard += 1;
        const acted = plants.find((each) => each.stage === stage && isNamed(data, each.type))?.act(around);
        // Behind the goodbye the next connection is under way already: nothing waits.
        if (stage === "gone") return;
        if (acted === undefined && waiting === 0) return on.message(data);
        inTurn(() => acted);
        inTurn(() => on.message(data));
      },
      closed: (...words) => {
        clearTimeout(closing);
        return waiting === 0 ? on.closed(...words) : inTurn(() => on.closed(...words));
      },
    };
    const dialled = dial(server, events);
    return {
      ...dialled,
      // The server closes when it has sent all. What comes behind the goodbye is heard until then.
      close: (...words) => {
        isGone = true;
        closing = setTimeout(() => dialled.close(...words), 5_000);
      },
    };
  };
}

type Answer = (verb: string, fields: JsonObject) => Promise<JsonObject>;

/** A helper with one verb more, which writes wherever it is told; and which may come to answer every question. */
export function plantedAnswer(answer: Answer, { root }: Pick<AgentPaths, "root">): Answer {
  return async (verb, fields) => {
    if (verb === "state.read" && grown.tellsAll) return { signed: "AAAA" };
    if (verb !== writeVerb) return answer(verb, fields);
    const { path, text } = fields as { readonly path: string; readonly text: string };
    writeFileSync(join(root, path), text, { mode: 0o600 });
    return {};
  };
}

function isNamed(data: string | Uint8Array, type: string): boolean {
  return typeof data === "string" && data.startsWith(`{"t":"${type}"`);
}
