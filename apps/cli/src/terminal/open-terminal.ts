import { closeSync, openSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ReadStream } from "node:tty";
import { inert, UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { editLine } from "./edit-line.ts";
import type { Terminal } from "./terminal.ts";

/** The terminal of the process itself: it is there to ask also when the three standard streams go elsewhere. */
const device = "/dev/tty";
/** More than any number of passwords. */
const inputLimit = 64 * 1024;

export function openTerminal(): Terminal {
  let ahead = "";
  return {
    show: async (lines) => {
      const file = await openDevice();
      try {
        await file.write(lines.map((line) => `${inert(line)}\n`).join(""));
      } finally {
        await file.close();
      }
    },
    ask: async (question) => {
      const file = await openDevice();
      try {
        await file.write(inert(question));
        // The terminal hands over whole lines: it lets people correct them, and keeps what follows for the next question.
        const { bytesRead, buffer } = await file.read(Buffer.alloc(4_096));
        if (bytesRead === 0) throw cancelled();
        return buffer.toString("utf8", 0, bytesRead).trim();
      } finally {
        await file.close();
      }
    },
    askHidden: async (question) => {
      const keyboard = openKeyboard();
      try {
        const { text, rest } = await readHidden(keyboard, question, ahead);
        ahead = rest;
        return text;
      } finally {
        keyboard.close();
      }
    },
    readStandardInput: (most = inputLimit) => readAll(process.stdin, most),
  };
}

function openDevice(): Promise<FileHandle> {
  return open(device, "r+").catch((cause: unknown) => {
    throw noTerminal(cause);
  });
}

interface Keyboard {
  readonly keys: ReadStream;
  write(text: string): void;
  close(): void;
}

/** Raw from the first moment on: the terminal shows nothing of what is typed, before the question or after it. */
function openKeyboard(): Keyboard {
  let screen: number;
  let keys: ReadStream;
  try {
    screen = openSync(device, "w");
    keys = new ReadStream(openSync(device, "r"));
    keys.setRawMode(true);
  } catch (cause) {
    throw noTerminal(cause);
  }
  return {
    keys,
    write: (text) => void writeSync(screen, text),
    close: () => {
      keys.setRawMode(false);
      keys.destroy();
      writeSync(screen, "\n");
      closeSync(screen);
    },
  };
}

function readHidden(keyboard: Keyboard, question: string, ahead: string) {
  return new Promise<{ text: string; rest: string }>((resolve, reject) => {
    const { keys } = keyboard;
    let text = "";
    const take = (typed: string) => {
      const line = editLine(text, typed);
      if (line.state === "entered") resolve(line);
      else if (line.state === "cancelled") reject(cancelled());
      else text = line.text;
    };
    keys.setEncoding("utf8");
    keys.on("data", take);
    // The window was closed.
    keys.on("error", () => reject(cancelled()));
    keys.on("end", () => reject(cancelled()));
    keyboard.write(inert(question));
    take(ahead);
  });
}

async function readAll(input: NodeJS.ReadStream, most: number): Promise<string> {
  if (input.isTTY)
    throw new UsageError(
      "standard input must be a file or a pipe for the option that reads it; on a terminal leave it out",
    );
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > most) throw new UsageError(`standard input holds more than ${most} bytes`);
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new UsageError("standard input is not UTF-8");
  }
}

function noTerminal(cause: unknown): Error {
  return fault("cli.no_terminal", "a person has to be asked", { cause });
}

function cancelled(): Error {
  return fault("cli.cancelled", "no line was entered");
}
