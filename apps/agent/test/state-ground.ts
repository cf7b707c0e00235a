import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StateGround } from "../src/operations/host-operation.ts";
import { makeHostDirectory } from "./host-directory.ts";
import { recordedHost } from "./recorded-host.ts";

/** A host to read from: a directory, and programs that are a table. */
export function makeStateGround(answers: Parameters<typeof recordedHost>[0] = {}) {
  const host = makeHostDirectory();
  const { run, lines } = recordedHost(answers);
  const ground: StateGround = {
    root: host.root,
    run,
    checkTime: () => undefined,
    privateKey: new Uint8Array(32).fill(9),
  };
  const write = (path: string, text: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(host.root, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(host.root, path), text, { mode });
  };
  write("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nweb-1:x:1007:1007::/:/bin/sh\nBad$:x:1008:1008::/:/bin/sh\n");
  write("/etc/group", "root:x:0:\nweb:x:1007:\n");
  return { host, ground, lines, write };
}
