import { createHash } from "node:crypto";
import {
  decodeBase64url,
  type FrameOf,
  noHead,
  readWitnessHead,
  unpackHeadRows,
  type WitnessHead,
  witnessHeadFrame,
} from "@gatehouse/channel";
import { auditWitnessesRoute } from "@gatehouse/contract/routes";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import type { KeptHead } from "@gatehouse/store/heads";
import { describe, expect, test } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { until } from "../../../tests/support/until.ts";
import { type AuthServer, type AuthServerOptions, startAuthServer } from "./auth-server.ts";
import { farStore } from "./far-store.ts";
import { connectPretend, enrolPretend, type PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

async function start(options: AuthServerOptions = {}) {
  const kept: KeptHead[] = options.keptHeads ?? [];
  const server = await startAuthServer({ withoutRates: true, keptHeads: kept, ...options });
  const owner = await server.visitor().signIn();
  const { publicKey } = await server.witness.identity();
  return { server, owner, kept, publicKey };
}

async function keeper(server: AuthServer, owner: Visitor, host = new PretendHost()) {
  await enrolPretend(server, owner, host);
  await server.tick();
  return { host, agent: await connectPretend(server, host, undefined, ["witness"]) };
}

function readHead(signed: string, publicKey: Uint8Array): WitnessHead {
  const read = readSigned(decodeBase64url(signed), [64], readWitnessHead);
  if (read === undefined) throw new Error("no head");
  expect(isSignedBy(loadPublicKey(publicKey, "the server"), read.framed, read.signatures[0])).toBe(true);
  return read.value;
}

async function nextHead(agent: PretendAgent, publicKey: Uint8Array): Promise<WitnessHead> {
  const frame = await agent.nextFrame();
  if (frame?.t !== "head") throw new Error(`no head: ${JSON.stringify(frame)}`);
  return readHead(frame.signed, publicKey);
}

const heldOf = ({ n, position, link, at }: WitnessHead): NonNullable<FrameOf<"~witness">["held"]> => {
  return { n, position, link: link.toHex(), at };
};
const digest = (head: WitnessHead) => createHash("sha256").update(witnessHeadFrame(head)).digest("hex");

async function witnesses(owner: Visitor, query = "") {
  const { status, body } = await owner.call("GET", `/api/audit/witnesses${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return auditWitnessesRoute.responses[200].parse(body);
}

const write = ({ store, clock }: AuthServer) =>
  store.commit(inventedEntry({ at: clock.now(), actor: "system", action: "x.made", subject: "x/1" }));

/** What a host says has been taken when nothing of the store is under way any more. */
async function tell(
  server: AuthServer,
  agent: PretendAgent,
  word: Omit<FrameOf<"~witness">, "t">,
  seq = 1,
): Promise<void> {
  agent.send({ t: "~witness", ...word });
  agent.send({ t: "beat", seq, at: 0, values: [] });
  for (let frame = await agent.nextFrame(); frame?.t !== "beat-ack"; frame = await agent.nextFrame());
  await server.rest();
}

describe("heads", () => {
  test("are shown to a host that keeps them: the newest at once, and each that is made, every one going on from the last", async () => {
    const { server, owner, kept, publicKey } = await start();
    const { agent } = await keeper(server, owner);
    const first = await nextHead(agent, publicKey);
    expect(first).toMatchObject({ n: kept.length, position: (await server.store.head()).position });
    await server.tick();
    expect(kept, "a log that has not moved has no new head").toHaveLength(first.n);
    await write(server);
    await server.tick();
    const next = await nextHead(agent, publicKey);
    expect(next).toMatchObject({ n: first.n + 1, position: first.position + 1 });
    expect(next.prev.toHex()).toBe(digest(first));
    expect(kept.at(-1)?.n, "kept before it was shown").toBe(next.n);
  });

  test("are not shown to a host that did not say that it keeps them", async () => {
    const { server, owner } = await start();
    const host = await enrolPretend(server, owner, new PretendHost());
    await server.tick();
    const agent = await connectPretend(server, host);
    agent.send({ t: "beat", seq: 1, at: 0, values: [] });
    expect(await agent.nextFrame()).toEqual({ t: "beat-ack", seq: 1 });
    agent.send({ t: "want-heads", from: 1 });
    expect((await agent.closed).reason).toBe("frame.unknown");
  });

  test("that were missed come as rows, from which a host makes them itself, up to one that is signed", async () => {
    const { server, owner, publicKey } = await start();
    const { agent } = await keeper(server, owner);
    let last = await nextHead(agent, publicKey);
    for (let n = 0; n < 3; n += 1) {
      await write(server);
      await server.tick();
      await agent.nextFrame();
    }
    agent.send({ t: "want-heads", from: last.n + 1 });
    const page = (await agent.nextFrame()) as FrameOf<"heads">;
    const rows = unpackHeadRows(decodeBase64url(page.rows) as Uint8Array) ?? [];
    expect([page.t, page.from, rows.length]).toEqual(["heads", last.n + 1, 3]);
    for (const row of rows) last = { ...row, n: last.n + 1, prev: Buffer.from(digest(last), "hex") };
    expect(digest(readHead(page.signed, publicKey))).toBe(digest(last));
    agent.send({ t: "want-heads", from: last.n + 9 });
    const none = (await agent.nextFrame()) as FrameOf<"heads">;
    expect(none.rows, "rows that there are none of").toBe("");
    expect(readHead(none.signed, publicKey).n).toBe(last.n);
  });

  test("are asked for four times in a minute, and the fifth time ends the connection", async () => {
    const { server, owner } = await start();
    const { agent } = await keeper(server, owner);
    await agent.nextFrame();
    for (let n = 0; n < 4; n += 1) {
      agent.send({ t: "want-heads", from: 1 });
      expect(await agent.nextFrame()).toMatchObject({ t: "heads" });
    }
    agent.send({ t: "want-heads", from: 1 });
    expect((await agent.closed).reason).toBe("frame.rate");
  });

  test("of a log that is not the one that was signed begin another line, which goes on from nothing", async () => {
    const { server, owner, kept, publicKey } = await start();
    await keeper(server, owner);
    for (let n = 0; n < 40; n += 1) await write(server);
    await server.tick();
    const before = kept.at(-1) as KeptHead;
    const cut = await start({ store: farStore(), keptHeads: kept, witness: server.witness });
    const { agent } = await keeper(cut.server, cut.owner);
    const head = await nextHead(agent, publicKey);
    expect(head.position).toBeLessThan(before.position);
    expect(kept.find(({ n }) => n === before.n + 1)?.prev).toBe(noHead.toHex());
    const { items } = await cut.server.store.searchAudit({ action: "witness.line_begun", limit: 9 });
    expect(items).toMatchObject([{ detail: { after: before.n, position: before.position } }]);
    await cut.server.tick();
    expect(kept.at(-1)?.prev, "and then one goes on from the other").not.toBe(noHead.toHex());
  });
});

describe("what hosts say of the log", () => {
  test("that they hold a head of it is shown, and is no record", async () => {
    const { server, owner, publicKey } = await start();
    const { host, agent } = await keeper(server, owner);
    const head = await nextHead(agent, publicKey);
    expect((await witnesses(owner)).summary).toMatchObject({ agree: 0, silent: 1, refuse: 0, first: null });
    const { position } = await server.store.head();
    await tell(server, agent, { held: heldOf(head), code: null });
    const told = await witnesses(owner);
    expect(told.items).toMatchObject([
      { node: host.nodeId, state: "agrees", n: head.n, position: head.position, code: null },
    ]);
    expect(told.summary).toMatchObject({ agree: 1, agreed: { position: head.position, hosts: 1 } });
    expect((await server.store.head()).position).toBe(position);
    agent.socket.close();
    await until("the host is gone", async () => (await witnesses(owner)).summary.silent === 1);
  });

  test("an end that was cut off is told by how much, and stays told when the host is away and the server starts anew", async () => {
    const { server, owner, publicKey, kept } = await start();
    const { host, agent } = await keeper(server, owner);
    const head = await nextHead(agent, publicKey);
    const held = { ...heldOf(head), n: head.n + 5, position: head.position + 7 };
    await tell(server, agent, { held, code: null });
    const detail = `the log ends at ${head.position}, and this host saw it at ${held.position}: shorter by 7 entries`;
    const refusing = {
      node: host.nodeId,
      state: "refuses",
      code: "witness.regressed",
      position: held.position,
      detail,
    };
    expect((await witnesses(owner)).summary).toMatchObject({ refuse: 1, first: refusing });
    agent.socket.close();
    await server.close();
    const again = await start({ store: server.store, keptHeads: kept, witness: server.witness });
    const { summary, items } = await witnesses(again.owner, "?state=refuses");
    expect([summary.first, items[0]]).toMatchObject([refusing, refusing]);
    const { items: entries } = await server.store.searchAudit({ action: "witnessed.refused", limit: 9 });
    expect(entries).toMatchObject([
      { actor: `node:${host.nodeId}`, outcome: "refused", detail: { code: "witness.regressed" } },
    ]);
  });

  test("a log that was rewritten is told by the first host that knows better, until it says that it is well", async () => {
    const { server, owner, publicKey } = await start();
    const one = await keeper(server, owner);
    const head = await nextHead(one.agent, publicKey);
    await write(server);
    const other = await keeper(server, owner);
    const newer = await nextHead(other.agent, publicKey);
    const forged = "ab".repeat(32);
    await tell(server, other.agent, { held: { ...heldOf(newer), link: forged }, code: null });
    await tell(server, one.agent, { held: { ...heldOf(head), link: forged }, code: "witness.fork" });
    const { summary } = await witnesses(owner);
    expect(summary).toMatchObject({
      refuse: 2,
      first: { node: one.host.nodeId, code: "witness.fork", position: head.position },
    });
    expect(summary.first?.detail).toContain(`at ${head.position} this host saw another entry`);
    await tell(server, one.agent, { held: heldOf(head), code: null }, 2);
    expect((await witnesses(owner)).summary).toMatchObject({ refuse: 1, first: { node: other.host.nodeId } });
    const { items } = await server.store.searchAudit({ action: "witnessed.agreed", limit: 9 });
    expect(items).toMatchObject([{ subject: `node/${one.host.nodeId}`, detail: { code: "witness.fork" } }]);
  });

  test("a host that refuses what this server never made is believed too", async () => {
    const { server, owner, publicKey } = await start();
    const { agent } = await keeper(server, owner);
    const head = await nextHead(agent, publicKey);
    await tell(server, agent, { held: heldOf(head), code: "witness.signature" });
    expect((await witnesses(owner)).summary.first).toMatchObject({
      code: "witness.signature",
      position: head.position,
    });
  });

  test("one that says now this and now that fills neither the log nor the connection", async () => {
    const { server, owner, publicKey } = await start();
    const { agent } = await keeper(server, owner);
    const held = heldOf(await nextHead(agent, publicKey));
    const words = async () => (await server.store.searchAudit({ action: "witnessed.", limit: 99 })).items.length;
    for (let n = 1; n <= 24; n += 1) {
      if (n % 12 === 1) server.clock.advance(60_000);
      await tell(server, agent, { held, code: n % 2 === 0 ? null : "witness.gap" }, n);
    }
    expect(await words()).toBe(12);
    for (let n = 0; n < 13; n += 1) agent.send({ t: "~witness", held, code: null });
    expect((await agent.closed).reason).toBe("frame.rate");
  });

  test("a node that is removed is refused no more", async () => {
    const { server, owner } = await start();
    const { host, agent } = await keeper(server, owner);
    await agent.nextFrame();
    await tell(server, agent, { held: null, code: "witness.damaged" });
    expect((await witnesses(owner)).summary.refuse).toBe(1);
    const { etag } = await owner
      .call("GET", `/api/nodes/${host.nodeId}`)
      .then(({ headers }) => ({ etag: headers.get("etag") }));
    const gone = await owner.call("DELETE", `/api/nodes/${host.nodeId}`, { headers: { "If-Match": etag ?? "" } });
    expect(gone.status).toBe(204);
    expect(await witnesses(owner)).toMatchObject({ items: [], summary: { refuse: 0 } });
  });

  test("hosts come in pages, each once", async () => {
    const { server, owner } = await start();
    for (let n = 0; n < 5; n += 1) await enrolPretend(server, owner, new PretendHost());
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof witnesses>> = await witnesses(
        owner,
        `?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ node }) => node));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect(seen).toHaveLength(5);
  });
});

describe("while the chain is asked slowly", () => {
  /** Links are answered when they are let go. */
  async function startSlow() {
    const store = farStore();
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const asked: number[] = [];
    const linkAt = async (position: number) => {
      asked.push(position);
      await promise;
      return store.linkAt(position);
    };
    const slow = { ...store, linkAt };
    const { server, owner, publicKey } = await start({ store: slow });
    const { agent } = await keeper(server, owner);
    const head = await nextHead(agent, publicKey);
    const other = { ...heldOf(head), link: "0".repeat(64) };
    agent.send({ t: "~witness", held: other, code: null });
    await until("the chain is asked", () => asked.length > 0);
    return { server, owner, agent, head, letGo };
  }

  test("the later of two words of a host is the one that stays", async () => {
    const { server, owner, agent, head, letGo } = await startSlow();
    agent.send({ t: "~witness", held: heldOf(head), code: null });
    agent.send({ t: "beat", seq: 1, at: 0, values: [] });
    for (let frame = await agent.nextFrame(); frame?.t !== "beat-ack"; frame = await agent.nextFrame());
    letGo();
    await server.rest();
    expect((await witnesses(owner)).summary).toMatchObject({ agree: 1, refuse: 0 });
    const said = (await server.audit()).map(({ action }) => action).filter((action) => action.startsWith("witnessed."));
    expect(said).toEqual(["witnessed.refused", "witnessed.agreed"]);
  });

  test("a host that has left meanwhile is not taken for one that is here, and what it said last is kept", async () => {
    const { server, owner, agent, letGo } = await startSlow();
    agent.socket.terminate();
    const state = async () =>
      (await owner.call<{ items: { state: string }[] }>("GET", "/api/nodes")).body.items[0]?.state;
    await expect.poll(state, { interval: 5 }).toBe("offline");
    letGo();
    await server.rest();
    expect((await witnesses(owner)).items[0]).toMatchObject({ state: "refuses", toldAt: null });
  });
});
