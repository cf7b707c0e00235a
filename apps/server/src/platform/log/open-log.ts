import { type Clock, systemClock } from "@gatehouse/base";
import { describeCause } from "./describe-cause.ts";
import { oneLine } from "./one-line.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Three levels are enough: it happened, somebody should look, it failed. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields, cause?: unknown): void;
}

export interface OpenLogOptions {
  readonly format: "text" | "json";
  /** Takes one line with its line feed. Standard output by default. */
  readonly write?: (line: string) => void;
  readonly clock?: Clock;
}

type Level = keyof Log;
type Line = (time: string, level: Level, message: string, fields: LogFields) => string;

export function openLog(options: OpenLogOptions): Log {
  const { write = standardOutput(), clock = systemClock } = options;
  const line = lines[options.format];
  const event = (level: Level, message: string, fields: LogFields = {}) => {
    write(`${line(new Date(clock.now()).toISOString(), level, message, fields)}\n`);
  };
  return {
    info: (message, fields) => event("info", message, fields),
    warn: (message, fields) => event("warn", message, fields),
    error: (message, fields, cause) => {
      event("error", message, cause === undefined ? fields : { ...fields, cause: describeCause(cause) });
    },
  };
}

const lines: Readonly<Record<OpenLogOptions["format"], Line>> = {
  text: (time, level, message, fields) => {
    const pairs = given(fields).map(([name, value]) => ` ${oneLine(name)}=${textValue(value)}`);
    return `${time} ${level.padEnd(5)} ${oneLine(cut(message))}${pairs.join("")}`;
  },
  json: (time, level, message, fields) => {
    const shown = Object.fromEntries(given(fields).map(([name, value]) => [name, cut(value)]));
    // Fixed names come first to be read first, and last so that no field can pose as one of them.
    const fixed = { time, level, message: cut(message) };
    // JSON leaves some controls and separators as they are; escaping them keeps it JSON and makes it one line.
    return oneLine(JSON.stringify({ ...fixed, ...shown, ...fixed }));
  },
};

type Value = string | number | boolean;

function given(fields: LogFields): [string, Value][] {
  return Object.entries(fields).filter((pair): pair is [string, Value] => pair[1] !== undefined);
}

/** Quoted unless it is a plain word, so that no value can look like two fields. */
function textValue(value: Value): string {
  const text = cut(value);
  if (typeof text === "string" && !/^[\w./:@+-]+$/.test(text)) return oneLine(JSON.stringify(text));
  return String(text);
}

const longest = 16_384;

function cut<V extends Value>(value: V): V | string {
  if (typeof value !== "string" || value.length <= longest) return value;
  return `${value.slice(0, longest)}… (${value.length - longest} more)`;
}

/** A reader that went away must not end the server: its log is then lost, the audit log is not. */
function standardOutput(): (line: string) => void {
  process.stdout.on("error", () => undefined);
  return (line) => void process.stdout.write(line);
}
