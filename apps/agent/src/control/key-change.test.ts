import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { challengeFrame, channelLimits, closeCodeOf, encodeBase64url, readControlFrame } from "@gatehouse/channel";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import {
  honestChallenge,
  type Peer,
  readHello,
  startControlServer,
  welcomeTo,
} from "../../test/fake-control-server.ts";
import { firstMs, startAgentAt } from "../../test/running-agent.ts";
import type { AgentPaths } from "../config.ts";
import { getChannelKey, keepNextChannelKey } from "../local/channel-key.ts";
import { keepOfferedKey } from "../local/offered-key.ts";
import { factsMs } from "./control-step.ts";

const dayMs = 24 * 60 * 60_000;
const user = process.getuid?.() ?? 0;
const keyIn = (paths: AgentPaths) => encodeBase64url(publicKeyBytes(getChannelKey({ paths, user })));
const offersOf = (peer: Peer | undefined) =>
  (peer?.received ?? []).flatMap((each) => {
    const frame = typeof each === "string" ? readControlFrame(each, "agent") : undefined;
    return frame?.t === "channel-key" ? [frame.signed] : [];
  });

/** Sets when the file was written; the test's clock stands at the first day of 2026. */
function age(path: string, days: number): void {
  const at = (Date.UTC(2026, 0, 1) - days * dayMs) / 1_000;
  utimesSync(path, at, at);
}

/** A server that knows some keys, answers beats, and says which key each hello was said with. */
async function startWith(
  known: (key: string, count: number) => boolean,
  before?: (paths: AgentPaths) => Promise<void>,
) {
  const hellos: string[] = [];
  const server = await startControlServer(async (peer) => {
    peer.socket.on("message", (data: Buffer) => {
      const seq = /^\{"t":"beat","seq":(\d+),/.exec(data.toString("latin1"))?.[1];
      if (seq !== undefined) peer.socket.send(`{"t":"beat-ack","seq":${seq}}`);
    });
    peer.socket.send(challengeFrame(honestChallenge));
    const { hello, framed } = await readHello(peer);
    const key = encodeBase64url(hello.channelKey);
    hellos.push(key);
    if (known(key, hellos.length)) peer.socket.send(welcomeTo(framed));
    else peer.socket.close(closeCodeOf("hello.node_signature"), "hello.node_signature");
  });
  const agent = await startAgentAt(server.url, before);
  const old = keyIn(agent.host.paths);
  agent.timers.end(firstMs);
  /** Lets beats and pauses end until there were so many hellos. What a hello waits for runs on. */
  const untilHello = (count: number) =>
    expect
      .poll(() => {
        const isBetween = agent.notes.at(-1)?.state !== "connecting";
        if (hellos.length < count && isBetween) agent.timers.endWhere((ms) => ms < factsMs);
        return hellos.length;
      })
      .toBe(count);
  return { ...agent, peers: server.peers, hellos, old, untilHello, offered: `${agent.host.paths.channelKey}.offered` };
}

const old31 = async (paths: AgentPaths) => age(paths.channelKey, channelLimits.channelKeyDays + 1);

test("a key of thirty days is offered for another, and let go when the server has welcomed that one", async () => {
  const { peers, hellos, old, untilHello, lines, host, offered } = await startWith(() => true, old31);
  await expect.poll(() => offersOf(peers[0]).length).toBe(1);
  expect(keyIn(host.paths)).toBe(old);
  expect(existsSync(offered)).toBe(true);
  await untilHello(2);
  await expect.poll(() => lines).toContain("the server has welcomed the new channel key; the one before is gone");
  expect(keyIn(host.paths)).toBe(hellos[1]);
  expect(hellos[1]).not.toBe(old);
  expect(existsSync(offered)).toBe(false);
  expect(await peers[0]?.closed).toEqual({ code: 1000, reason: "agent.new_key" });
  expect(offersOf(peers[1])).toEqual([]);
});

test("a key of a month less a day stays, until a look at it finds it old enough", async () => {
  const { peers, timers, helper, lines, host } = await startWith(
    () => true,
    async (paths) => age(paths.channelKey, channelLimits.channelKeyDays - 1),
  );
  await expect.poll(() => lines).toContain("connected");
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => timers.running()).toContain(factsMs);
  expect(existsSync(`${host.paths.channelKey}.offered`)).toBe(false);
  helper.clock.advance(dayMs);
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => offersOf(peers[0]).length).toBe(1);
});

test("a server that does not take the new key gets the old one again, and hears of it once a day", async () => {
  let first = "";
  const { peers, hellos, old, untilHello, helper, timers, host } = await startWith((key) => {
    first ||= key;
    return key === first;
  }, old31);
  await expect.poll(() => offersOf(peers[0]).length).toBe(1);
  await untilHello(3);
  expect(hellos).toEqual([old, expect.not.stringContaining(old), old]);
  await expect.poll(() => timers.running()).toContain(factsMs);
  expect(timers.end(factsMs)).toBe(1);
  expect(offersOf(peers[2])).toEqual([]);
  helper.clock.advance(dayMs);
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => offersOf(peers[2]).length).toBe(1);
  expect(offersOf(peers[2])).not.toEqual(offersOf(peers[0]));
  expect(keyIn(host.paths)).toBe(old);
});

test("a server that hangs up on the offer is not offered it again over the next connection", async () => {
  const { peers, untilHello, old, hellos } = await startWith((key, count) => count === 1 || key === hellos[0], old31);
  await expect.poll(() => offersOf(peers[0]).length).toBe(1);
  peers[0]?.socket.close(closeCodeOf("frame.malformed"), "frame.malformed");
  await untilHello(3);
  expect(hellos[2]).toBe(old);
  // Told after the look at the key, over the same connection.
  await expect.poll(() => peers[2]?.received.length ?? 0).toBeGreaterThan(1);
  expect(offersOf(peers[2])).toEqual([]);
});

test("a start with two keys says hello with the offered one, and with the other when that is refused", async () => {
  const next = newPrivateKey();
  const shown = encodeBase64url(publicKeyBytes(next));
  const { peers, hellos, old, untilHello, offered } = await startWith(
    (key) => key !== shown,
    async (paths) => {
      await keepOfferedKey({ paths, user }, next);
      age(`${paths.channelKey}.offered`, 0);
    },
  );
  await untilHello(2);
  expect(hellos).toEqual([shown, old]);
  // Nobody knows whether the server has ever heard of it: it is the same one that is offered.
  await expect.poll(() => offersOf(peers[1]).length).toBe(1);
  expect(readFileSync(offered, "utf8")).toContain(Buffer.from(next.export({ format: "jwk" }).d ?? "").toString());
});

test("an answer that got lost is found by the next hello, also after a restart", async () => {
  const next = newPrivateKey();
  const shown = encodeBase64url(publicKeyBytes(next));
  // The server has let the old key go: it has welcomed the new one, and nobody heard it.
  const { host, lines, offered, hellos } = await startWith(
    (key) => key === shown,
    async (paths) => {
      await keepOfferedKey({ paths, user }, next);
      age(`${paths.channelKey}.offered`, 0);
    },
  );
  await expect.poll(() => lines).toContain("the server has welcomed the new channel key; the one before is gone");
  expect(hellos).toEqual([shown]);
  expect(keyIn(host.paths)).toBe(shown);
  expect(existsSync(offered)).toBe(false);
});

test("a file of an offered key that is not sound keeps nobody from connecting", async () => {
  const { hellos, old, lines } = await startWith(
    () => true,
    async (paths) => writeFileSync(`${paths.channelKey}.offered`, "{", { mode: 0o600 }),
  );
  await expect.poll(() => lines).toContain("connected");
  expect(hellos).toEqual([old]);
});

test("without the helper's signature nothing is offered and nothing is lost", async () => {
  const { lines, host, old, peers, timers, helper } = await startWith(
    () => true,
    async (paths) => {
      await old31(paths);
    },
  );
  await expect.poll(() => offersOf(peers[0]).length).toBe(1);
  helper.served.close();
  await helper.served.done;
  helper.clock.advance(dayMs);
  expect(timers.end(factsMs)).toBe(1);
  await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^the channel key stays as it is: local\./));
  expect(offersOf(peers[0])).toHaveLength(1);
  expect(keyIn(host.paths)).toBe(old);
});

test("an enrolment ends an offer: its key is the only one", async () => {
  const { host, offered } = await startWith(() => true, old31);
  await expect.poll(() => existsSync(offered)).toBe(true);
  const key = newPrivateKey();
  await (await keepNextChannelKey({ paths: host.paths, user }, key)).take();
  expect(existsSync(offered)).toBe(false);
  expect(keyIn(host.paths)).toBe(encodeBase64url(publicKeyBytes(key)));
});
