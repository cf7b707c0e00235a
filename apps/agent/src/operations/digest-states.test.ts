import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import { stateDigest } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { digestStates } from "./digest-states.ts";
import { readFileState } from "./read-file-state.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const subjects = ["service:web.service", "firewall:gatehouse_web", "file:/etc/web", "file:/etc/none"];
const answers = {
  "nft -j -s list table inet gatehouse_web": { stdout: '{"nftables": []}' },
  "systemctl show web.service": { stdout: "LoadState=not-found\nFragmentPath=\nUnitFileState=\n" },
};

test("parts are told by the digests that plans have, and each is read once", async () => {
  const { ground, lines, write } = makeStateGround(answers);
  write("/etc/web", "web\n");
  const digests = await digestStates(ground, [...subjects, "firewall:gatehouse_web"]);
  const file = await readFileState(ground, "/etc/web");
  expect([...digests]).toEqual([
    ["service:web.service", "absent"],
    ["firewall:gatehouse_web", stateDigest(sha256, "firewall:gatehouse_web", { nftables: [] })],
    ["file:/etc/web", stateDigest(sha256, "file:/etc/web", file ?? {})],
    ["file:/etc/none", "absent"],
  ]);
  expect(lines.filter((line) => line.startsWith("nft"))).toHaveLength(1);
});

test.each(["wireguard:eth0", "host:ssh", "firewall:filter", "file:etc", "service:web", "firewall", "", "__proto__:x"])(
  "%j is no part that a change can replace, and nothing is read",
  async (subject) => {
    const { ground, lines } = makeStateGround(answers);
    const asked = digestStates(ground, ["firewall:gatehouse_web", subject]);
    await expect(asked).rejects.toThrow(`state.unreadable: ${subject} is no part`);
    expect(lines).toEqual([]);
  },
);

test("a part that cannot be read is named", async () => {
  const { ground, host } = makeStateGround({ nft: undefined, "nft -j": undefined });
  await expect(digestStates(ground, ["firewall:gatehouse_web"])).rejects.toThrow(
    /^state\.unreadable: firewall:gatehouse_web: nft cannot/,
  );
  symlinkSync("passwd", join(host.root, "etc/link"));
  await expect(digestStates(ground, ["file:/etc/link"])).rejects.toThrow(/^path\.symlink: file:\/etc\/link: /);
});

test("a defect stays one, and is not told as something about the host", async () => {
  const { ground } = makeStateGround();
  const run = () => Promise.reject(new TypeError("a defect"));
  await expect(digestStates({ ...ground, run }, ["firewall:gatehouse_web"])).rejects.toThrow(TypeError);
});

test("programs have their time, and so has the whole", async () => {
  const { ground } = makeStateGround();
  const clock = manualClock();
  const limits: (number | undefined)[] = [];
  const run: typeof ground.run = async (_, __, mostMs) => {
    limits.push(mostMs);
    clock.advance(30_000);
    return { code: 1, stdout: "", stderr: "Error: No such file or directory" };
  };
  const slow = ["a", "b", "c"].map((letter) => `firewall:gatehouse_${letter}`);
  await expect(digestStates({ ...ground, run, clock }, slow)).rejects.toThrow(/^read\.limit: firewall:gatehouse_c: /);
  expect(limits).toEqual([20_000, 20_000]);
});
