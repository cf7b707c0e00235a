import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  BrokerParams,
  BrokerResult,
  DescribeResult,
  HealthResult,
  MapLine as ContractMapLine,
  PlanNode as ContractPlanNode,
  PlanQuestion as ContractPlanQuestion,
} from "@gatehouse/contract/broker";
import type { PlanDraft } from "@gatehouse/plan";
import { describe, expect, expectTypeOf, test } from "vitest";
import { BrokerFault } from "./broker-client.ts";
import { openAction } from "./open-action.ts";
import { definePlugin, type Plugin, refuse } from "./plugin.ts";
import { type SealableWorld, sealWorld } from "./sealed-world.ts";
import type {
  Description,
  FetchReply,
  FetchRequest,
  Health,
  Json,
  MapLine,
  PlanDraftLike,
  PlanNode,
  PlanQuestion,
} from "./wire.ts";

const draft = { title: "t", summary: "s", sections: [] };
const node = (end: string, name: string): PlanNode => ({
  id: `node_${"0".repeat(25)}${end}`,
  name,
  tags: [],
  addresses: [],
  states: [],
});
const plugin = (changes: Partial<Parameters<typeof definePlugin>[0]> = {}): Plugin =>
  definePlugin({
    describe: () => ({ name: "N", version: "1.0.0", summary: "S" }),
    health: () => ({ status: "ok" }),
    readInput: (input: Json) => input,
    plan: () => draft,
    ...changes,
  });

/** Runs one action against a server that answers calls with `reply`, all in this process. */
async function run(
  one: Plugin,
  action: string,
  { input, nodes = [], reply = () => ({ result: {} }), method = action }: RunOptions = {},
) {
  const sent: Message[] = [];
  const end = await new Promise<{ code: number; trouble?: unknown }>((resolve) => {
    const running = openAction(one, {
      action,
      send: (line) => {
        const message = JSON.parse(line) as Message;
        sent.push(message);
        const answered = message.id === 0 ? undefined : reply(message);
        if (answered !== undefined)
          queueMicrotask(() => running.receive(JSON.stringify({ id: message.id, ...answered })));
      },
      end: resolve,
    });
    const params = input === undefined ? {} : { input, nodes };
    running.receive(JSON.stringify({ jsonrpc: "2.0", id: 0, method, params }));
  });
  return { sent, end, answer: sent.findLast(({ id }) => id === 0) };
}

interface Message {
  readonly id: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface RunOptions {
  readonly input?: Json;
  readonly nodes?: readonly PlanNode[];
  /** Undefined: no answer comes. */
  readonly reply?: (call: Message) => object | undefined;
  readonly method?: string;
}

describe("an action", () => {
  test("is answered once, and the process may leave", async () => {
    const { sent, end } = await run(plugin(), "health");
    expect(sent).toEqual([{ jsonrpc: "2.0", id: 0, result: { status: "ok" } }]);
    expect(end).toEqual({ code: 0 });
  });

  test("gets the recorded input and its nodes, and nothing it could read beside them", async () => {
    let broker: object = {};
    const { answer } = await run(
      plugin({
        plan: ({ input, nodes }, given) => {
          broker = given;
          return { ...draft, title: String(input), summary: nodes.map(({ name }) => name).join(" ") };
        },
      }),
      "plan",
      { input: "recorded", nodes: [node("1", "alpha"), node("2", "beta")] },
    );
    expect(answer?.result).toEqual({ ...draft, title: "recorded", summary: "alpha beta" });
    expect(broker).not.toHaveProperty("http");
    expect(broker).not.toHaveProperty("kv.get");
    expect(broker).not.toHaveProperty("kv.list");
  });

  test("that is refused says why; one that breaks says so, and keeps its story for standard error", async () => {
    const refused = await run(plugin({ readInput: () => refuse("nodes: expected at least one") }), "plan", {
      input: 1,
    });
    expect(refused.answer?.error).toEqual({ code: 1, message: "nodes: expected at least one" });
    expect(refused.end).toEqual({ code: 0 });
    const broken = await run(
      plugin({
        health: () => {
          throw new TypeError("x is undefined");
        },
      }),
      "health",
    );
    expect(broken.answer?.error).toEqual({ code: -32_603, message: "x is undefined" });
    expect(broken.end).toMatchObject({ code: 0, trouble: expect.any(TypeError) as unknown });
  });

  test("that was not the one on the command line is not answered", async () => {
    const { sent, end } = await run(plugin(), "health", { method: "plan" });
    expect(sent).toEqual([]);
    expect(end.code).toBe(1);
  });

  test("for a plan of a server that names no nodes is not begun: it speaks an older protocol", () => {
    const ended: { trouble?: unknown }[] = [];
    openAction(plugin(), { action: "plan", send: () => undefined, end: (outcome) => ended.push(outcome) }).receive(
      JSON.stringify({ jsonrpc: "2.0", id: 0, method: "plan", params: { input: {} } }),
    );
    expect(ended).toMatchObject([
      { code: 1, trouble: { message: expect.stringMatching(/server is older/) as string } },
    ]);
  });

  test("ends without an answer when the server hangs up", async () => {
    const ended: unknown[] = [];
    const running = openAction(plugin(), {
      action: "plan",
      send: () => undefined,
      end: (outcome) => ended.push(outcome),
    });
    running.close();
    running.receive("{}");
    expect(ended).toMatchObject([{ code: 1 }]);
  });

  test.each(["apply", "run", "shell"])(
    "is none that the SDK does not know, also in a process started for it: %s",
    async (action) => {
      const { sent, end } = await run(plugin({ [action]: () => ({}) }), action);
      expect([sent, end]).toMatchObject([[], { code: 1 }]);
    },
  );

  test.each(["", "[]", "null", "{", '{"id":1}', '{"id":0,"method":"apply"}'])("is not begun by %j", (line) => {
    const ended: unknown[] = [];
    openAction(plugin(), { action: "plan", send: () => undefined, end: (outcome) => ended.push(outcome) }).receive(
      line,
    );
    expect(ended).toMatchObject([{ code: 1 }]);
  });
});

describe("the broker's client", () => {
  test("sends the calls of the contract and understands their answers", async () => {
    const replies: Record<string, object> = {
      "kv.get": { value: null },
      "kv.list": { keys: ["a"], more: false },
      "http.fetch": { status: 204, headers: {}, body: "", bodyEncoding: "utf8" },
    };
    const seen: unknown[] = [];
    const { sent } = await run(
      plugin({
        describe: async ({ kv, log, http }) => {
          seen.push(await kv.get("a"), await kv.list({ prefix: "a" }), await http.fetch({ url: "https://a.example/" }));
          await Promise.all([kv.put("a", "1"), kv.delete("b"), log.warn("careful")]);
          return { name: "N", version: "1", summary: "S" };
        },
      }),
      "describe",
      { reply: ({ method = "" }) => ({ result: replies[method] ?? {} }) },
    );
    expect(seen).toEqual([undefined, replies["kv.list"], replies["http.fetch"]]);
    expect(sent.slice(0, -1).map(({ id, method, params }) => [id, method, params])).toEqual([
      [1, "kv.get", { key: "a" }],
      [2, "kv.list", { prefix: "a" }],
      [3, "http.fetch", { url: "https://a.example/" }],
      [4, "kv.put", { key: "a", value: "1" }],
      [5, "kv.delete", { key: "b" }],
      [6, "log.write", { level: "warn", message: "careful" }],
    ]);
  });

  test("throws refusals by their code", async () => {
    let caught: unknown;
    const error = { code: -32_000, message: "1,000 keys are stored", data: { code: "broker.quota" } };
    await run(
      plugin({
        health: async ({ kv }) => {
          await kv.put("a", "1").catch((fault: unknown) => {
            caught = fault;
          });
          return { status: "degraded" };
        },
      }),
      "health",
      { reply: () => ({ error }) },
    );
    expect(caught).toBeInstanceOf(BrokerFault);
    expect(caught).toMatchObject({ code: "broker.quota", detail: "1,000 keys are stored" });
  });

  test("leaves nothing waiting when the action is over", async () => {
    let left: Promise<unknown> = Promise.resolve();
    await run(
      plugin({
        health: ({ kv }) => {
          left = kv.get("a").catch((fault: unknown) => fault);
          return { status: "ok" };
        },
      }),
      "health",
      { reply: () => undefined },
    );
    await expect(left).resolves.toMatchObject({ code: "broker.detached" });
  });
});

test("while a plan is drawn up there is neither clock nor chance", () => {
  const world: SealableWorld = { Date, Math: { random: () => 1 }, performance: { now: () => 1 }, crypto: {} };
  sealWorld(world);
  const sealed = world as SealableWorld & { crypto: Crypto };
  expect(() => new sealed.Date()).toThrow(/function of its question/);
  expect(() => sealed.Date()).toThrow(/function of its question/);
  expect(() => sealed.Date.now()).toThrow(/function of its question/);
  expect(() => sealed.Math.random()).toThrow(/function of its question/);
  expect(() => sealed.performance.now()).toThrow(/function of its question/);
  expect(() => sealed.crypto.randomUUID()).toThrow(/function of its question/);
  expect(new sealed.Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
  expect(sealed.Date.UTC(1970, 0)).toBe(0);
});

test("the types of the SDK are those of the contract", () => {
  expectTypeOf<keyof Description>().toEqualTypeOf<keyof DescribeResult>();
  expectTypeOf<MapLine>().toEqualTypeOf<Readonly<ContractMapLine>>();
  expectTypeOf<keyof Health>().toEqualTypeOf<keyof HealthResult>();
  expectTypeOf<Health["status"]>().toEqualTypeOf<HealthResult["status"]>();
  expectTypeOf<keyof FetchRequest>().toEqualTypeOf<keyof BrokerParams<"http.fetch">>();
  expectTypeOf<FetchRequest["method"]>().toEqualTypeOf<BrokerParams<"http.fetch">["method"]>();
  expectTypeOf<keyof FetchReply>().toEqualTypeOf<keyof BrokerResult<"http.fetch">>();
  expectTypeOf<PlanDraft>().toExtend<PlanDraftLike>();
  expectTypeOf<keyof PlanDraftLike["sections"][number]>().toEqualTypeOf<keyof PlanDraft["sections"][number]>();
  expectTypeOf<keyof PlanQuestion>().toEqualTypeOf<keyof ContractPlanQuestion>();
  expectTypeOf<ContractPlanQuestion>().toExtend<PlanQuestion>();
  expectTypeOf<keyof PlanNode>().toEqualTypeOf<keyof ContractPlanNode>();
  expectTypeOf<keyof PlanNode["states"][number]>().toEqualTypeOf<keyof ContractPlanNode["states"][number]>();
});

test("the core imports nothing but itself, so that it can be copied into any repository", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith(".test.ts"));
  const imports = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/from "([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  expect(imports.filter((name) => !name.startsWith("./"))).toEqual([]);
});
