import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleRejection } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { netguard, plain, pluginFolder, startPluginServer } from "./plugin-server.ts";

const health = async (server: Awaited<ReturnType<typeof startPluginServer>>) =>
  (await server.get("/api/health")).text();

describe("the server starts whatever the plugin directory is", () => {
  test("missing or empty: nothing is loaded and nothing is rejected", async () => {
    for (const directory of ["/nowhere/plugins", pluginFolder().directory]) {
      const server = await startPluginServer({ directory });
      const sandbox = { level: null, isTried: false };
      expect(await server.list()).toMatchObject({ items: [], rejections: [], nextCursor: null, sandbox });
    }
  });

  test("a file, a pipe, or a directory that cannot be read: one rejection says so", async () => {
    const { directory } = pluginFolder();
    const file = join(directory, "file");
    writeFileSync(file, "not a directory");
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const closed = join(directory, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0o000);
    // Root reads everything; for root a directory that cannot be read is only a longer path.
    const isRoot = process.getuid?.() === 0;
    for (const unusable of [file, pipe, ...(isRoot ? [] : [closed])]) {
      const server = await startPluginServer({ directory: unusable });
      expect(await health(server)).toBe('{"status":"ok"}');
      const { items, rejections } = await server.list();
      expect(items).toEqual([]);
      expect(rejections).toMatchObject([{ name: ".", code: "bundle.unreadable" }]);
    }
    chmodSync(closed, 0o700);
  });

  test("full of what is no bundle: each entry has its reason, and good bundles beside them are loaded", async () => {
    const folder = pluginFolder();
    const at = (...path: string[]) => join(folder.directory, ...path);
    folder.place(netguard);
    folder.write("trust.json", "{}");
    folder.write("plugin-file", "no directory");
    symlinkSync(at("netguard"), at("plugin-link"));
    mkdirSync(at("plugin-empty"));
    folder.place(plain("plugin-extra"));
    folder.write("plugin-extra/README.md", "hello");
    folder.place(plain("plugin-linked"));
    linkSync(at("plugin-linked/artifact"), at("plugin-hard-link"));
    folder.place(plain("plugin-piped"));
    renameSync(at("plugin-piped/artifact"), at("plugin-piped-artifact"));
    execFileSync("mkfifo", [at("plugin-piped/artifact")]);
    folder.place(plain("plugin-edited"));
    writeFileSync(at("plugin-edited/artifact"), "artifact of plugin-edited 6.6.6");
    folder.place(plain("plugin-other", { publisher: "somebody" }));
    folder.place(plain("foreign"));
    const server = await startPluginServer({ directory: folder.directory });
    const { items, rejections } = await server.list();
    expect(items.map(({ id }) => id)).toEqual(["netguard"]);
    expect(Object.fromEntries(rejections.map(({ name, code }) => [name, code]))).toEqual({
      foreign: "bundle.id_outside_prefixes",
      "plugin-edited": "bundle.artifact_digest_mismatch",
      "plugin-empty": "bundle.file_missing",
      "plugin-extra": "bundle.unexpected_entry",
      "plugin-file": "bundle.not_a_directory",
      "plugin-hard-link": "bundle.not_a_directory",
      "plugin-link": "bundle.not_a_directory",
      "plugin-linked": "bundle.hard_link",
      "plugin-other": "bundle.publisher_not_trusted",
      "plugin-piped": "bundle.not_a_regular_file",
      "plugin-piped-artifact": "bundle.not_a_directory",
      "trust.json": "bundle.name_invalid",
    });
    for (const rejection of rejections) expect(bundleRejection.safeParse(rejection).error).toBeUndefined();
    const lines = server.logLines.filter((line) => line.includes("a bundle is rejected"));
    expect(lines).toHaveLength(rejections.length);
    expect(lines.every((line) => / warn .*code=bundle\.\w+ name=\S+ detail=/.test(line))).toBe(true);
    const summary = server.logLines.filter((line) => line.includes("plugin bundles are loaded"));
    expect(summary).toHaveLength(1);
    expect(summary[0]).toContain("accepted=1 rejected=12");
  });

  test("named to deceive: names are made printable, in the list and in the log", async () => {
    const folder = pluginFolder();
    const names = ["\u001b[2Jwiped", "a\nb", "net\u202eguard", "\u009b31m", "..."];
    for (const name of names) mkdirSync(join(folder.directory, name));
    const raw = Buffer.concat([Buffer.from(`${folder.directory}/`), Buffer.from([0xff, 0xfe, 0x41])]);
    mkdirSync(raw);
    mkdirSync(join(folder.directory, "x".repeat(255)));
    const server = await startPluginServer({ directory: folder.directory });
    const { rejections } = await server.list();
    expect(rejections).toHaveLength(names.length + 2);
    for (const { name, detail, code } of rejections) {
      expect(code).toBe("bundle.name_invalid");
      expect(`${name}${detail}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }
    expect(new Set(rejections.map(({ name }) => name)).size).toBe(rejections.length);
    expect(server.logLines.join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test("with two directories that claim one id, the one with the right name is loaded", async () => {
    const folder = pluginFolder();
    folder.place(netguard);
    folder.place(netguard, undefined, "plugin-netguard-copy");
    folder.place(plain("plugin-moved"), undefined, "plugin-elsewhere");
    const server = await startPluginServer({ directory: folder.directory });
    const { items, rejections } = await server.list();
    expect(items.map(({ id }) => id)).toEqual(["netguard"]);
    expect(rejections).toMatchObject([
      { name: "plugin-elsewhere", code: "bundle.id_mismatch" },
      { name: "plugin-netguard-copy", code: "bundle.duplicate_id" },
    ]);
  });

  test("with 2,500 entries: 2,000 are judged, the others are told to be too many", async () => {
    const folder = pluginFolder();
    for (let i = 0; i < 2_499; i += 1) mkdirSync(join(folder.directory, `plugin-${String(i).padStart(4, "0")}`));
    folder.place(netguard);
    const server = await startPluginServer({ directory: folder.directory });
    const { items, rejections } = await server.list();
    expect(items.map(({ id }) => id)).toEqual(["netguard"]);
    const tooMany = rejections.filter(({ code }) => code === "bundle.too_many");
    expect([rejections.length - tooMany.length, tooMany.length]).toEqual([1_999, 100]);
    expect(server.logLines.find((line) => line.includes("plugin bundles are loaded"))).toContain("unread=500");
  });
});

test("without a trust policy nothing is trusted and the server runs", async () => {
  const folder = pluginFolder();
  folder.place(netguard);
  const server = await startPluginServer({ directory: folder.directory, config: { pluginTrust: undefined } });
  const { items, rejections } = await server.list();
  expect(items).toEqual([]);
  expect(rejections).toMatchObject([{ name: "netguard", code: "bundle.publisher_not_trusted" }]);
  expect(rejections[0]?.detail).toMatch(/^publisher is not trusted: /);
});
