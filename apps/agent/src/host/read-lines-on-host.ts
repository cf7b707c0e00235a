import { spawn } from "node:child_process";
import { hostEnvironment } from "./run-on-host.ts";

export interface LineBounds {
  readonly mostMs: number;
  /** Of all that is read; without it the time is the only bound. */
  readonly mostBytes?: number;
  /** A line that is longer ends the program: nothing of it is kept. */
  readonly mostLineBytes: number;
}

export interface HostLinesRun {
  /** The exit code, or null when there is no such program or it was ended. */
  readonly code: number | null;
  readonly stderr: string;
  /** Why it was ended before its end: it took too long, said too much, or whoever listened had heard enough. */
  readonly cut?: "time" | "size" | "enough";
}

/**
 * Starts a program of this host and gives its lines as they come, until `take` says that it is enough: then the program is killed.
 * Nothing is kept here but the line that is not whole yet.
 */
export type ReadLinesOnHost = (
  program: string,
  args: readonly string[],
  bounds: LineBounds,
  take: (line: string) => boolean,
) => Promise<HostLinesRun>;

const mostComplaint = 4 * 1024;

/** As every program of the host: by name and arguments, never through a shell, and with nothing of the caller's environment. */
export const readLinesOnHost: ReadLinesOnHost = (program, args, bounds, take) =>
  new Promise((done) => {
    const child = spawn(program, [...args], { env: hostEnvironment, stdio: ["ignore", "pipe", "pipe"] });
    let cut: HostLinesRun["cut"];
    let stderr = "";
    const end = (why: NonNullable<HostLinesRun["cut"]>) => {
      cut ??= why;
      child.kill("SIGKILL");
      // Whoever it has started may hold the other ends open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => end("time"), bounds.mostMs);
    const finish = (code: number | null, complaint = stderr) => {
      clearTimeout(timer);
      done(cut === undefined ? { code, stderr: complaint } : { code: null, stderr: complaint, cut });
    };
    const lines = splitChunks(bounds, take);
    child.stdout.on("data", (chunk: Buffer) => {
      const why = cut === undefined ? lines(chunk) : undefined;
      if (why !== undefined) end(why);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(0, mostComplaint);
    });
    child.on("error", (error) => finish(null, error.message));
    child.on("close", (code) => finish(code));
  });

/** A host without any program. */
export const readNoLines: ReadLinesOnHost = async () => ({ code: null, stderr: "there is no program" });

function splitChunks(
  { mostBytes = Number.POSITIVE_INFINITY, mostLineBytes }: LineBounds,
  take: (line: string) => boolean,
) {
  let open: Buffer[] = [];
  let [openBytes, bytes] = [0, 0];
  return (chunk: Buffer): "size" | "enough" | undefined => {
    let at = 0;
    for (let feed = chunk.indexOf(0x0a); feed !== -1; feed = chunk.indexOf(0x0a, at)) {
      const line = Buffer.concat([...open, chunk.subarray(at, feed)]);
      if (line.byteLength > mostLineBytes) return "size";
      bytes += line.byteLength + 1;
      [open, openBytes, at] = [[], 0, feed + 1];
      if (!take(line.toString("utf8"))) return "enough";
      if (bytes > mostBytes) return "size";
    }
    open.push(chunk.subarray(at));
    openBytes += chunk.byteLength - at;
    return openBytes > mostLineBytes || bytes + openBytes > mostBytes ? "size" : undefined;
  };
}
