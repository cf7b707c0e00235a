import { channelLimits, pieceHeadLength, writePiece } from "@gatehouse/channel";
import type { EvilCase } from "../evil-case.ts";
import { sampleTask } from "../evil-types.ts";
import type { Found } from "./found.ts";
import { inTurn } from "./in-turn.ts";
import { planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";

function open(name: string, ...messages: readonly (string | Uint8Array)[]): EvilCase {
  return { name, stage: "open", make: () => messages };
}

const all = (ground: RowGround, texts: readonly (string | Uint8Array)[]): Promise<Found[]> =>
  inTurn(texts, (text) => ground.connect(open("a frame", text)));

const asText = (value: object) => JSON.stringify(value);

export const frames: RowFamily = {
  name: "frames",
  control: {
    does: "acknowledgements that are due, and then a goodbye; and a frame with a change that Ada has approved",
    expects: ["bye", "applied"],
    mayChange: usualChange,
    attack: async ({ connect, open: openHost }) => {
      const ended = await connect(open("nothing evil", '{"t":"beat-ack","seq":0}', '{"t":"out-ack","seq":0}'));
      const host = await openHost();
      return [ended, await host.carry(taskOf(host, await planFor(host)))];
    },
  },
  rows: [
    {
      row: 37,
      does: "types that nobody knows, of this version and of later ones",
      expects: "frame.unknown",
      attack: (ground) =>
        all(
          ground,
          ["exec", "task-now", "statement", "trust", "task-cancel", "__proto", "constructor", ""].map((t) =>
            asText({ t }),
          ),
        ),
    },
    {
      row: 38,
      does: "types that may be ignored, without end",
      expects: "frame.rate",
      attack: ({ connect }) =>
        connect(open("a flood", ...Array.from({ length: channelLimits.framesPerSecond + 1 }, () => '{"t":"~x"}'))),
    },
    {
      row: 39,
      does: "keys twice, a prototype, 2^53+1, half a character, depth without end",
      expects: "frame.malformed",
      attack: (ground) =>
        all(ground, [
          '{"t":"beat-ack","seq":0,"seq":0}',
          '{"__proto__":1,"t":"beat-ack","seq":0}',
          '{"t":"beat-ack","seq":9007199254740993}',
          '{"t":"bye","code":"\\ud800"}',
          "[".repeat(60_000),
          '{"t":"beat-ack","seq":0}x',
          "",
        ]),
    },
    {
      row: 40,
      does: "one byte above the size of a type, and of any",
      expects: "frame.too_large",
      attack: (ground) =>
        all(ground, [
          '{"t":"out-ack","seq":0}'.padEnd(129),
          asText(sampleTask).padEnd(16 * 1024 + 1),
          " ".repeat(channelLimits.frameBytes + 1),
        ]),
    },
    {
      row: 41,
      does: "types that only agents send",
      expects: "frame.unknown",
      attack: (ground) =>
        all(ground, [
          '{"t":"out","seq":1,"kind":"outcome","body":{}}',
          '{"t":"facts","signed":"AA","ceiling":"AA","addresses":[],"units":[]}',
          '{"t":"beat","seq":1,"at":1,"values":[]}',
          '{"t":"channel-key","signed":"AA"}',
          `{"t":"pull","request":1,"sha256":"${"0".repeat(64)}","offset":0,"length":1}`,
        ]),
    },
    {
      row: 42,
      does: "acknowledgements beyond the highest number",
      expects: "frame.malformed",
      attack: (ground) => all(ground, ['{"t":"out-ack","seq":1000}', '{"t":"beat-ack","seq":1000}']),
    },
    {
      row: 43,
      does: "acknowledgements of what was never stored",
      by: "apps/agent/src/control/outbox-channel.test.ts",
      name: "a server that has more than the agent knows of is believed up to the last, and one that has lost some gets them again",
    },
    {
      row: 44,
      does: "a rewind",
      expects: "frame.unknown",
      attack: ({ connect }) =>
        connect(open("a rewind", ...Array.from({ length: 10 }, () => '{"t":"out-rewind","from":0}'))),
    },
    {
      row: 46,
      does: "an answer to a pull that nobody asked for, and one above every size",
      expects: ["frame.malformed", "frame.malformed", "frame.too_large"],
      attack: (ground) =>
        all(ground, [
          writePiece({ request: 1, offset: 0, bytes: Uint8Array.of(1) }),
          '{"t":"pull-end","request":1,"reason":""}',
          new Uint8Array(pieceHeadLength + channelLimits.pullBytes + 1).fill(1),
        ]),
    },
    {
      row: 49,
      does: "a goodbye for as long as there is",
      expects: ["bye", "bye", "frame.malformed"],
      attack: (ground) =>
        all(ground, [
          '{"t":"bye","code":"evil.server"}',
          '{"t":"bye","code":"evil.server","retryAfter":3600}',
          '{"t":"bye","code":"evil.server","retryAfter":3601}',
        ]),
    },
    {
      row: 50,
      does: "task-cancel",
      expects: "frame.unknown",
      attack: ({ connect }) => connect(open("a cancel", asText({ t: "task-cancel", task: sampleTask.task }))),
    },
    {
      row: 51,
      does: "two questions under one request id, at once",
      by: "apps/agent/src/control/asked-frames.test.ts",
      name: "a second question while one is answered is refused and not kept; the first is answered",
    },
  ],
};
