import { KeyObject } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { type OpenBundle, type TrustPolicy, type Verdict, verifyBundle } from "@gatehouse/bundle/verify";
import { fault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { inMemory, makeBundle, policyOf, sha256 } from "../bundles/sample.ts";
import { makePluginPlace, startOver } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** gitsign, cosign: an error inside the verifier was taken for "verified". */
const good = makeBundle({ id: "acme-sure" });
const policy = policyOf();

test("an error at any step at which something is looked up never yields a trusted verdict", async (context) => {
  const counting = throwAt(Infinity);
  expect((await judge(counting)).accepted).toBe(true);
  const steps = counting.steps();
  expect(steps).toBeGreaterThan(40);
  const codes = new Set<string>();
  for (let step = 1; step <= steps; step += 1) {
    const verdict = await judge(throwAt(step));
    expect(verdict.accepted, `an error at step ${step}`).toBe(false);
    if (!verdict.accepted) codes.add(verdict.refusal.code);
  }
  expect([...codes]).toEqual(["bundle.verifier_failed"]);
  tried(context, `${count(steps, "places to fail")}, each refused`);
});

/** What somebody may throw: not always an error, and not always one that can be looked at. */
const thrown: readonly unknown[] = [
  undefined,
  null,
  0,
  "",
  "trusted",
  true,
  [],
  {},
  Symbol("x"),
  1n,
  new Error("x"),
  new RangeError("Maximum call stack size exceeded"),
  Object.create(null),
  Object.freeze(new Error("x")),
  fault("auth.credential_required", "x"),
  fault("bundle.expired", "x"),
  { accepted: true, checks: [], bundle: {} },
  Promise.resolve({ accepted: true }),
  new Proxy(new Error("x"), {
    get: () => {
      throw new Error("looked at");
    },
    getPrototypeOf: () => {
      throw new Error("looked at");
    },
  }),
];

test("whatever is thrown while the artifact is hashed, the bundle is refused", async (context) => {
  for (const [at, what] of thrown.entries()) {
    for (const hashArtifact of [
      () => Promise.reject(what),
      () => {
        throw what;
      },
    ]) {
      const bundle = { ...inMemory(good), hashArtifact } as OpenBundle;
      const verdict = await verifyBundle({ bundle, policy, now: 0 });
      expect(verdict.accepted, `number ${at}`).toBe(false);
      expect(verdict.checks.filter(({ outcome }) => outcome === "passed").length).toBeLessThan(verdict.checks.length);
    }
  }
  tried(context, count(thrown.length * 2, "things thrown"));
});

test("a digest that is only nearly a digest is none", async (context) => {
  const digest = sha256(good.artifact);
  const nearly: unknown[] = [
    undefined,
    null,
    true,
    [digest],
    { toString: () => digest },
    new String(digest),
    digest.toUpperCase(),
    `${digest} `,
    "",
    Buffer.from(digest, "hex"),
  ];
  for (const found of nearly) {
    const bundle = { ...inMemory(good), hashArtifact: () => Promise.resolve(found as string) };
    expect((await verifyBundle({ bundle, policy, now: 0 })).accepted).toBe(false);
  }
  tried(context, count(nearly.length, "digests that are none"));
});

test("a policy, a time or a bundle that is none gives a refusal too", async (context) => {
  const nothing: unknown[] = [undefined, null, {}, [], "policy", 1, new Map()];
  for (const none of nothing) {
    const inputs = [
      { bundle: inMemory(good), policy: none as TrustPolicy, now: 0 },
      { bundle: none as OpenBundle, policy, now: 0 },
      none as Parameters<typeof verifyBundle>[0],
    ];
    for (const input of inputs) expect((await verifyBundle(input)).accepted).toBe(false);
  }
  const expiring = makeBundle({ id: "acme-sure", expiresAt: "2027-01-01T00:00:00Z" });
  for (const now of [Number.NaN, Infinity, undefined as unknown as number]) {
    expect((await verifyBundle({ bundle: inMemory(expiring), policy, now })).accepted, String(now)).toBe(false);
  }
  tried(context, count(nothing.length * 3 + 3, "inputs that are none"));
});

test("a plugin directory that cannot be read leaves a server without plugins, not without checks", async (context) => {
  await using place = await makePluginPlace();
  await rm(place.directory, { recursive: true });
  await writeFile(place.directory, "this is a file");
  await using started = await startOver(place);
  const { items, rejections } = await started.list();
  expect(items).toEqual([]);
  expect(rejections.map(({ code }) => code)).toEqual(["bundle.unreadable"]);
  tried(context, "1 unreadable plugin directory");
});

interface Trap {
  readonly bundle: OpenBundle;
  readonly policy: TrustPolicy;
  steps(): number;
}

/** The bundle and the policy, behind proxies that count every look and throw at one of them. */
function throwAt(step: number): Trap {
  let steps = 0;
  const look = () => {
    steps += 1;
    if (steps === step) throw new Error(`thrown at step ${step}`);
  };
  const wrap = (value: unknown): unknown => {
    // Keys and bytes are handed to the system as they are.
    const isOpaque = value instanceof KeyObject || ArrayBuffer.isView(value) || value instanceof Promise;
    if (isOpaque || value === null || (typeof value !== "object" && typeof value !== "function")) return value;
    return new Proxy(value, {
      get: (target, name) => {
        look();
        const member: unknown = Reflect.get(target, name);
        return wrap(typeof member === "function" ? (member.bind(target) as unknown) : member);
      },
      apply: (target, self, given: unknown[]) => {
        look();
        return wrap(Reflect.apply(target as () => unknown, self, given));
      },
    });
  };
  const trap = { bundle: wrap(inMemory(good)) as OpenBundle, policy: wrap(policy) as TrustPolicy };
  return { ...trap, steps: () => steps };
}

function judge({ bundle, policy: trusted }: Trap): Promise<Verdict> {
  return verifyBundle({ bundle, policy: trusted, now: 0 });
}
