import { manualClock } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract";
import { sessionKind, userKind } from "@gatehouse/contract/records";
import { ephemeralSecrets, type Store } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { expect, test } from "vitest";
import { farStore } from "../../../test/far-store.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { provePassword } from "./own-session.ts";
import { openPasswords, type Passwords } from "@gatehouse/identity";
import { signIn } from "./sign-in.ts";
import { openDevices } from "./devices.ts";
import { openPlaces } from "./places.ts";
import { openOwnDelays, openThrottle } from "./throttle.ts";
import { openUses } from "./uses.ts";

const cheap = { memory: 64, passes: 1, lanes: 1 };
const password = "seven lazy otters";
const clock = manualClock();
const request = { requestId: "req_1", method: "POST", path: "/", clientAddress: "192.0.2.1", now: clock.now() };
const typed = { username: "admin", password, userAgent: undefined, device: undefined };

async function rig(more: { passwords?: Partial<Passwords>; store?: Partial<Store> } = {}) {
  const kept = farStore();
  const passwords = await openPasswords(cheap);
  await ensureFirstAdmin({ store: kept, passwords, clock, admin: { username: "admin", password } });
  const refused: unknown[] = [];
  const store = { ...kept, ...more.store };
  const deps = {
    store,
    decide: openDecide(store),
    passwords: { ...passwords, ...more.passwords },
    throttle: openThrottle({ clock, random: () => 0 }),
    proofDelays: openOwnDelays({ clock, random: () => 0 }),
    devices: openDevices(ephemeralSecrets()),
    places: openPlaces(),
    refused: { count: (attempt: unknown) => void refused.push(attempt) },
    uses: openUses({ clock, telemetry: memoryTelemetry() }),
  };
  return { deps, refused, kept };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    return isFault(error) ? error.code : "a defect";
  }
}

test("an unknown name costs one hash like a known one, and nobody's is never right", async () => {
  const work: string[] = [];
  const real = await openPasswords(cheap);
  const passwords: Partial<Passwords> = {
    verify: (stored, text) => {
      work.push("somebody");
      return real.verify(stored, text);
    },
    verifyNobody: (text) => {
      work.push("nobody");
      return real.verifyNobody(text);
    },
  };
  const { deps } = await rig({ passwords });
  for (const username of ["admin", "unknown", "not a name"]) {
    expect(await codeOf(signIn(deps, { ...typed, username, password: "wrong otters" }, request))).toBe(
      "auth.sign_in_refused",
    );
  }
  expect(work).toEqual(["somebody", "nobody", "nobody"]);
});

test("when the server is too busy to judge, nobody has failed", async () => {
  const busy = () => Promise.reject(fault("server.busy", "busy"));
  const { deps, refused } = await rig({ passwords: { verify: busy } });
  for (let i = 0; i < 10; i += 1) expect(await codeOf(signIn(deps, typed, request))).toBe("server.busy");
  const principal = {
    id: (await deps.store.list(userKind))[0]?.value.id ?? "",
    credential: { kind: "session", id: "ses_1" },
    scopes: new Set<never>(),
    authenticatedAt: 0,
  } as const;
  for (let i = 0; i < 10; i += 1) {
    expect(await codeOf(provePassword(deps, principal, password, request))).toBe("server.busy");
  }
  expect(refused).toEqual([]);
});

test("whoever is known comes before strangers, by the browser or by the place, and only to their own account", async () => {
  const lanes: unknown[] = [];
  const real = await openPasswords(cheap);
  const passwords: Partial<Passwords> = {
    verify: (stored, text, turn) => {
      lanes.push(turn);
      return real.verify(stored, text, turn);
    },
    verifyNobody: (text, turn) => {
      lanes.push(turn);
      return real.verifyNobody(text, turn);
    },
  };
  const { deps } = await rig({ passwords });
  const { user } = await signIn(deps, typed, request);
  const device = deps.devices.issue(user, clock.now());
  await signIn(deps, { ...typed, device }, { ...request, clientAddress: "198.51.100.1" });
  await signIn(deps, typed, { ...request, clientAddress: "192.0.2.77" });
  await codeOf(signIn(deps, { ...typed, username: "unknown", device }, request));
  const id = deps.devices.find(device, user, clock.now());
  expect(lanes).toEqual([
    { lane: "stranger", block: "192.0.2.0/24" },
    { lane: "known", block: `device/${id}` },
    { lane: "known", block: "192.0.2.0/24" },
    { lane: "stranger", block: "192.0.2.0/24" },
  ]);
});

test("when the audit log cannot be written, nobody is signed in", async () => {
  const full = () => Promise.reject(fault("store.disk_full", "full"));
  const { deps, kept } = await rig({ store: { commit: full } });
  expect(await codeOf(signIn(deps, typed, request))).toBe("store.disk_full");
  expect(await kept.list(sessionKind)).toEqual([]);
});

test("a change that keeps coming first is given up on in the end, as a conflict", async () => {
  let commits = 0;
  const commit = () => {
    commits += 1;
    return Promise.reject(fault("store.conflict", "another came first"));
  };
  const { deps } = await rig({ store: { commit } });
  expect(await codeOf(signIn(deps, typed, request))).toBe("store.conflict");
  expect(commits).toBe(8);
});

test("a hash with old parameters is made anew at the next sign-in, and only then", async () => {
  const { deps, kept } = await rig();
  const hash = async () => (await kept.list(userKind))[0]?.value.passwordHash;
  const before = await hash();
  await signIn(deps, typed, request);
  expect(await hash()).toBe(before);
  const passwords = await openPasswords({ ...cheap, passes: 2 });
  await signIn({ ...deps, passwords }, typed, request);
  expect(await hash()).toContain("t=2,");
  await signIn({ ...deps, passwords }, typed, request);
  expect(await codeOf(signIn({ ...deps, passwords }, { ...typed, password: "wrong otters" }, request))).not.toBe(
    "done",
  );
});

test("wrong proofs of one session slow that session and no other of the same user", async () => {
  const { deps } = await rig();
  const { user, session } = await signIn(deps, typed, request);
  const prove = (id: string, text: string) => {
    const principal = { id: user.id, credential: { kind: "session", id }, scopes: new Set<never>() } as const;
    return codeOf(provePassword(deps, { ...principal, authenticatedAt: 0 }, text, request));
  };
  for (let i = 0; i < 3; i += 1) expect(await prove("ses_stolen", "wrong otters")).toBe("auth.password_wrong");
  expect(await prove("ses_stolen", password)).toBe("auth.sign_in_throttled");
  expect(await prove(session.id, password)).toBe("done");
});

test("a proof for a user who is gone is refused", async () => {
  const { deps } = await rig();
  const principal = { id: "usr_gone", credential: { kind: "session", id: "ses_1" }, scopes: new Set<never>() } as const;
  const proof = provePassword(deps, { ...principal, authenticatedAt: 0 }, password, request);
  expect(await codeOf(proof)).toBe("auth.credential_refused");
});
