import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { getPriority } from "node:os";
import { join } from "node:path";

/** What stands outside the sandbox and must not notice it: files, sockets, and this process itself. */
export interface Witness {
  /** What a probe is told: where everything is. */
  readonly line: string;
  /** What has changed since the last time; then it is put back. */
  changes(): string[];
  close(): void;
}

export const secret = "canary-that-must-not-be-read";

export async function openWitness(data: string, server: number = process.pid): Promise<Witness> {
  let heard: string[] = [];
  const onSignal = () => heard.push("a signal arrived");
  process.on("SIGUSR2", onSignal);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  fill(data);
  const tcp = await listen({ port: 0, host: "127.0.0.1" }, "TCP", heard);
  const { port } = tcp.address() as { port: number };
  const udp = createSocket("udp4").on("message", () => heard.push("a datagram arrived"));
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  rmSync(join(data, "socket"), { force: true });
  const local = await listen({ path: join(data, "socket") }, "the socket in the data directory", heard);
  const abstract = `gatehouse-${process.pid}-${port}`;
  const nameless = await listen({ path: `\0${abstract}` }, "an abstract socket", heard);
  let before = stateOf(data);
  return {
    line: `data=${data} server=${server} port=${port} abstract=${abstract} artifact=${process.argv[1]}`,
    changes: () => {
      const now = stateOf(data);
      const found = [...heard, ...Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name])];
      heard.length = 0;
      if (found.length > 0) {
        fill(data);
        before = stateOf(data);
      }
      return found;
    },
    close: () => {
      process.off("SIGUSR2", onSignal);
      closeAll([tcp, local, nameless], udp);
      heard = [];
    },
  };
}

async function listen(where: object, name: string, heard: string[]): Promise<Server> {
  const server = createServer((socket) => {
    heard.push(`somebody connected by ${name}`);
    socket.on("error", () => undefined).destroy();
  });
  server.listen(where);
  await once(server, "listening");
  return server;
}

function closeAll(servers: readonly Server[], udp: Socket): void {
  for (const server of servers) server.close();
  udp.close();
}

/** A secret, a file everybody could read, and a link between them; as a data directory would have. */
function fill(data: string): void {
  for (const name of ["made", "link", "secret", "public"]) rmSync(join(data, name), { recursive: true, force: true });
  writeFileSync(join(data, "secret"), secret, { mode: 0o600 });
  writeFileSync(join(data, "public"), secret, { mode: 0o644 });
  symlinkSync("secret", join(data, "link"));
}

/** Names, modes, owners, sizes, times and contents; and what another process could do to this one. */
function stateOf(data: string): Record<string, string> {
  const state: Record<string, string> = {
    "the server's priority": String(getPriority()),
    "the server's limits": readFileSync("/proc/self/limits", "utf8"),
    "the server's processors": /Cpus_allowed:.*/.exec(readFileSync("/proc/self/status", "utf8"))?.[0] ?? "",
    "the server's tracer": /TracerPid:.*/.exec(readFileSync("/proc/self/status", "utf8"))?.[0] ?? "",
  };
  for (const name of readdirSync(data)) {
    if (name === "runtime") continue;
    const { mode, uid, gid, size, mtimeMs, ctimeMs, nlink } = lstatSync(join(data, name));
    const text = name === "secret" || name === "public" ? readFileSync(join(data, name), "utf8") : "";
    state[`the file ${name}`] = JSON.stringify([mode, uid, gid, size, mtimeMs, ctimeMs, nlink, text]);
  }
  return state;
}
