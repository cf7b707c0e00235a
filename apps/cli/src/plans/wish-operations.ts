import { UsageError } from "@gatehouse/command-line";
import { type LogTail, type Operation, operation, operations } from "@gatehouse/plan";
import { readInput } from "../files/read-input.ts";

/** What a person asks for on the command line. */
export interface OperationWish {
  readonly restart: readonly string[];
  /** `PATH=FILE` */
  readonly write: readonly string[];
  /** `PATH=ARTIFACT` */
  readonly replace: readonly string[];
  /** A release, as a person named it. */
  readonly updateAgent: string | undefined;
  /** Paths, and names of units. */
  readonly readLog: readonly string[];
  /** Of each log. */
  readonly lines: string | undefined;
  readonly mode: string | undefined;
  readonly owner: string | undefined;
  readonly group: string | undefined;
}

/** A program that is to stand at a path, by an artifact as a person named it. */
export interface WishedProgram {
  readonly path: string;
  readonly artifact: string;
}

/** The same of the agent itself. */
export interface WishedRelease {
  readonly release: string;
}

/** What needs a look at the server is left open. */
export type WishedOperation = Operation | WishedProgram | WishedRelease;

/** The largest text of a file, if every character took four bytes. */
const mostBytes = 4 * 64 * 1024;

/** Lines of a log that are read unless somebody asks for another number. */
export const unsaidLines = 50;

/**
 * Operations of a person: files are written first, then programs replaced, and services restarted afterwards, so that they read and are what
 * was brought; logs are read last, so that they say what came of it. An update of the agent is alone.
 */
export async function readOperations(wish: OperationWish, topic: string): Promise<WishedOperation[]> {
  if (wish.updateAgent !== undefined) return [{ release: wish.updateAgent }];
  const { mode = "0644", owner = "root", group = "root" } = wish;
  const writes: Operation[] = [];
  for (const pair of wish.write) {
    const [path, file] = splitPair(pair, "--write takes PATH=FILE: a path on the hosts, and a file here", topic);
    const text = decode(await readInput(file, { what: "--write", topic, most: mostBytes }), file, topic);
    writes.push(parseOperation({ kind: "file.write", path, text, mode, owner, group }, pair, topic));
  }
  const programs = wish.replace.map((pair) => readProgram(pair, topic));
  const restarts = wish.restart.map((unit) => parseOperation({ kind: "service.restart", unit }, unit, topic));
  const lines = parseLines(wish.lines, topic);
  const readings = wish.readLog.map((log) =>
    parseOperation({ kind: "log.tail", source: sourceOf(log), lines }, log, topic),
  );
  return [...writes, ...programs, ...restarts, ...readings];
}

/** Of the pair only the path can be judged here. */
function readProgram(pair: string, topic: string): WishedProgram {
  const form = "--replace takes PATH=ARTIFACT: a path on the hosts, and an artifact of the server";
  const [path, artifact] = splitPair(pair, form, topic);
  const read = operations["binary.replace"].schema.shape.path.safeParse(path);
  if (read.success) return { path, artifact };
  throw new UsageError(`${quoted(pair)}: path ${read.error.issues[0]?.message ?? "is not taken"}`, topic);
}

function sourceOf(log: string): LogTail["source"] {
  return log.startsWith("/") ? { from: "file", path: log } : { from: "journal", unit: log };
}

function parseLines(text: string | undefined, topic: string): number {
  if (text === undefined) return unsaidLines;
  if (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 10_000) return Number(text);
  throw new UsageError(`--lines must be a whole number from 1 to 10000; found ${quoted(text)}`, topic);
}

const titleLength = 120;
const summaryLength = 500;

/** A title and a summary of what is to be done, for whoever gave none. */
export function nameOperations(all: readonly Operation[]): { readonly title: string; readonly summary: string } {
  const acts = all.map(actOf);
  const [first = ""] = acts;
  const listed = acts.map((act, index) => (index === 0 ? act : act.charAt(0).toLowerCase() + act.slice(1))).join(", ");
  const short = listed.length <= titleLength || acts.length === 1 ? listed : `${first} and ${acts.length - 1} more`;
  return { title: cut(short, titleLength), summary: cut(`${acts.join(". ")}.`, summaryLength) };
}

function actOf(one: Operation): string {
  if (one.kind === "service.restart") return `Restart ${one.unit}`;
  if (one.kind === "binary.replace") return `Replace ${one.path} by ${one.name} ${one.version}`;
  if (one.kind === "agent.update") return `Update the agent to ${one.version}`;
  if (one.kind === "log.tail") return `Read ${one.source.from === "file" ? one.source.path : one.source.unit}`;
  return one.kind === "file.write" ? `Write ${one.path}` : one.kind;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

function splitPair(pair: string, form: string, topic: string): [path: string, of: string] {
  const at = pair.indexOf("=");
  const [path, of] = [pair.slice(0, at), pair.slice(at + 1)];
  if (at > 0 && of !== "") return [path, of];
  throw new UsageError(`${form}; found ${quoted(pair)}`, topic);
}

function decode(bytes: Uint8Array, file: string, topic: string): string {
  try {
    // What a reviewer reads is what is written: a mark at the beginning would be lost otherwise.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`--write: ${quoted(file)} is not UTF-8`, topic);
  }
}

/** Refused here by its field, before any host is asked. */
function parseOperation(wish: Operation, given: string, topic: string): Operation {
  const read = operation.safeParse(wish);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`${quoted(given)}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not taken"}`, topic);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
