import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment } from "../support/child-environment.ts";
import { Lines } from "./driver/lines.ts";
import { baseUrlOf, root } from "./driver/process-driver.ts";
import { firstAdministrator, type RunningServer, type Settings } from "./driver/server-driver.ts";

/** Something that a process did to the world outside itself. */
export interface Effect {
  /** Seconds, by the clock of this machine. */
  readonly at: number;
  readonly call: string;
  /** All that it was asked with, as strace writes it. */
  readonly words: string;
}

export interface TracedServer {
  readonly server: Pick<RunningServer, "baseUrl" | "dataDir">;
  /** Ends the server and gives everything it and its children did, in order. */
  stop(): Promise<readonly Effect[]>;
}

/** Whatever connects, sends, starts a program, or makes, changes, renames or removes a file; and whatever changes the host. */
const calls = [
  "socket,connect,bind,listen,sendto,sendmsg,sendmmsg",
  "execve,execveat",
  "open,openat,openat2,creat,truncate,ftruncate,rename,renameat,renameat2,link,linkat,symlink,symlinkat",
  "unlink,unlinkat,mkdir,mkdirat,rmdir,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,setxattr,fsetxattr",
  "write,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range",
  "mount,umount2,move_mount,pivot_root,chroot,setns,sethostname,setdomainname,reboot,swapon,swapoff,settimeofday,clock_settime",
  "init_module,finit_module,delete_module,ptrace,process_vm_writev,bpf,keyctl,ioperm,iopl",
].join(",");

function hasStrace(): boolean {
  try {
    execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The server as a process of this machine, with every outward effect of it and its children recorded. */
export async function startTraced(place: string, settings: Settings): Promise<TracedServer> {
  if (!hasStrace()) throw new Error("strace is not installed, or may trace nothing here: apt-get install strace");
  const dataDir = join(place, "data");
  const trace = join(place, "trace");
  const serverFile = join(root, "apps/server/src/main.ts");
  const options = ["-f", "--seccomp-bpf", "-qq", "-ttt", "-yy", "-s", "200", "-o", trace, "-e", `trace=${calls}`];
  const own = { SERVICE_LISTEN: "127.0.0.1:0", SERVICE_DATA_DIR: dataDir, ...firstAdministrator };
  const env = childEnvironment({ ...own, ...settings });
  const child = spawn("strace", [...options, process.execPath, serverFile], { env, stdio: ["ignore", "pipe", "pipe"] });
  const out = new Lines();
  child.stdout.setEncoding("utf8").on("data", (part: string) => out.add(part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => out.add(part));
  const ended = once(child, "close").then(() => out.end());
  const signal = (name: NodeJS.Signals) => {
    for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, name);
  };
  try {
    const line = await out.waitFor(/\blistening\b/);
    return {
      server: { baseUrl: baseUrlOf(line), dataDir },
      stop: async () => {
        signal("SIGTERM");
        await ended;
        return readEffects(readFileSync(trace, "utf8"));
      },
    };
  } catch (error) {
    signal("SIGKILL");
    await ended;
    throw error;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/**
 * In words, what an effect is to the world: where it writes, what it starts, whom it calls. Undefined when it stays inside the
 * process, as a wake-up of a thread does, and for reading a file.
 */
export function describeEffect({ call, words }: Effect): string | undefined {
  if (/^(p?writev?2?|pwrite64|sendfile|ftruncate|fchmod|fchown|fsetxattr)$/.test(call)) {
    const target = /^\d+<(.*?)>(?:, |\))/.exec(words)?.[1] ?? words;
    return /^(anon_inode|pipe):|^\/dev\/null/.test(target) ? undefined : `write ${target}`;
  }
  if (call.startsWith("open") && !/\bO_(WRONLY|RDWR|CREAT|TRUNC)\b/.test(words)) return undefined;
  const paths = [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => path);
  const isOfFiles = /^(open|creat|trunc|rename|link|symlink|unlink|mkdir|rmdir|mknod|chmod|fchmodat|l?chown|fchownat)/;
  if (call.startsWith("execve")) return `start ${paths[0]}`;
  return isOfFiles.test(call) ? `${call} ${paths.join(" ")}` : `${call} ${words}`;
}

/** What was begun, whether or not it was finished. A line that strace resumes was begun on another. */
function readEffects(trace: string): Effect[] {
  return [...trace.matchAll(/^\d+ +([\d.]+) ([a-z_0-9]+)\((.*)$/gm)].map(([, at = "", call = "", words = ""]) => ({
    at: Number(at),
    call,
    words,
  }));
}
