import { mostToldLength } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import { type LogTail, logWords } from "@gatehouse/plan";
import type { RunOnHost } from "../host/run-on-host.ts";
import { answerWithin } from "./answer-within.ts";
import { failedProgram } from "./failed-program.ts";
import type { HostReading } from "./host-operation.ts";
import { openPlainFile } from "./read-plain-file.ts";
import { visibleLine } from "./visible-line.ts";

/** Of a file only its end is read, however large it is. */
const mostReadBytes = 256 * 1024;
/** A file with a second name may be one that is not in the ceiling. */
const rules = { mostBytes: Number.POSITIVE_INFINITY, isLinkedOften: false };

/** The last lines of a log, within what may be told. What cannot be read is told by its code. */
export const tailLog: HostReading<"log.tail"> = {
  read: async ({ root, run }, { source, lines }, { mostBytes, mostMs }) => {
    const bounded: RunOnHost = (program, words) => run(program, words, mostMs);
    const work = () => (source.from === "file" ? readEnd(root, source.path) : askJournal(bounded, source, lines));
    try {
      const all = await answerWithin(mostMs, work);
      const told = newestLines(all.slice(-lines), mostBytes);
      return told.length === 0 && all.length > 0 ? { lines: [], code: "read.limit" } : { lines: told };
    } catch (error) {
      return { lines: [], code: isFault(error) ? error.code : "state.unreadable" };
    }
  },
};

type JournalSource = Extract<LogTail["source"], { from: "journal" }>;

async function askJournal(run: RunOnHost, { unit }: JournalSource, lines: number): Promise<string[]> {
  const ran = await run("journalctl", logWords(unit, lines));
  if (ran.code !== 0) throw failedProgram("journalctl", ran);
  return splitLines(ran.stdout);
}

async function readEnd(root: string, path: string): Promise<string[]> {
  const opened = await openPlainFile(root, path, rules);
  if (opened === null) throw fault("state.unreadable", `expected ${path}, found none`);
  const { handle, found } = opened;
  try {
    const from = Math.max(0, Number(found.size) - mostReadBytes);
    const bytes = new Uint8Array(mostReadBytes);
    const { bytesRead } = await handle.read(bytes, 0, mostReadBytes, from);
    const lines = splitLines(new TextDecoder().decode(bytes.subarray(0, bytesRead)));
    // The first is the end of a line that began before: told only where there is no other.
    return from === 0 || lines.length === 1 ? lines : lines.slice(1);
  } finally {
    await handle.close();
  }
}

/** What follows the last line feed is a line only when something is there. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What stands around each line in a byte form: its indent, a comma and a line feed. */
const aroundLine = 12;

/** As many as there is room for, the newest kept. */
function newestLines(all: readonly string[], mostBytes: number): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of all.toReversed()) {
    const shown = visibleLine(line, mostToldLength);
    bytes += Buffer.byteLength(JSON.stringify(shown)) + aroundLine;
    if (bytes > mostBytes) break;
    kept.push(shown);
  }
  return kept.toReversed();
}
