import { newPrivateKey } from "@gatehouse/keys";
import type { ControlFrame } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { type KnownHost, keptOf, newHost } from "./support/fleet.ts";
import { enter } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha: an agent reported results in the name of other agents, and the server believed it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const forgeries: readonly [string, (own: KnownHost, other: KnownHost) => ControlFrame][] = [
  ["the other's signed facts", (_, other) => other.host.facts({ kernel: "forged" })],
  ["the other's new channel key", (_, other) => other.host.channelKeyChange(newPrivateKey(), Date.now() + 1_000)],
  [
    "the other's channel key under our signature",
    (own, other) => other.host.channelKeyChange(newPrivateKey(), Date.now() + 1_000, own.host.hostKey),
  ],
  [
    "facts beside another ceiling than the signed one",
    (own, other) => ({ ...own.host.facts(), ceiling: other.host.facts({}, { level: "managed" }).ceiling }),
  ],
];

test("what an agent says in the name of another ends its connection, and nothing of the other changes", async (context) => {
  const owner = await enter(port);
  const [own, other] = [await newHost(port, owner, "own"), await newHost(port, owner, "other")];
  const connection = await other.hello();
  await connection.sendFacts({ kernel: "true" });
  await expect.poll(() => keptOf(port, owner.as, other.nodeId)).toContain('"kernel":"true"');
  const before = await keptOf(port, owner.as, other.nodeId);
  for (const [what, forge] of forgeries) {
    const liar = await own.hello();
    liar.send(forge(own, other));
    expect((await liar.closed).reason, what).toBe("frame.malformed");
  }
  expect(await keptOf(port, owner.as, other.nodeId)).toBe(before);
  // The other is still there, with the key that it has.
  await connection.beat();
  await connection.close();
  await (await other.hello()).close();
  tried(context, count(forgeries.length, "forgeries"));
});
