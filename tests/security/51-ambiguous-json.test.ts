import { parseStrictJson, parseStrictJsonBytes } from "@gatehouse/base";
import { parseTrustPolicy, verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, makeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { ambiguous, bodies, malformed, malformedBytes, wellFormed } from "./support/json-cases.ts";
import { newClient } from "./support/new-client.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** CouchDB: one parser took the first of two equal keys, the other the last, and a guest became an administrator. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });

test("the strict reader takes every well-formed text as JSON.parse does, and nothing else", (context) => {
  for (const text of wellFormed) expect(parseStrictJson(text), text).toEqual({ ok: true, value: JSON.parse(text) });
  for (const text of malformed) {
    expect(parseStrictJson(text).ok, JSON.stringify(text)).toBe(false);
    expect(() => JSON.parse(text) as unknown, `${JSON.stringify(text)} is no JSON for anybody`).toThrow();
  }
  for (const bytes of malformedBytes)
    expect(parseStrictJsonBytes(Uint8Array.from(bytes)).ok, bytes.join(" ")).toBe(false);
  const total = wellFormed.length + malformed.length + malformedBytes.length;
  tried(context, `${count(total, "texts")} (${wellFormed.length} good, ${total - wellFormed.length} bad)`);
});

test("what JSON.parse takes but two readers could understand differently is refused", (context) => {
  for (const text of ambiguous) {
    expect(() => JSON.parse(text) as unknown, `${text} is JSON for others`).not.toThrow();
    expect(parseStrictJson(text).ok, text).toBe(false);
  }
  tried(context, count(ambiguous.length, "ambiguous texts"));
});

test("a text that was accepted and changed at random is refused or means the same to JSON.parse", (context) => {
  const chance = new Chance("mutated json");
  const rounds = counts["51 texts"];
  const letters = '{}[]":,\\u0041 \n\t-+.eE1234567890truefalsnl\u0000\u2028\ufeff\ud800é'.split("");
  let accepted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const characters = Array.from(chance.pick(wellFormed));
    for (let changes = 1 + chance.below(3); changes > 0; changes -= 1) {
      characters.splice(chance.below(characters.length + 1), chance.below(2), chance.pick(letters));
    }
    const text = characters.join("");
    const read = parseStrictJson(text);
    if (!read.ok) continue;
    accepted += 1;
    expect(read.value, JSON.stringify(text)).toEqual(withoutMinusZero(JSON.parse(text)));
  }
  expect(accepted).toBeGreaterThan(rounds / 50);
  tried(context, `${count(rounds, "mutations")}, ${count(accepted, "accepted")} and all read alike`);
});

test("the server refuses such bodies before any feature sees them", async (context) => {
  const texts = [...malformed, ...ambiguous, ...bodies].map((text) => Buffer.from(text, "utf8"));
  const sent = [...texts, ...malformedBytes.map((bytes) => Buffer.from(bytes))].filter(({ length }) => length > 0);
  const wrong = await inLanes(sent, 4, async (body) => {
    const headers = [newClient(), ["Content-Type", "application/json"]] as const;
    const answer = await send(server.port, { method: "POST", path: "/api/csp-reports", headers, body });
    return [400, 413].includes(answer.status) ? [] : [`${body.toString("latin1").slice(0, 80)}: ${answer.status}`];
  });
  expect(wrong.flat()).toEqual([]);
  const good = {
    method: "POST",
    path: "/api/csp-reports",
    headers: [newClient(), ["Content-Type", "application/json"]],
  } as const;
  expect((await send(server.port, { ...good, body: '{"csp-report":{}}' })).status).toBe(204);
  tried(context, count(sent.length, "bodies refused by the server"));
});

test("a manifest or a trust policy that two readers could understand differently is refused", async (context) => {
  const good = makeBundle({ id: "acme-json" });
  const form = Buffer.from(good.manifestBytes).toString();
  const policy = policyOf();
  const judge = async (manifestBytes: Uint8Array) =>
    (await verifyBundle({ bundle: inMemory({ ...good, manifestBytes }), policy, now: 0 })).accepted;
  expect(await judge(good.manifestBytes)).toBe(true);
  const texts = [...malformed, ...ambiguous];
  // As the whole file, as one more member, as the value of a member that is there, and before and after all of it.
  const manifests = texts.flatMap((text) => [
    text,
    form.replace("{", `{\n  "more": ${text},`),
    form.replace('"A sample"', text),
    text + form,
    form + text,
  ]);
  const doubled = Object.keys(good.manifest).flatMap((name) => [
    form.replace("{", `{\n  "${name}": null,`),
    form.replace(/\n\}\n$/, `,\n  "${name}": "evil"\n}\n`),
  ]);
  for (const text of [...manifests, ...doubled])
    if (text !== form) expect(await judge(Buffer.from(text)), text).toBe(false);
  for (const bytes of malformedBytes)
    expect(await judge(Buffer.concat([Buffer.from(form), Buffer.from(bytes)]))).toBe(bytes.length === 0);
  const written = policyText();
  const policies = [...texts, ...texts.map((text) => written + text), written.replace("{", '{"publishers":{},')];
  for (const text of policies)
    if (text.trim() !== written) expect(() => parseTrustPolicy(Buffer.from(text)), text).toThrow("trust.invalid");
  tried(context, `${count(manifests.length + doubled.length, "manifests")}, ${count(policies.length, "policies")}`);
});

/** Minus zero is read as zero, because it would not survive being written again. */
function withoutMinusZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
