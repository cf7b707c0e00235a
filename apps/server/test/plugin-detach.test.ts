import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { manualClock } from "@gatehouse/base";
import type { VerifiedBundle } from "@gatehouse/bundle/verify";
import { openLauncher } from "@gatehouse/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { type BrokerHandlers, openBroker } from "../src/features/plugin-broker/index.ts";
import { systemRunner } from "../src/features/plugin-runtime/index.ts";
import { openLog } from "../src/platform/log/index.ts";
import { plain, pluginFolder, startPluginServer } from "./plugin-server.ts";

/** The real runner, whose removal of the staged copy fails because something lies beside the copy. */
const artifact = "#!/bin/sh\nexit 0\n";

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-detach-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function putBeside(runtimeDirectory: string): void {
  const paths = readdirSync(runtimeDirectory, { recursive: true, encoding: "utf8" });
  const copy = paths.find((path) => path.endsWith("artifact"));
  writeFileSync(join(runtimeDirectory, dirname(copy ?? "no copy is staged"), "beside"), "not of the server");
}

test("when stopping the runtime fails, broker access is detached all the same, and before anything else", async () => {
  const place = freshDirectory();
  writeFileSync(join(place, "artifact"), artifact);
  const runtimeDirectory = join(place, "runtime");
  const launcher = await openLauncher({ runtimeDirectory, least: "none", onTrouble: () => undefined });
  onTestFinished(() => launcher.close());
  // Nothing is called here: what counts is who is attached.
  const broker = openBroker({
    handlers: {} as BrokerHandlers,
    log: openLog({ format: "text", write: () => undefined }),
  });
  const artifactPath = () => join(place, "artifact");
  const runner = systemRunner({ launcher, broker, deadlineFactor: 1, clock: manualClock(), artifactPath });
  const manifest = { id: "acme-hello", runner: "system", publisher: "acme", capabilities: ["log:write"] };
  const artifactSha256 = createHash("sha256").update(artifact).digest("hex");
  const armed = await runner.arm({ manifest, artifactSha256, payloadSha256: "" } as unknown as VerifiedBundle);
  expect(broker.attachedIds()).toEqual(["acme-hello"]);
  putBeside(runtimeDirectory);
  const disarming = armed.disarm();
  expect(broker.attachedIds(), "before anything is waited for").toEqual([]);
  await expect(disarming).rejects.toMatchObject({ detail: expect.stringContaining("ENOTEMPTY") as string });
  expect(broker.attachedIds()).toEqual([]);
});

test("a plugin whose staged copy cannot be removed is disabled, and the answer and the audit log say what was left", async () => {
  const folder = pluginFolder();
  folder.place(plain("plugin-hello"), artifact);
  const runtimeDir = freshDirectory();
  const server = await startPluginServer({ directory: folder.directory, config: { runtimeDir } });
  await server.move("plugin-hello", "installed");
  expect((await server.move("plugin-hello", "active")).status).toBe(200);
  putBeside(runtimeDir);
  const left = expect.stringContaining("ENOTEMPTY") as string;
  expect(await server.move("plugin-hello", "disabled")).toMatchObject({
    status: 200,
    body: { status: "disabled", runtime: { state: "failed", message: left } },
  });
  expect((await server.audit()).slice(-2)).toMatchObject([
    { action: "plugin.detached", actor: "system", outcome: "failed", detail: { occasion: "disabling", reason: left } },
    { action: "plugin.disabled", actor: "token:admin", outcome: "failed", detail: { to: "disabled", reason: left } },
  ]);
  expect((await server.ask("plugin-hello", "health")).body.code).toBe("plugin.not_active");
});
