import type { SandboxLevel } from "./level.ts";
import type { ProcessLimits } from "./limits.ts";
import { tagWord } from "./tags.ts";

/** What this host has to build a sandbox from. Made by `surveyHost`, handed to the launcher. */
export interface SandboxSetup {
  readonly level: SandboxLevel;
  readonly prlimit: string;
  readonly setpriv: string | undefined;
  readonly bwrap: string | undefined;
  /** Directories of programs and libraries beside /usr; `link` where the distribution has merged them into it. */
  readonly systemPaths: readonly SystemPath[];
  /** Single files outside those that a runtime insists on reading. Public on every host. */
  readonly publicFiles: readonly string[];
  /** The Node that plays `node` inside namespaces, so that a plugin meets the server's version on any host. */
  readonly node: string | undefined;
  readonly filterPath: string;
  readonly isRoot: boolean;
  readonly tag: number;
}

export interface SystemPath {
  readonly path: string;
  readonly link: string | undefined;
}

export interface ActionCommand {
  readonly stagedDirectory: string;
  readonly action: string;
  readonly limits: ProcessLimits;
  readonly environment: Readonly<Record<string, string>>;
}

export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

/** Descriptors the child is started with: the artifact always, the filter only for bubblewrap. */
export const artifactDescriptor = 3;
export const filterDescriptor = 4;

/** What is executed for one action: no shell, only absolute programs and literal words. */
export function commandLine(setup: SandboxSetup, command: ActionCommand): CommandLine {
  const wrapped = [...limitWords(command.limits), "--", ...wrap[setup.level](setup, command)];
  return { program: setup.prlimit, args: wrapped };
}

const wrap: Record<SandboxLevel, (setup: SandboxSetup, command: ActionCommand) => string[]> = {
  namespaces: insideNamespaces,
  landlock: underLandlock,
  none: withoutFence,
};

function limitWords(limits: ProcessLimits): string[] {
  return [
    `--data=${limits.dataBytes}`,
    `--as=${limits.addressBytes}`,
    `--cpu=${limits.cpuSeconds}`,
    `--nproc=${limits.processes}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${limits.descriptors}`,
    `--sigpending=${limits.pendingSignals}`,
    "--core=0",
    "--memlock=65536",
    tagWord(limits.tag),
  ];
}

/** The plugin's whole world is /usr, two devices and its own artifact, all read-only. No /proc, no network, nobody else. */
function insideNamespaces(setup: SandboxSetup, { action, environment }: ActionCommand): string[] {
  return [
    // As root, become nobody first: root is exempt from the limit of processes, also inside.
    setup.isRoot ? [program(setup.setpriv, "setpriv"), ...becomeNobody, "--"] : [],
    program(setup.bwrap, "bwrap"),
    ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"],
    ["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"],
    ["--clearenv", Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value])].flat(),
    ["--ro-bind", "/usr", "/usr"],
    setup.systemPaths.flatMap(({ path, link }) =>
      link === undefined ? ["--ro-bind", path, path] : ["--symlink", link, path],
    ),
    setup.node === undefined ? [] : ["--tmpfs", "/usr/local/bin", "--ro-bind", setup.node, "/usr/local/bin/node"],
    setup.node === undefined ? [] : ["--remount-ro", "/usr/local/bin"],
    ["/dev/null", "/dev/urandom"].flatMap((path) => ["--dev-bind", path, path]),
    // The bytes come from the descriptor that was hashed; no path is looked up again.
    ["--perms", "0555", "--ro-bind-data", String(artifactDescriptor), "/plugin"],
    ["--remount-ro", "/", "--chdir", "/", "--seccomp", String(filterDescriptor)],
    ["--", "/plugin", action],
  ].flat();
}

/**
 * Same user, same network namespace: Landlock decides on files, the filter on everything else. The filter comes in a second step:
 * in one, setpriv loads it first, and it would have to let through what makes Landlock's rules, of which a plugin could make
 * as many as the memory holds.
 */
function underLandlock(setup: SandboxSetup, { stagedDirectory, action }: ActionCommand): string[] {
  const rule = (rights: string, path: string): string[] => ["--landlock-rule", `path-beneath:${rights}:${path}`];
  const programs = ["/usr", stagedDirectory];
  for (const { path, link } of setup.systemPaths) if (link === undefined) programs.push(path);
  return [
    program(setup.setpriv, "setpriv"),
    ["--no-new-privs", "--inh-caps=-all", "--pdeathsig", "KILL"],
    setup.isRoot ? ["--bounding-set=-all"] : [],
    ["--landlock-access", "fs"],
    programs.flatMap((path) => rule("execute,read-file,read-dir", path)),
    rule("read-file,write-file", "/dev/null"),
    ["/dev/urandom", setup.filterPath, ...setup.publicFiles].flatMap((path) => rule("read-file", path)),
    ["--", program(setup.setpriv, "setpriv"), "--seccomp-filter", setup.filterPath],
    ["--", `/proc/self/fd/${artifactDescriptor}`, action],
  ].flat();
}

/** Limits and a deadline, no fence. Only where the operator asked for exactly this. */
function withoutFence(setup: SandboxSetup, { action }: ActionCommand): string[] {
  const fewer = setup.setpriv === undefined ? [] : [setup.setpriv, "--no-new-privs", "--pdeathsig", "KILL", "--"];
  return [...fewer, `/proc/self/fd/${artifactDescriptor}`, action];
}

const becomeNobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--inh-caps=-all"];

function program(path: string | undefined, name: string): string {
  if (path === undefined) throw new Error(`the setup has no ${name}`);
  return path;
}
