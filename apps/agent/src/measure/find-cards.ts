import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Which interfaces are cards of this host. What the kernel shows a device for is one, real or made by a hypervisor: bridges,
 * bonds, VLANs, tunnels, ends of containers and loopback have none, and what goes through them goes through a card as well.
 * One that belongs to another card is counted there (clouds join a fast and a plain card so). A container has no device at
 * all: there every Ethernet interface counts that is neither a bridge nor a tap, nor a part of either a bridge or a bond.
 */
export function findCards(root: string, names: Iterable<string>): readonly string[] {
  const at = (name: string, file: string) => join(root, "sys/class/net", name, file);
  const has = (name: string, file: string) => existsSync(at(name, file));
  const every = [...names];
  const real = every.filter((name) => has(name, "device"));
  if (real.length > 0) return real.filter((name) => !real.includes(findMaster(at(name, "master"))));
  return every.filter(
    (name) =>
      readLine(at(name, "type")) === ethernet &&
      !has(name, "bridge") &&
      !has(name, "tun_flags") &&
      findMaster(at(name, "master")) === "",
  );
}

/** ARPHRD_ETHER. */
const ethernet = "1";

function findMaster(link: string): string {
  try {
    return basename(readlinkSync(link));
  } catch {
    // Most belong to no other.
    return "";
  }
}

function readLine(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // The interface is gone by now, or the host does not show it.
    return "";
  }
}
