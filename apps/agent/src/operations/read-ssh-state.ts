import { existsSync } from "node:fs";
import { join } from "node:path";
import { failedProgram } from "./failed-program.ts";
import type { HostOperation, StateGround } from "./host-operation.ts";
import { configuredPorts, connectedPeers, listeningPorts, risingPorts, socketPorts } from "./ssh-listings.ts";

const places = ["/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"];
const sockets = ["ssh.socket", "sshd.socket"];

/** What a host may tell at most; more peers than that are told in part. */
const most = { ports: 16, peers: 256 };

/** On which ports the SSH server is reached, and who is connected with it now: a plan that would cut them off is shown to do so. */
export const readSshState: HostOperation["readState"] = async (ground) => {
  const program = places.find((place) => existsSync(join(ground.root, place)));
  if (program === undefined) return { ports: [], peers: [] };
  const wanted = [...(await askServer(ground, program)), ...(await askSystemd(ground))];
  const open = listeningPorts(await said(ground, "ss", ["-Htln"]));
  const ports = risingPorts(wanted.filter((port) => open.includes(port))).slice(0, most.ports);
  if (ports.length === 0) return { ports, peers: [] };
  // The kernel leaves the others out: a busy host has very many connections.
  const filter = `( ${ports.map((port) => `sport = :${port}`).join(" or ")} )`;
  const listing = await said(ground, "ss", ["-Htn", "state", "established", filter]);
  return { ports, peers: connectedPeers(listing, ports).slice(0, most.peers) };
};

async function askServer({ run }: StateGround, program: string): Promise<number[]> {
  const ran = await run(program, ["-T"]);
  if (ran.code === 0) return configuredPorts(ran.stdout);
  // Its unit makes that directory: without it none of the service is running.
  if (/privilege separation directory/i.test(ran.stderr)) return [];
  throw failedProgram("sshd", ran);
}

async function askSystemd(ground: StateGround): Promise<number[]> {
  return socketPorts(await said(ground, "systemctl", ["show", ...sockets, "--property=Id,ActiveState,Listen"]));
}

async function said({ run }: StateGround, program: string, args: readonly string[]): Promise<string> {
  const ran = await run(program, args);
  if (ran.code !== 0) throw failedProgram(program, ran);
  return ran.stdout;
}
