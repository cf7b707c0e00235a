import { spawnSync } from "node:child_process";

const mark = "GATEHOUSE_IN_OWN_NETWORK";

/** A loopback, and a card that leads nowhere: a browser without one takes itself for offline. */
const make = [
  "ip link set lo up",
  "ip link add card type veth peer name nowhere",
  "ip address add 192.0.2.1/24 dev card",
  "ip link set card up",
  "ip link set nowhere up",
  'exec "$@"',
];

/**
 * Starts this very program again in a network that nobody else changes, and ends with its exit code. On a machine that adds and takes
 * away interfaces, as one that runs containers does, a browser gives up every request for each of them. Who may not make a network
 * stays in the one there is.
 */
export function moveToOwnNetwork(): void {
  if (process.env[mark] !== undefined || spawnSync("unshare", ["--net", "true"]).status !== 0) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const words = ["--net", "sh", "-euc", make.join(" && "), "sh", ...again];
  const { status } = spawnSync("unshare", words, { stdio: "inherit", env: { ...process.env, [mark]: "yes" } });
  process.exit(status ?? 1);
}
