import { setImmediate as turn } from "node:timers/promises";
import { brokerLimits } from "@gatehouse/contract/broker";
import { pluginKvKind, pluginKvUseKind } from "@gatehouse/contract/records";
import { ephemeralSecrets, type Store } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { farDatabase } from "@gatehouse/store/far";
import { manualClock } from "@gatehouse/base";
import { describe, expect, test } from "vitest";
import { farStore } from "../../../test/far-store.ts";
import { askOf, netguard, setUpBroker } from "./broker-cases.ts";
import { kvHandlers } from "./kv-handlers.ts";

/** Calls of one handler without the broker around it, where an action's cap would be in the way. */
function setUp(store: Store = farStore()) {
  const clock = manualClock();
  const handlers = kvHandlers({ store, decide: openDecide(store), secrets: ephemeralSecrets(), clock });
  const callerOf = (plugin: Partial<typeof netguard> = {}, signal = new AbortController().signal) => ({
    plugin: { ...netguard, ...plugin },
    action: "health" as const,
    signal,
    noteHost: () => undefined,
  });
  const caller = callerOf();
  return {
    store,
    clock,
    handlers,
    callerOf,
    put: async (key: string, value: string, by = caller) => handlers["kv.put"](by, { key, value }),
    get: async (key: string, by = caller) => (await handlers["kv.get"](by, { key })).value,
    remove: async (key: string, by = caller) => handlers["kv.delete"](by, { key }),
    keys: async (by = caller) => (await handlers["kv.list"](by, {})).keys,
  };
}

const quota = expect.objectContaining({ code: "broker.quota" }) as Error;

async function auditOf(store: Store) {
  return (await store.searchAudit({ limit: 1_000, order: "oldest" })).items;
}

describe("a value", () => {
  test("is kept under its key until it is replaced or removed", async () => {
    const { put, get, remove } = setUp();
    expect(await get("peers/alice")).toBeNull();
    await put("peers/alice", "1");
    await put("peers/alice", "");
    expect(await get("peers/alice")).toBe("");
    await remove("peers/alice");
    expect(await get("peers/alice")).toBeNull();
    await put("peers/alice", "2");
    expect(await get("peers/alice")).toBe("2");
  });

  test("is any text, up to its size in bytes", async () => {
    const { put, get } = setUp();
    for (const value of ["{}", '"', "\u0000\n\ud7ff😀", "x".repeat(brokerLimits.valueBytes)]) {
      await put("a", value);
      expect(await get("a")).toBe(value);
    }
    await expect(put("a", `${"x".repeat(brokerLimits.valueBytes - 1)}ü`)).rejects.toThrow("broker.too_large");
  });

  test("of every key has a record of its own, whatever the keys look like", async () => {
    const { put, get, keys, remove } = setUp();
    const names = ["a/b", "a.b", "a:b", "a-b", "A/b", "a/b/", "a//b", "0", "z".repeat(128)];
    for (const name of names) await put(name, name);
    for (const name of names) expect(await get(name)).toBe(name);
    expect(await keys()).toEqual(names.toSorted());
    await remove("a/b");
    expect(await keys()).toEqual(names.filter((name) => name !== "a/b").toSorted());
  });

  test("lies sealed in the store, and its audit entry names the key and the size only", async () => {
    const { store, put, remove } = setUp();
    await put("token", "canary-value");
    await remove("token");
    await remove("token");
    const entries = await auditOf(store);
    expect(entries).toMatchObject([
      {
        actor: "plugin:netguard",
        action: "plugin.kv_written",
        subject: "plugin/netguard",
        detail: { key: "token", bytes: 17, payloadSha256: netguard.payloadSha256 },
      },
      { action: "plugin.kv_removed", subject: "plugin/netguard", detail: { key: "token", bytes: 0 } },
    ]);
    await put("token", "canary-value");
    const records = [...(await store.list(pluginKvKind)), ...(await store.list(pluginKvUseKind))];
    expect(records).toHaveLength(2);
    expect(JSON.stringify([records, await auditOf(store)])).not.toContain("canary");
  });

  test("that is written again as it is makes no entry", async () => {
    const { store, put } = setUp();
    await put("a", "1");
    await put("a", "1");
    expect(await auditOf(store)).toHaveLength(1);
  });
});

describe("a plugin", () => {
  test("sees its own keys and no others, also where one id begins like another", async () => {
    const { callerOf, put, get, keys, remove } = setUp();
    const ids = ["net", "net-guard", "netguard", "netguard2", "0-net"];
    for (const id of ids) await put("a/b", id, callerOf({ id }));
    for (const id of ids) {
      expect(await get("a/b", callerOf({ id }))).toBe(id);
      expect(await keys(callerOf({ id }))).toEqual(["a/b"]);
    }
    await remove("a/b", callerOf({ id: "net" }));
    expect(await get("a/b", callerOf({ id: "netguard" }))).toBe("netguard");
  });

  test("of another publisher under the same id finds an empty store", async () => {
    const { callerOf, put, get, keys, remove } = setUp();
    const other = callerOf({ publisher: "mallory" });
    await put("token", "secret");
    await put("kept", "1");
    expect(await get("token", other)).toBeNull();
    expect(await keys(other)).toEqual([]);
    await remove("token", other);
    expect(await get("token")).toBe("secret");
    await put("token", "theirs", other);
    expect(await get("token")).toBeNull();
    expect(await keys()).toEqual(["kept"]);
    // And what each of them uses is counted for each of them.
    await put("token", "again");
    expect(await keys()).toEqual(["kept", "token"]);
  });
});

describe("a list", () => {
  test("is by prefix, in order, in pages", async () => {
    const { act } = setUpBroker();
    const { handle, ask } = act();
    for (const key of ["b", "a/2", "a/1", "a.0", "B", "a/10"]) await ask("kv.put", { key, value: "x" });
    expect(await ask("kv.list", {})).toEqual({ keys: ["B", "a.0", "a/1", "a/10", "a/2", "b"], more: false });
    expect(await ask("kv.list")).toMatchObject({ more: false });
    expect(await ask("kv.list", { prefix: "a/" })).toEqual({ keys: ["a/1", "a/10", "a/2"], more: false });
    expect(await ask("kv.list", { prefix: "a/", limit: 2 })).toEqual({ keys: ["a/1", "a/10"], more: true });
    expect(await ask("kv.list", { prefix: "a/", after: "a/10", limit: 2 })).toEqual({ keys: ["a/2"], more: false });
    expect(await askOf(handle.beginAction("describe"), "kv.list", { prefix: "c" })).toEqual({ keys: [], more: false });
  });

  test("reaches over the pages of the store", async () => {
    const { store, handlers, callerOf } = setUp();
    const small: Store = { ...store, list: (kind, page) => store.list(kind, { ...page, limit: 3 }) };
    const paged = kvHandlers({
      store: small,
      decide: openDecide(small),
      secrets: ephemeralSecrets(),
      clock: manualClock(),
    });
    for (const key of ["a", "b", "c", "d", "e", "f", "g"]) await handlers["kv.put"](callerOf(), { key, value: "x" });
    expect((await paged["kv.list"](callerOf(), {})).keys).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  });
});

describe("the quota", () => {
  test("is of keys", async () => {
    const { put, remove } = setUp();
    for (let at = 0; at < brokerLimits.keys; at += 1) await put(`k${at}`, "x");
    await expect(put("more", "x")).rejects.toThrow(quota);
    await put("k0", "other");
    await remove("k0");
    await put("more", "x");
  });

  test("is of bytes, and exact", async () => {
    const { put, remove } = setUp();
    const full = "x".repeat(brokerLimits.valueBytes - 1);
    const many = brokerLimits.storeBytes / brokerLimits.valueBytes;
    for (let at = 0; at < many; at += 1) await put(String.fromCharCode(97 + at), full);
    await expect(put("z", "")).rejects.toThrow(quota);
    await expect(put("a", `${full}x`)).rejects.toThrow(quota);
    await put("a", full.slice(1));
    await put("z", "");
    await remove("b");
    await put("b", full);
  });

  test("holds when many values come at once", async () => {
    const { put, keys } = setUp();
    const all = await Promise.allSettled(Array.from({ length: 300 }, (_, at) => put(`k${at}`, "x")));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(brokerLimits.keys);
    expect(await keys()).toHaveLength(brokerLimits.keys);
  });

  test("holds when two processes write to one database", async () => {
    const database = farDatabase({ seed: 1 });
    const [one, two] = [setUp(database.openReplica().store), setUp(database.openReplica().store)];
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : two).put(`k${at}`, "x")),
    );
    const written = results.filter(({ status }) => status === "fulfilled").length;
    expect(written).toBeGreaterThan(1);
    for (const { store } of [one, two]) {
      const use = await store.get(pluginKvUseKind.key("netguard"), { newest: true });
      expect(use?.value.keys).toBe(written);
      expect(await store.list(pluginKvKind, { newest: true })).toHaveLength(written);
    }
  });
});

describe("the budget of writes", () => {
  test("is so many an hour, and comes back with time", async () => {
    const { clock, put, callerOf } = setUp();
    for (let at = 0; at < brokerLimits.writesPerHour; at += 1) await put("a", String(at));
    await expect(put("a", "more")).rejects.toThrow(quota);
    await put("a", "x", callerOf({ id: "other" }));
    clock.advance(3_600_000 / brokerLimits.writesPerHour);
    await put("a", "more");
    await expect(put("a", "still more")).rejects.toThrow(quota);
  });

  test("is so many bytes an hour", async () => {
    const { clock, put } = setUp();
    const values = ["x", "y"].map((letter) => letter.repeat(brokerLimits.valueBytes - 1));
    const most = brokerLimits.writtenBytesPerHour / brokerLimits.valueBytes;
    for (let at = 0; at < most; at += 1) await put("a", values[at % 2] ?? "");
    await expect(put("a", values[most % 2] ?? "")).rejects.toThrow(quota);
    clock.advance(3_600_000);
    await put("a", values[most % 2] ?? "");
  });
});

test("a change that waits for its turn is not made when the plugin is detached meanwhile", async () => {
  const inner = farStore();
  const [entered, released, kept] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let commits = 0;
  const store: Store = {
    ...inner,
    commit: async (...commit) => {
      commits += 1;
      entered.resolve();
      await released.promise;
      const committed = await inner.commit(...commit);
      kept.resolve();
      return committed;
    },
  };
  const { act } = setUpBroker({ store });
  const { handle, ask } = act();
  const waiting = [ask("kv.put", { key: "a", value: "1" }), ask("kv.put", { key: "b", value: "1" })];
  await entered.promise;
  handle.detach();
  expect(await Promise.all(waiting)).toEqual(["broker.detached", "broker.detached"]);
  released.resolve();
  await kept.promise;
  await turn();
  expect(commits).toBe(1);
  expect((await inner.list(pluginKvKind)).map(({ key }) => key.id)).toEqual(["netguard@a"]);
});
