import { describe, expect, test } from "vitest";
import { type Operator, PluginYard } from "./plugin-yard.ts";
import { isExternal } from "./server-under-test.ts";

/** Contract 6: activation and runtime transitions are recorded in an audit log. */
const failing = `#!/bin/sh
exit 3
`;

/** What the log says of a plugin, oldest first: action, who did it, how it ended, and on which occasion. */
async function told(operator: Operator, id: string): Promise<readonly string[]> {
  const entries = (await operator.audit(`plugin/${id}`)) as {
    action: string;
    actor: string;
    outcome: string;
    detail: { occasion?: string };
  }[];
  return entries.map(({ action, actor, outcome, detail }) =>
    [action, actor === "system" ? "by the server" : "by a person", outcome, detail.occasion]
      .filter((word) => word !== undefined)
      .join(" "),
  );
}

describe.skipIf(isExternal)("the audit log", () => {
  test("Activation and runtime transitions are recorded: armed, detached at a stop, armed again at a start, disabled", async () => {
    const yard = new PluginYard();
    yard.bundle();
    const first = await yard.start();
    for (const state of ["installed", "active"]) expect((await first.move("acme-hello", state)).status).toBe(200);
    expect((await first.server.stop()).code).toBe(0);
    const second = await yard.start();
    expect((await second.move("acme-hello", "disabled")).status).toBe(200);
    expect(await told(second, "acme-hello")).toEqual([
      "plugin.verified by the server done",
      "plugin.installed by a person done",
      "plugin.armed by the server done activation",
      "plugin.activated by a person done",
      "plugin.detached by the server done stop",
      "plugin.armed by the server done start",
      "plugin.detached by the server done disabling",
      "plugin.disabled by a person done",
    ]);
    // Whoever reads the server's own log finds them there as well.
    expect(second.server.log.text).toMatch(/a plugin is armed.*acme-hello.*start[^]*a plugin is detached.*acme-hello/);
  });

  test("Activation and runtime transitions are recorded: the breaker of a plugin that fails", async () => {
    const yard = new PluginYard();
    yard.bundle({ artifact: failing });
    const operator = await yard.start();
    for (const state of ["installed", "active"]) expect((await operator.move("acme-hello", state)).status).toBe(200);
    for (let time = 0; time < 5; time += 1) expect((await operator.ask("acme-hello", "health")).status).toBe(422);
    expect((await operator.ask("acme-hello", "health")).status).toBe(429);
    expect((await told(operator, "acme-hello")).slice(4)).toEqual([
      ...Array.from({ length: 5 }, () => [
        "plugin.asked by a person done",
        "plugin.answered by a person failed",
      ]).flat(),
      "plugin.breaker_opened by the server done",
    ]);
    expect((await operator.audit("plugin/acme-hello")).at(-1)).toMatchObject({
      detail: { failuresInARow: 5, reason: "it ended with 3" },
    });
  });
});
