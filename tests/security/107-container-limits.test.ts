import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attacked } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Gatehouse 0.1.5: the shipped compose file gave the container all memory of the host and a log without an end. That the engine keeps
 * to it is asked of the running container (`npm run lab:container`).
 */
const text = readFileSync(join(attacked, "deploy/compose/compose.yaml"), "utf8");

/** The value of a key of the service, or of a key below another: enough of YAML for a file of ours. */
function valueOf(key: string, indent = 4): string | undefined {
  return new RegExp(`^ {${indent}}${key}: *(.+?) *$`, "m").exec(text)?.[1];
}

function bytes(value: string | undefined): number {
  const [, number, unit] = /^"?(\d+)([kmg])b?"?$/.exec(value ?? "") ?? [];
  return Number(number) * { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit as "k" | "m" | "g"];
}

test("the shipped container has a limit of memory that holds the server, an action and the tmpfs mounts", (context) => {
  const mounts = [...text.matchAll(/^ {6}- \/\S+:\S*size=(\d+m)/gm)].map(([, size]) => bytes(size));
  expect(mounts).toHaveLength(3);
  const [server, action] = [300 * 1024 ** 2, 256 * 1024 ** 2];
  const limit = bytes(valueOf("mem_limit"));
  expect(limit).toBeGreaterThan(mounts.reduce((sum, size) => sum + size, server + action));
  expect(limit).toBeLessThanOrEqual(2 * 1024 ** 3);
  tried(context, "a limit of memory");
});

test("the shipped container has a limit of processes and a log that ends", (context) => {
  expect(Number(valueOf("pids_limit"))).toBeLessThanOrEqual(512);
  expect(valueOf("driver", 6)).toBe("json-file");
  const [, size, files] = /^\{ max-size: (\w+), max-file: "(\d+)" \}$/.exec(valueOf("options", 6) ?? "") ?? [];
  expect(bytes(size) * Number(files)).toBeLessThanOrEqual(100 * 1024 ** 2);
  tried(context, count(2, "limits"));
});

test("nothing raises what the image lowers: no privilege, no host namespace, no writable root", (context) => {
  expect(text).not.toMatch(/privileged|(network_mode|pid|ipc|userns_mode): *"?host|docker\.sock/);
  expect([valueOf("read_only"), valueOf("cap_drop")]).toEqual(["true", "[ALL]"]);
  tried(context, count(3, "settings"));
});
