import { createHash } from "node:crypto";
import { planKind, type PlanRecord } from "@gatehouse/contract/records";
import type { Artifact } from "@gatehouse/contract/routes";
import { create } from "@gatehouse/store/decide";
import { describe, expect, test } from "vitest";
import { startPlanned } from "./planned-fleet.ts";
import type { Answered, Visitor } from "./visitor.ts";

interface Page {
  readonly items: readonly Artifact[];
  readonly nextCursor: string | null;
}

const partBytes = 8;
const bytes = Buffer.from("gatehouse, bit by bit");
const sha256 = digestOf(bytes);
const hour = 60 * 60 * 1_000;

function digestOf(of: Uint8Array): string {
  return createHash("sha256").update(of).digest("hex");
}

const announced = (of: Buffer = bytes) => ({
  kind: "binary",
  name: "caddy",
  version: "2.8.4",
  architecture: "x64",
  sha256: digestOf(of),
  size: of.byteLength,
  publisher: "acme",
  signature: { keyId: "0a".repeat(16), ed25519: `${"A".repeat(86)}==` },
});

const announce = (by: Visitor, body: object = announced()) => by.call<Artifact>("POST", "/api/artifacts", { body });
const bring = (by: Visitor, id: string, number: number, of: Buffer = bytes) =>
  by.call<Artifact>("PUT", `/api/artifacts/${id}/parts/${number}`, {
    bytes: of.subarray(number * partBytes, (number + 1) * partBytes),
  });

async function bringAll(by: Visitor, of: Buffer = bytes): Promise<Artifact> {
  const { id, size } = (await announce(by, announced(of))).body;
  let last: Artifact | undefined;
  for (let number = 0; number * partBytes < size; number += 1) last = (await bring(by, id, number, of)).body;
  if (last === undefined) throw new Error("it has no parts");
  return last;
}

describe("an artifact", () => {
  test("is announced, brought in parts, listed, read and removed", async () => {
    const { owner } = await startPlanned({ partBytes });
    const first = await announce(owner);
    expect([first.status, first.body]).toMatchObject([
      201,
      { ...announced(), state: "arriving", partSize: partBytes, parts: [], by: expect.stringMatching(/^usr_/) },
    ]);
    const { id } = first.body;
    expect((await announce(owner)).status).toBe(200);
    expect((await announce(owner, { ...announced(), version: "2.8.5" })).code).toBe("artifact.differs");
    expect((await bring(owner, id, 2)).body).toMatchObject({ state: "arriving", parts: [2] });
    expect((await owner.call("GET", `/api/artifacts/${id}/content`)).code).toBe("artifact.not_whole");
    expect((await bring(owner, id, 0, Buffer.from("short"))).code).toBe("artifact.parts");
    await bring(owner, id, 0);
    expect((await bring(owner, id, 1)).body).toMatchObject({ state: "whole", parts: [0, 1, 2] });
    const shown = await owner.call<Artifact>("GET", `/api/artifacts/${id}`);
    expect(shown.body).toMatchObject({ id, state: "whole", wholeAt: expect.any(String) });
    const content = await owner.call("GET", `/api/artifacts/${id}/content`);
    expect([content.status, content.text]).toEqual([200, bytes.toString()]);
    expect(content.headers.get("content-type")).toBe("application/octet-stream");
    expect(content.headers.get("etag")).toBe(`"${sha256}"`);
    expect((await owner.call("DELETE", `/api/artifacts/${id}`)).status).toBe(204);
    expect((await owner.call("GET", `/api/artifacts/${id}`)).code).toBe("artifact.unknown");
  });

  test("whose bytes are others is refused, and its parts are gone", async () => {
    const { owner, server } = await startPlanned({ partBytes });
    const { id } = (await announce(owner)).body;
    const wrong = Buffer.from("gatehouse, bat by bit");
    for (const number of [0, 1]) await bring(owner, id, number, wrong);
    const refused = await bring(owner, id, 2, wrong);
    expect([refused.status, refused.code]).toEqual([422, "artifact.digest"]);
    expect((await owner.call("GET", `/api/artifacts/${id}`)).body).toMatchObject({ state: "arriving", parts: [] });
    expect(await server.actions()).toContain("artifact.refused");
  });

  test("is listed with the newest first, page by page", async () => {
    const { owner, server } = await startPlanned({ partBytes });
    const ids: string[] = [];
    for (const text of ["a", "b", "c", "d", "e"]) {
      // Two of the same moment have an order too.
      if (text !== "c") server.clock.advance(1);
      ids.unshift((await announce(owner, announced(Buffer.from(text)))).body.id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body }: Answered<Page> = await owner.call<Page>("GET", `/api/artifacts?limit=2${page}`);
      seen.push(...body.items.map((one) => one.id));
      cursor = body.nextCursor;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect([seen[0], seen[1], seen[4]]).toEqual([ids[0], ids[1], ids[4]]);
  });

  test("keeps its blob while it is there, and nothing else for it", async () => {
    const { owner, server } = await startPlanned({ partBytes });
    const { id } = await bringAll(owner);
    const isThere = (name: string) =>
      server.blobs.open(name).then(
        (blob) => blob.close().then(() => true),
        () => false,
      );
    const firstPart = digestOf(bytes.subarray(0, partBytes));
    const twoHours = async () => {
      for (let n = 0; n < 2; n += 1) {
        await server.tick();
        server.clock.advance(hour);
      }
      await server.tick();
      await server.tick();
    };
    expect([await isThere(sha256), await isThere(firstPart)]).toEqual([true, false]);
    await twoHours();
    expect([await isThere(sha256), await isThere(firstPart)]).toEqual([true, false]);
    // A session does not last that long.
    await owner.signIn();
    expect((await owner.call("DELETE", `/api/artifacts/${id}`)).status).toBe(204);
    expect(await isThere(sha256)).toBe(false);
  });

  test("cannot be removed while a plan that has not ended names it", async () => {
    const { owner, server } = await startPlanned({ partBytes });
    const { id } = await bringAll(owner);
    const now = server.clock.now();
    const plan: PlanRecord = {
      id: `plan_${"0".repeat(26)}`,
      digest: "0".repeat(64),
      document: "0".repeat(64),
      evidence: "0".repeat(64),
      title: "Replace caddy",
      summary: "So.",
      source: { from: "person" },
      author: "usr_ada",
      actor: "usr_ada",
      createdAt: now,
      expiresAt: now + hour,
      state: "in_review",
      stateAt: now,
      movedBy: "usr_ada",
      nodes: 1,
      kinds: ["binary.replace"],
      bytes: 1,
      management: [],
      skipped: [],
      findings: { refuse: 0, warn: 0, note: 0 },
      artifacts: [sha256],
    };
    const key = planKind.key(plan.id);
    const entry = { at: now, actor: "system", action: "plan.forgotten", subject: key.text } as const;
    await server.store.commit({ ...entry, detail: { plans: 0 } }, [create(key, plan)]);
    const refused = await owner.call<{ detail: string }>("DELETE", `/api/artifacts/${id}`);
    expect([refused.status, refused.code]).toEqual([409, "artifact.in_use"]);
    expect(refused.body.detail).toContain(plan.id);
    server.clock.advance(hour);
    expect((await owner.call("DELETE", `/api/artifacts/${id}`)).status).toBe(204);
  });

  test("tells nobody what is in it before the gate, and takes no more than a part", async () => {
    const { owner, server } = await startPlanned({ partBytes });
    const { id } = (await announce(owner)).body;
    const stranger = server.visitor();
    for (const [method, path] of [
      ["GET", "/api/artifacts"],
      ["GET", `/api/artifacts/${id}`],
      ["GET", `/api/artifacts/${id}/content`],
      ["DELETE", `/api/artifacts/${id}`],
    ] as const) {
      expect((await stranger.call(method, path)).code).toBe("auth.credential_required");
    }
    expect((await bring(stranger, id, 0)).code).toBe("auth.credential_required");
    const malformed = [
      { ...announced(), kind: "script" },
      { ...announced(), size: 0 },
      { ...announced(), size: 512 * 1024 * 1024 + 1 },
      { ...announced(), name: "../caddy" },
      { ...announced(), version: "2" },
      { ...announced(), architecture: "riscv" },
      { ...announced(), sha256: "A".repeat(64) },
      { ...announced(), publisher: undefined },
      { ...announced(), kind: "release", name: "gatehouse-agent" },
      { ...announced(), kind: "release", publisher: undefined },
      { ...announced(), signature: { keyId: "0a".repeat(16), ed25519: "A".repeat(88) } },
      { ...announced(), more: 1 },
    ];
    for (const body of malformed) {
      expect((await announce(owner, body)).code, JSON.stringify(body)).toBe("request.malformed");
    }
    for (const number of ["00", "100", "x"]) {
      const answer = await owner.call("PUT", `/api/artifacts/${id}/parts/${number}`, { bytes });
      expect(answer.code, number).toBe("request.malformed");
    }
  });
});
