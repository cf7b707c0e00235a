import { readSync } from "node:fs";
import { isatty } from "node:tty";
import { openScreen } from "./open-screen.ts";

/** Asks whoever sits at the terminal for one line; undefined when there will be none. */
export type AskPerson = (question: string) => string | undefined;

/** Undefined where standard input is no terminal: what comes from a file or a pipe was not typed by anybody. */
export function findPerson(): AskPerson | undefined {
  if (!isatty(0)) return undefined;
  const screen = openScreen(2);
  return (question) => {
    screen.write(question);
    return readLine((byte) => readSync(0, byte));
  };
}

/** Far above what anybody is asked for. */
const mostBytes = 1_024;

/** Byte by byte, so that nothing of the next line is taken. */
export function readLine(read: (byte: Uint8Array) => number): string | undefined {
  const bytes: number[] = [];
  const byte = new Uint8Array(1);
  while (bytes.length < mostBytes && read(byte) === 1) {
    const [value = 0] = byte;
    if (value === 0x0a) return Buffer.from(bytes).toString("utf8");
    bytes.push(value);
  }
  return undefined;
}
