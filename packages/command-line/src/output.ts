import type { JsonObject } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import type { LaterFinding, Report } from "./command.ts";
import type { Program } from "./program.ts";
import { UsageError } from "./usage-error.ts";

/** Where a program prints to; `process.stdout` is one. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface OutputStreams {
  readonly out: Screen;
  readonly err: Screen;
  /** Colours are for terminals only, and not for people who said no (NO_COLOR). */
  readonly colour: boolean;
}

/** Prints what a command found: text for people, or one JSON document for machines. Gives the exit code. */
export function printReport(streams: OutputStreams, report: Report, json: boolean): number {
  if (json) {
    streams.out.write(jsonLine({ ok: report.ok, ...report.json }));
  } else {
    const [answer = "", ...reasons] = report.lines.map(inert);
    const lines = [paint(streams, answer, report.ok ? 32 : 31), ...reasons];
    for (const note of report.notes ?? []) streams.err.write(`${inert(note)}\n`);
    streams.out.write(`${lines.join("\n")}\n`);
  }
  return report.exit ?? (report.ok ? 0 : 1);
}

export function printLater(streams: OutputStreams, { lines, json }: LaterFinding, asJson: boolean): void {
  streams.out.write(asJson ? jsonLine(json) : lines.map((line) => `${inert(line)}\n`).join(""));
}

/** Prints why there is no finding, and what to do about it. Gives the exit code. */
export function printFailure(program: Program, streams: OutputStreams, error: unknown, json: boolean): number {
  const failure = describe(program, error);
  if (json) {
    // Machines read one stream: a failure is a document there too, and the exit code says which it is.
    streams.out.write(jsonLine({ ok: false, error: failure }));
  } else {
    const { code, detail, todo } = failure;
    const lines = code === "defect" ? detail.split("\n").map(inert).join("\n") : inert(detail);
    streams.err.write(
      `${paint(streams, `${program.name}: ${inert(code)}:`, 31)} ${lines}\n  ${inert(program.hint?.(todo) ?? todo)}\n`,
    );
  }
  if (error instanceof UsageError) return 2;
  return (isFault(error) ? program.exitCodes?.[error.code] : undefined) ?? 1;
}

interface Failure extends JsonObject {
  readonly code: string;
  readonly detail: string;
  readonly todo: string;
}

function describe(program: Program, error: unknown): Failure {
  if (error instanceof UsageError) {
    const topic = error.topic === "" ? "" : `${error.topic} `;
    return { code: "usage", detail: error.message, todo: `See ${program.name} ${topic}--help` };
  }
  if (isFault(error)) {
    const detail = error.cause instanceof Error ? `${error.detail} (${error.cause.message})` : error.detail;
    return { code: error.code, detail, todo: error.todo ?? "See docs/errors.md" };
  }
  return {
    code: "defect",
    detail: describeDefect(program, error),
    todo: "This should not happen: please report it with the text above.",
  };
}

function describeDefect({ defects }: Program, error: unknown): string {
  if (!(error instanceof Error)) return "something that is not an error was thrown";
  return defects === "with-place" ? (error.stack ?? error.message) : `${error.name}: ${error.message}`;
}

/** What is printed may come from a damaged or hostile file: a terminal must not act on it. */
export function inert(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function jsonLine(document: JsonObject): string {
  // JSON leaves C1 controls and line separators as they are; escaped, they mean the same to a parser and nothing to a terminal.
  return `${inert(JSON.stringify(document))}\n`;
}

function paint(streams: OutputStreams, text: string, colour: number): string {
  return streams.colour ? `\u001b[${colour}m${text}\u001b[0m` : text;
}
