import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { image } from "../lab/image.ts";
import { dockerEnvironment } from "../lab/lab.ts";
import { childEnvironment } from "../support/child-environment.ts";
import type { PlaceOrder } from "./place-report.ts";
import type { ReachableCopy } from "./reachable-copy.ts";

/** Where the suite runs, and which level must be found there. */
export interface Place {
  readonly name: string;
  readonly what: string;
  readonly expects: "namespaces" | "landlock";
  readonly needsImage: boolean;
  /** Whether plugins misbehave there too; the others only probe, and die. */
  readonly isHostile: boolean;
  start(ground: Ground, order: PlaceTask): ChildProcess;
}

/** What the place itself does not know. */
type PlaceTask = Omit<PlaceOrder, "expects" | "data" | "runtime" | "noexec" | "outside" | "isSmall">;

/** A directory for everything a place writes, and what it runs. */
export interface Ground {
  readonly work: string;
  readonly copy: ReachableCopy;
}

const script = "tests/sandbox/inside.ts";
const nobody = 65534;
const becomeNobody = ["/usr/bin/setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"];
/** deploy/compose/compose.yaml, as words of `docker run`. */
const asCompose = [
  ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--pids-limit=512"],
  ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETUID", "SETGID", "SETPCAP"].map((name) => `--cap-add=${name}`),
  ["--tmpfs=/tmp:size=64m,mode=1777", "--tmpfs=/run/gatehouse:exec,size=256m,mode=0700,uid=10001,gid=10001"],
].flat();
/** A third of what compose.yaml gives: little is enough to fill it. */
const withLittleMemory = ["--memory=512m"];
/** Descriptor 20 stays open for every child, as somebody's mistake might leave it; no plugin may find it. */
const withOpenDescriptor = ["bash", "-c", 'exec 20</etc/hostname; exec "$@"', "bash"];

export const places: readonly Place[] = [
  {
    name: "host",
    what: "this host, as root",
    expects: "namespaces",
    needsImage: false,
    isHostile: true,
    start: (ground, order) => onHost(ground, { ...order, expects: "namespaces", outside: false }, []),
  },
  {
    name: "host-user",
    what: "this host, as a user without rights",
    expects: "namespaces",
    needsImage: false,
    isHostile: false,
    start: (ground, order) => onHost(ground, { ...order, expects: "namespaces", outside: true }, becomeNobody),
  },
  {
    name: "container",
    what: "the image with Docker's default settings",
    expects: "landlock",
    needsImage: true,
    isHostile: true,
    // The runtime directory is where it is when nothing is configured: beside the data.
    start: (ground, order) =>
      inContainer(
        ground,
        { ...order, expects: "landlock", data: "/data", runtime: "/data/runtime", outside: true, isSmall: false },
        [],
      ),
  },
  {
    name: "container-locked",
    what: "the image as compose.yaml starts it: read-only, no capabilities",
    expects: "landlock",
    needsImage: true,
    isHostile: false,
    start: (ground, order) =>
      inContainer(
        ground,
        { ...order, expects: "landlock", data: "/data", runtime: "/run/gatehouse", outside: false, isSmall: true },
        [...asCompose, ...withLittleMemory],
      ),
  },
];

function onHost(
  { work, copy }: Ground,
  order: Omit<PlaceOrder, "data" | "runtime" | "noexec" | "isSmall">,
  become: readonly string[],
): ChildProcess {
  const home = join(work, become.length > 0 ? "user" : "root");
  mkdirSync(home, { mode: 0o755 });
  if (become.length > 0) chownSync(home, nobody, nobody);
  const own = { data: join(home, "data"), runtime: join(home, "runtime"), noexec: undefined, isSmall: false };
  const whole: PlaceOrder = { ...order, ...own };
  const [program, ...words] = [...become, ...withOpenDescriptor, copy.node, script, JSON.stringify(whole)];
  const env = childEnvironment({ HOME: home, NODE_COMPILE_CACHE: join(home, "compiled") });
  return spawn(program, words, { cwd: copy.directory, stdio: ["ignore", "pipe", "pipe"], env });
}

function inContainer({ copy }: Ground, order: Omit<PlaceOrder, "noexec">, options: readonly string[]): ChildProcess {
  const whole: PlaceOrder = { ...order, probe: "/probe", noexec: "/noexec" };
  const words = ["run", "--rm", `--volume=${join(copy.directory, "tests")}:/app/tests:ro`];
  // A tmpfs of Docker's runs no programs unless it is told to.
  words.push(`--volume=${order.probe}:/probe:ro`, "--tmpfs=/noexec:size=1m,mode=0700,uid=10001,gid=10001", ...options);
  words.push(image, ...withOpenDescriptor, "node", `/app/${script}`, JSON.stringify(whole));
  return spawn("/usr/bin/docker", words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment(dockerEnvironment),
  });
}
