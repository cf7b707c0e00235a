import type { RunningServer } from "./server-under-test.ts";

/** What a line of the server's log says, in either of its two forms. */
export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const text = /^(\S+) (info|warn|error) +(.*?)((?: [A-Za-z]\w*=(?:"(?:[^"\\]|\\.)*"|\S+))*)$/;

export function parseLogLine(line: string): LogLine {
  if (line.startsWith("{")) {
    const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
    return { time: String(time), level: String(level), message: String(message), fields };
  }
  const [, time = "", level = "", message = "", pairs = ""] = text.exec(line) ?? [];
  if (time === "") throw new Error(`not a line of the log: ${line}`);
  const fields: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of pairs.matchAll(/ (\w+)=("(?:[^"\\]|\\.)*"|\S+)/g)) {
    fields[name] = value.startsWith('"') ? JSON.parse(value) : /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  return { time, level, message, fields };
}

/** The line about one request; the server writes it when it has answered, so it may come a moment later. */
export async function lineOfRequest(server: RunningServer, requestId: unknown): Promise<LogLine> {
  return parseLogLine(await server.log.waitFor(new RegExp(`requestId=${String(requestId)}|"${String(requestId)}"`)));
}

/** The client address that the log names for a request. */
export async function addressInLog(server: RunningServer, requestId: unknown): Promise<unknown> {
  return (await lineOfRequest(server, requestId)).fields["address"];
}
