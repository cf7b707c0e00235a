import { execFile } from "node:child_process";

export interface HostRun {
  /** The exit code, or null when there is no such program or it was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program of this host and waits for it. */
export type RunOnHost = (program: string, args: readonly string[]) => Promise<HostRun>;

/** Where the host's own programs are; nothing of the caller's environment reaches them. */
export const hostEnvironment = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  SYSTEMD_COLORS: "0",
  SYSTEMD_PAGER: "",
};

/** The only way the agent starts programs: by name and arguments, never through a shell. */
export const runOnHost: RunOnHost = (program, args) =>
  new Promise((done) => {
    const options = { env: hostEnvironment, encoding: "utf8", timeout: 120_000, maxBuffer: 4 * 1024 * 1024 } as const;
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      done({ code, stdout, stderr: stderr === "" && code === null ? (error?.message ?? "") : stderr });
    });
  });
