import { parseAddress } from "@gatehouse/contract";
import { writeAddress } from "@gatehouse/plan";
import { parseShown } from "./parse-shown.ts";

/** What `sshd -T` says it would listen on. */
export function configuredPorts(text: string): number[] {
  return text.split("\n").flatMap((line) => {
    const [name, value = ""] = line.trim().split(/\s+/);
    if (name === "port") return portOf(`:${value}`);
    return name === "listenaddress" ? portOf(value) : [];
  });
}

/** What systemd listens on in the name of an SSH server that it starts when somebody comes. */
export function socketPorts(text: string): number[] {
  return parseShown(text)
    .filter((unit) => unit.get("ActiveState")?.[0] === "active")
    .flatMap((unit) => unit.get("Listen") ?? [])
    .filter((value) => !value.startsWith("vsock:"))
    .flatMap((value) => portOf(value.split(" ")[0] ?? ""));
}

/** Where anybody listens, by `ss -Htln`: state, two queues, own end, other end. */
export function listeningPorts(text: string): number[] {
  return rows(text, 5).flatMap(([, , , own = ""]) => portOf(own));
}

/** Who is connected with one of these ports, by `ss -Htn state established`: two queues, own end, other end. */
export function connectedPeers(text: string, ports: readonly number[]): string[] {
  const theirs = rows(text, 4).filter(([, , own = ""]) => portOf(own).some((port) => ports.includes(port)));
  const peers = theirs.flatMap(([, , , other = ""]) => findPeer(other) ?? []);
  return [...new Set(peers)].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Rising, and each once. */
export function risingPorts(ports: readonly number[]): number[] {
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

function rows(text: string, least: number): string[][] {
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words.length >= least);
}

function portOf(end: string): number[] {
  const digits = /:([1-9][0-9]{0,4})$/.exec(end)?.[1];
  return digits === undefined || Number(digits) > 65_535 ? [] : [Number(digits)];
}

/** `192.0.2.7:51234`, `[2001:db8::7]:51234`, `[::ffff:192.0.2.7]:51234`, `[fe80::7]%eth0:51234`: in the one spelling that plans have. */
function findPeer(end: string): string | undefined {
  const at = end.lastIndexOf(":");
  const address = end.slice(0, at).replaceAll(/[[\]]/g, "").replace(/%.*$/, "");
  const bytes = parseAddress(address);
  if (bytes === undefined) return undefined;
  return writeAddress(isMapped(bytes) ? bytes.subarray(12) : bytes);
}

function isMapped(bytes: Uint8Array): boolean {
  const start = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];
  return bytes.length === 16 && start.every((byte, index) => bytes[index] === byte);
}
