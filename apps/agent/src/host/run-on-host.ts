import { execFile } from "node:child_process";

export interface HostRun {
  /** The exit code, or null when there is no such program or it was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was ended before its end: it took too long, or said too much. */
  readonly cut?: "time" | "size";
}

/** Starts a program of this host and waits for it, no longer than `mostMs` where that is given. */
export type RunOnHost = (program: string, args: readonly string[], mostMs?: number) => Promise<HostRun>;

/** Where the host's own programs are; nothing of the caller's environment reaches them. */
export const hostEnvironment = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  SYSTEMD_COLORS: "0",
  // Older versions colour what they complain about whoever reads it.
  SYSTEMD_LOG_COLOR: "0",
  SYSTEMD_PAGER: "",
};

const unsaidMs = 120_000;

/** The only way the agent starts programs: by name and arguments, never through a shell. */
export const runOnHost: RunOnHost = (program, args, mostMs = unsaidMs) =>
  new Promise((done) => {
    const options = {
      env: hostEnvironment,
      encoding: "utf8",
      timeout: mostMs,
      // A program that would rather not end is not asked.
      killSignal: "SIGKILL",
      maxBuffer: 4 * 1024 * 1024,
    } as const;
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      const said = { stdout, stderr: stderr === "" && code === null ? (error?.message ?? "") : stderr };
      const cut = error === null || code !== null ? undefined : cutOf(error);
      done(cut === undefined ? { code, ...said } : { code, ...said, cut });
    });
  });

/** A host without any program. */
export const runNothing: RunOnHost = async () => ({ code: null, stdout: "", stderr: "there is no program" });

function cutOf({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): HostRun["cut"] {
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "size";
  return killed === true ? "time" : undefined;
}
