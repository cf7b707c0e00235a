import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { runAll } from "@gatehouse/base";
import { childEnvironment } from "../support/child-environment.ts";
import { giveInput } from "../support/give-input.ts";
import { stopMs } from "../support/stopped.ts";
import { sh } from "./lab.ts";

/** Two hosts on one wire: network namespaces with a veth pair between them, IPv4 and IPv6. */
export interface HostPair {
  readonly one: Host;
  readonly other: Host;
  close(): Promise<void>;
}

export interface Host {
  readonly inet4: string;
  readonly inet6: string;
  readonly wire: string;
  /** Runs a program on this host and gives its output. */
  run(program: string, args: readonly string[], stdin?: string): Promise<string>;
  /** Starts a program that stays, and is ended with the pair. */
  start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  /** Listens on TCP ports and greets whoever comes. */
  listen(...ports: readonly number[]): Promise<void>;
  /** A real TCP connection from this host, and what came of it. */
  connect(address: string, port: number): Promise<"open" | "refused">;
  /**
   * The same to a port that is expected to be silent. What was sent to it is older than three connections to `open`, a port that
   * answers, so its own answer would have come before theirs.
   */
  connectBeside(open: number, address: string, port: number): Promise<"open" | "refused" | "no answer">;
}

/**
 * Each host is a process that holds a network and a mount namespace and ends when we do, so nothing stays behind. Its
 * /run/wireguard is its own, because two interfaces of one name would share a socket there.
 */
export async function openHostPair(): Promise<HostPair> {
  if (process.getuid?.() !== 0) throw new Error("network namespaces need root");
  const children: ChildProcess[] = [];
  const close = () => runAll(children.toReversed().map((child) => () => end(child)));
  try {
    const holders = [openHolder(children), openHolder(children)] as const;
    const [first, second] = await Promise.all(holders);
    const veth = ["link", "add", "eth0", "netns", first, "type", "veth", "peer", "name", "eth0", "netns", second];
    await sh("ip", veth);
    const [one, other] = [hostIn(first, 1, children), hostIn(second, 2, children)];
    for (const host of [one, other]) {
      await host.run("ip", ["link", "set", "lo", "up"]);
      await host.run("ip", ["address", "add", `${host.inet4}/24`, "dev", "eth0"]);
      await host.run("ip", ["address", "add", `${host.inet6}/64`, "dev", "eth0", "nodad"]);
      await host.run("ip", ["link", "set", "eth0", "up"]);
    }
    return { one, other, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** `cat` ends when its standard input closes, and that is ours. */
async function openHolder(children: ChildProcess[]): Promise<string> {
  const script = "mkdir -p /run/wireguard && mount -t tmpfs tmpfs /run/wireguard && echo ready && exec cat";
  const child = spawn("unshare", ["--net", "--mount", "sh", "-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("unshare could not make namespaces"))),
  ]);
  return String(child.pid);
}

function hostIn(holder: string, number: number, children: ChildProcess[]): Host {
  const inside = (program: string, args: readonly string[]) => [
    "--target",
    holder,
    "--net",
    "--mount",
    "--",
    program,
    ...args,
  ];
  const start: Host["start"] = (program, args, env = {}) => {
    const child = spawn("nsenter", inside(program, args), {
      stdio: ["pipe", "pipe", "pipe"],
      env: childEnvironment(env),
    });
    children.push(child);
    return child;
  };
  const run: Host["run"] = async (program, args, stdin) => {
    const child = spawn("nsenter", inside(program, args), { stdio: ["pipe", "pipe", "pipe"], env: childEnvironment() });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    giveInput(child.stdin, stdin);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args.join(" ").slice(0, 80)} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    inet4: `10.77.0.${number}`,
    inet6: `fd77::${number}`,
    wire: "eth0",
    run,
    start,
    listen: async (...ports) => {
      const child = start(process.execPath, ["-e", listener, ...ports.map(String)]);
      await once(child.stdout as NodeJS.ReadableStream, "data");
    },
    connect: async (address, port) => {
      const said = await run(process.execPath, ["-e", client, address, String(port)]);
      return said as Awaited<ReturnType<Host["connect"]>>;
    },
    connectBeside: async (open, address, port) => {
      const said = await run(process.execPath, ["-e", client, address, String(port), String(open)]);
      return said as Awaited<ReturnType<Host["connectBeside"]>>;
    },
  };
}

/** Says "ready" when all ports are open. */
const listener = `
  const { createServer } = require("node:net");
  const ports = process.argv.slice(1).map(Number);
  Promise.all(ports.map((port) => new Promise((done) =>
    createServer((socket) => { socket.on("error", () => {}); socket.pipe(socket); socket.write("hello"); })
      .listen(port, "::", done))))
    .then(() => process.stdout.write("ready"));
`;

/** Open means that the other side's first bytes came through, not only that a handshake did. */
const client = `
  const { connect } = require("node:net");
  const [address, port, beside] = process.argv.slice(1);
  const say = (word) => { process.stdout.write(word); process.exit(0); };
  const open = (to, then) => connect(Number(to), address).on("data", then);
  const socket = open(port, () => say("open"));
  socket.on("error", (error) => say(error.code === "ECONNREFUSED" ? "refused" : error.code));
  const control = (left) => left === 0 ? setImmediate(() => say("no answer")) : open(beside, () => control(left - 1));
  if (beside !== undefined) socket.once("connectionAttempt", () => setImmediate(control, 3));
  setTimeout(() => say("stopped"), ${stopMs});
`;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "exit");
  child.kill("SIGKILL");
  await closed;
}
