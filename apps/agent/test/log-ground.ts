import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { manualClock } from "@gatehouse/base";
import type { Ceiling } from "../src/ceiling/ceiling.ts";
import { openSentLogs, type SentLogsAnswer } from "../src/operations/read-sent-logs.ts";
import { FakeJournal } from "./fake-journal.ts";
import { makeHostDirectory } from "./host-directory.ts";

/** So long whoever writes takes for each write. */
const writeMs = 1_000;

/** A host with logs, and what reads those that its root lists. Every file says the time of the test's clock. */
export function makeLogGround(...logs: string[]) {
  const host = makeHostDirectory();
  // Every file is made after that, whatever the machine says of the day.
  const clock = manualClock(Date.UTC(2001, 0, 1));
  const journal = new FakeJournal(() => clock.now());
  const held: { ceiling: Ceiling } = { ceiling: { schema: 1, level: "monitor", send: { logs } } };
  const read = openSentLogs({ root: host.root, readLines: journal.readLines, clock, readCeiling: () => held.ceiling });
  const at = (path: string) => join(host.root, path);
  const stamp = (path: string) => utimesSync(at(path), clock.now() / 1_000, clock.now() / 1_000);
  const append = (path: string, text: string | Uint8Array) => {
    clock.advance(writeMs);
    mkdirSync(dirname(at(path)), { recursive: true });
    appendFileSync(at(path), text);
    stamp(path);
  };
  /** Asks with the places of the answer before. */
  const follow = (sources: readonly string[] = logs) => {
    let places: readonly (string | null)[] = sources.map(() => null);
    return async (lines = 200, skip = false): Promise<SentLogsAnswer> => {
      const answer = await read({
        sources: sources.map((source, n) => ({ source, cursor: places[n] ?? null })),
        lines,
        skip,
      });
      places = answer.cursors;
      return answer;
    };
  };
  return { host, clock, journal, held, read, at, append, follow, ...rotations(at) };
}

function rotations(at: (path: string) => string) {
  const numbered = (path: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    const names = readdirSync(dirname(at(path))).filter((name) => name.startsWith(`${basename(path)}.`));
    return names.map((name) => Number(name.slice(basename(path).length + 1))).toSorted((one, other) => other - one);
  };
  return {
    /** As logrotate does, without making a new file. */
    rotate: (path: string, most = 9) => {
      for (const n of numbered(path)) {
        if (n >= most) unlinkSync(`${at(path)}.${n}`);
        else renameSync(`${at(path)}.${n}`, `${at(path)}.${n + 1}`);
      }
      if (statSync(at(path), { throwIfNoEntry: false }) !== undefined) renameSync(at(path), `${at(path)}.1`);
    },
    empty: (path: string) => truncateSync(at(path)),
  };
}

export const textsOf = ({ lines }: Pick<SentLogsAnswer, "lines">): string[] => lines.map(({ text }) => text);
