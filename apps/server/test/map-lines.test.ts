import type { Json } from "@gatehouse/base";
import type { ManifestFields } from "@gatehouse/bundle/sign";
import { scopeNames } from "@gatehouse/contract";
import type { MapLine } from "@gatehouse/contract/broker";
import type { PluginLines } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import type { Parts } from "../src/compose.ts";
import { netguard, pluginFolder, startPluginServer, trust } from "./plugin-server.ts";

const [one, two, three] = ["1", "2", "3"].map((digit) => `node_${"0".repeat(25)}${digit}`) as [string, string, string];
const line = (from: string, to: string, label = "wg0"): MapLine => ({ from, to, label, state: "planned" });
const drawing = {
  ...netguard,
  contributions: { nav: [], enhancements: [{ surface: "fleet.map" as const, component: "wireguard.lines" }] },
};
const minute = 60_000;

/** Says of itself what a test tells it to say. */
function describing() {
  const told = { lines: [line(one, two), line(two, three, "wg1")] as Json, isBroken: false };
  const asked: string[] = [];
  const runner: Parts["runner"] = {
    arm: () =>
      Promise.resolve({
        sandbox: "test",
        run: (action) => {
          asked.push(action);
          const about = { name: "Netguard", version: "1.0.0", summary: "Lines.", mapLines: told.lines };
          const result = action === "describe" ? about : { status: "ok" };
          const failed = { ok: false, reason: "it fell over", stderr: "" } as const;
          return Promise.resolve({ outcome: told.isBroken ? failed : { ok: true, result }, calls: [], ms: 1 });
        },
        disarm: () => Promise.resolve(),
      }),
  };
  return { told, asked, runner };
}

const firstParty = {
  inline: JSON.stringify({ publishers: { gatehouse: { ...trust.publishers.gatehouse, firstParty: true } } }),
};

/** A server with one active plugin that draws on the map. */
async function start(more: Partial<Parameters<typeof startPluginServer>[0]> = {}, fields: ManifestFields = drawing) {
  const folder = pluginFolder();
  folder.place(fields);
  const plugin = describing();
  const server = await startPluginServer({
    directory: folder.directory,
    runner: plugin.runner,
    config: { pluginTrust: firstParty },
    ...more,
  });
  const read = async (as: "admin" | "viewer" | "stranger" = "viewer") => {
    const answer = await server.call<{ items: readonly PluginLines[] }>("GET", "/api/map/lines", undefined, as);
    return answer.body.items;
  };
  await server.move(fields.id, "installed");
  expect((await server.move(fields.id, "active")).status).toBe(200);
  return { server, read, ...plugin };
}

/** As soon as the plugin has said something. */
async function settled(read: () => Promise<readonly PluginLines[]>) {
  await expect.poll(async () => (await read())[0]?.answeredAt ?? null).not.toBeNull();
  return (await read())[0];
}

describe("lines of a plugin", () => {
  test("come from what an active first-party plugin says of itself, asked because somebody looks", async () => {
    const { read, asked } = await start();
    expect(asked).toEqual([]);
    expect(await read()).toEqual([
      { plugin: "netguard", name: "Netguard", version: "1.0.0", answeredAt: null, trouble: null, lines: [] },
    ]);
    expect(await settled(read)).toMatchObject({
      plugin: "netguard",
      trouble: null,
      lines: [line(one, two), line(two, three, "wg1")],
    });
  });

  test("are asked for again after a minute while somebody looks, and not sooner", async () => {
    const { server, read, asked, told } = await start();
    const describes = () => asked.filter((action) => action === "describe").length;
    await settled(read);
    told.lines = [line(one, three)];
    for (let n = 0; n < 5; n += 1) await read();
    expect(describes()).toBe(1);
    server.clock.advance(minute);
    expect(describes()).toBe(1);
    await expect.poll(async () => (await read())[0]?.lines).toEqual([line(one, three)]);
    expect(describes()).toBe(2);
  });

  test("are asked for every ten minutes where each question is on the record, and a minute after a plan has ended", async () => {
    const { server, read, asked } = await start({}, { ...drawing, capabilities: ["kv:write"] });
    const describes = async () => {
      await read();
      await server.audit();
      return asked.filter((action) => action === "describe").length;
    };
    await settled(read);
    server.clock.advance(minute);
    expect(await describes()).toBe(1);
    const detail = { digest: "0".repeat(64), title: "", ended: { applied: 1 } };
    const ended = { actor: "system", action: "plan.done", subject: "plan/plan_1", outcome: "done", detail } as const;
    await server.store.commit({ at: server.clock.now(), ...ended });
    await expect.poll(describes).toBe(2);
    server.clock.advance(9 * minute);
    expect(await describes()).toBe(2);
    server.clock.advance(minute);
    await expect.poll(describes).toBe(3);
  });

  test("stay as they were when the plugin has failed since, with what went wrong", async () => {
    const { server, read, told } = await start();
    const good = await settled(read);
    told.isBroken = true;
    server.clock.advance(minute);
    await expect.poll(async () => (await read())[0]?.trouble).toBe("it fell over");
    expect((await read())[0]).toEqual({ ...good, trouble: "it fell over" });
    told.isBroken = false;
    told.lines = [];
    server.clock.advance(minute);
    await expect.poll(async () => (await read())[0]).toMatchObject({ trouble: null, lines: [] });
  });

  test("disappear when it is disabled, and those of before are not shown when it is active again", async () => {
    const { server, read, told } = await start();
    await settled(read);
    await server.move("netguard", "disabled");
    expect(await read()).toEqual([]);
    told.isBroken = true;
    server.clock.advance(minute);
    await server.move("netguard", "active");
    await expect.poll(async () => (await read())[0]?.trouble).toBe("it fell over");
    expect((await read())[0]).toMatchObject({ answeredAt: null, lines: [] });
  });
});

describe("no line is drawn", () => {
  test("by a plugin whose publisher is not first-party, and it is not asked for any", async () => {
    const { read, asked } = await start({ config: {} });
    expect(await read()).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("by a plugin that does not enhance the map, whatever it says", async () => {
    const { read, asked } = await start({}, { ...drawing, contributions: { nav: [], enhancements: [] } });
    expect(await read()).toEqual([]);
    expect(asked).toEqual([]);
  });

  test.each([
    ["has an end that is no node", { to: "evil" }],
    ["has hidden signs in its label", { label: "a\u202eb" }],
    ["has a field of its own", { href: "x" }],
  ])("that %s: the whole answer is refused", async (_, odd) => {
    const { read, told } = await start();
    told.lines = [line(one, two), { ...line(one, two), ...odd }];
    await expect.poll(async () => (await read())[0]?.trouble).toBeTruthy();
    expect((await read())[0]).toMatchObject({ answeredAt: null, lines: [] });
  });

  test("between nodes of which one may not be seen", async () => {
    const limited: Partial<Parts> = {
      authenticate: ({ credential }) => {
        const id = credential.kind === "bearer" ? credential.token : "";
        const credentialOf = { kind: "token" as const, id };
        const principal = {
          id: `usr_${id}`,
          credential: credentialOf,
          scopes: new Set(scopeNames),
          authenticatedAt: 0,
        };
        return Promise.resolve({ principal, ...(id === "viewer" && { nodes: new Set([two, three]) }) });
      },
    };
    const { read } = await start({ parts: limited });
    await settled(read);
    expect((await read("viewer"))[0]?.lines).toEqual([line(two, three, "wg1")]);
    expect((await read("admin"))[0]?.lines).toHaveLength(2);
  });

  test("for somebody who may not see nodes", async () => {
    const { server } = await start();
    expect((await server.call("GET", "/api/map/lines", undefined, "stranger")).status).toBe(403);
  });
});
