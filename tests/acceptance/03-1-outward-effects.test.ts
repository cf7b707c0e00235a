import { capabilityNames, isHostRisk } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { imageVariable } from "./driver/container-driver.ts";
import { PluginYard, signIn } from "./plugin-yard.ts";
import { isExternal, type RunningServer } from "./server-under-test.ts";
import { describeEffect, type Effect, startTraced } from "./traced-server.ts";

/**
 * Contract 1 and 3.1: host mutation is never a side effect of plugin activation. Here every outward effect of an activation is
 * recorded, with strace, of the server as a process; a container's is the same program, and is not recorded.
 */
describe.skipIf(isExternal || process.env[imageVariable] !== undefined)("every outward effect", () => {
  test("of an activation is the staged copy, the commit and the answer, also for a plugin with every host-risk capability", async () => {
    const yard = new PluginYard();
    yard.bundle({ capabilities: capabilityNames.filter(isHostRisk) });
    const traced = await startTraced(yard.place, yard.settings);
    const { baseUrl, dataDir } = traced.server;
    let effects: readonly Effect[] = [];
    const times: number[] = [];
    try {
      const operator = await signIn(traced.server as RunningServer);
      const step = async (act: () => Promise<{ status: number }>) => {
        times.push(Date.now() / 1_000);
        expect((await act()).status).toBe(200);
      };
      await operator.move("acme-hello", "installed");
      await step(() => operator.move("acme-hello", "active"));
      await step(() => operator.ask("acme-hello", "health"));
      await step(() => operator.move("acme-hello", "disabled"));
      await step(() => operator.get("/api/plugins/lifecycle"));
    } finally {
      effects = await traced.stop();
    }
    const places: readonly (readonly [RegExp, string])[] = [
      [/^(mkdir|openat|write) DATA\/runtime\/run-[0-9a-f-]+\/[0-9a-f]{36}(\/artifact)?$/, "the staged copy"],
      [
        /^(unlink|rmdir) (DATA\/runtime\/run-[0-9a-f-]+\/[0-9a-f]{36}|\/proc\/self\/fd\/\d+\/artifact)$/,
        "the staged copy",
      ],
      [/^(openat|write|unlink|rename|creat) DATA\/(state\.json|logs\.db)[a-z.-]*( DATA\/[a-z.-]+)?$/, "the commit"],
      [/^write UNIX-STREAM:\[\d+->\d+\]$/, "a word between the server and its launcher"],
      [/^write TCP:\[ADDRESS->127\.0\.0\.1:\d+\]$/, "the answer"],
    ];
    const during = (from: number, to: number) =>
      effects
        .filter(({ at }) => at >= (times[from] ?? 0) && at < (times[to] ?? 0))
        .flatMap((effect) => describeEffect(effect) ?? [])
        .map((effect) => effect.replaceAll(dataDir, "DATA").replace(new URL(baseUrl).host, "ADDRESS"))
        // Once a minute the server notes when credentials were last used, whatever else is done in that minute.
        .filter((effect) => !/^[a-z]+ DATA\/telemetry\.db[a-z-]*$/.test(effect))
        .map((effect) => places.find(([pattern]) => pattern.test(effect))?.[1] ?? effect);
    const expected = ["a word between the server and its launcher", "the answer", "the commit", "the staged copy"];
    expect([...new Set(during(0, 1))].sort()).toEqual(expected);
    expect([...new Set(during(2, 3))].sort()).toEqual(expected);
    // An action starts the sandbox and the plugin, and nothing else is ever started but the server and what it finds its sandbox with.
    const programs = effects.flatMap((effect) => (effect.call === "execve" ? (describeEffect(effect) ?? []) : []));
    const known = /^start (\S+\/node|\S+\/try|\/usr\/bin\/(prlimit|setpriv|bwrap)|\/plugin|\/proc\/self\/fd\/3)$/;
    expect(programs.filter((program) => !known.test(program))).toEqual([]);
    expect(
      during(1, 2)
        .filter((effect) => effect.startsWith("start "))
        .at(-1),
    ).toMatch(/plugin|fd\/3/);
    // One socket of the internet in its whole life, and it listens. Programs of the sandbox look for a local name cache.
    const internet = effects.filter(({ call, words }) => call === "socket" && words.startsWith("AF_INET"));
    const called = effects.filter(({ call, words }) => call === "connect" && !words.includes("/nscd/socket"));
    expect([internet.length, called]).toEqual([1, []]);
  });
});
