import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { findCards } from "./find-cards.ts";

interface Shown {
  readonly type?: number;
  /** Files and directories that its directory has. */
  readonly has?: readonly string[];
  readonly master?: string;
}

function findIn(shown: Readonly<Record<string, Shown>>): readonly string[] {
  const { root } = makeHostDirectory();
  for (const [name, { type = 1, has = [], master }] of Object.entries(shown)) {
    const directory = join(root, "sys/class/net", name);
    for (const each of ["", ...has]) mkdirSync(join(directory, each), { recursive: true });
    writeFileSync(join(directory, "type"), `${type}\n`);
    if (master !== undefined) symlinkSync(`../${master}`, join(directory, "master"));
  }
  return findCards(root, Object.keys(shown));
}

test("what has a device is a card; bridges, bonds, VLANs, tunnels and ends of containers are none", () => {
  expect(
    findIn({
      lo: { type: 772 },
      eth0: { has: ["device"], master: "bond0" },
      eth1: { has: ["device"], master: "bond0" },
      wlan0: { has: ["device"] },
      bond0: {},
      "bond0.12": {},
      docker0: { has: ["bridge"] },
      veth1: { master: "docker0" },
      wg0: { type: 65_534 },
      tap0: { has: ["tun_flags"] },
    }),
  ).toEqual(["eth0", "eth1", "wlan0"]);
});

test("a card that belongs to another card is counted there", () => {
  expect(findIn({ eth0: { has: ["device"] }, enP1s1: { has: ["device"], master: "eth0" } })).toEqual(["eth0"]);
});

test("a container without any device has its Ethernet interfaces, without what it has made itself", () => {
  expect(
    findIn({
      lo: { type: 772 },
      eth0: {},
      eth1: {},
      docker0: { has: ["bridge"] },
      veth1: { master: "docker0" },
      tap0: { has: ["tun_flags"] },
      tunl0: { type: 768 },
    }),
  ).toEqual(["eth0", "eth1"]);
});

test("where nothing is shown of them, none is a card", () => {
  expect(findCards(makeHostDirectory().root, ["lo", "eth0"])).toEqual([]);
});
