import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openLauncher } from "@gatehouse/sandbox";

/** A server that starts plugins and waits to be killed: `node mortal.ts PROBE RUNTIME ACTION…` */
const [path = "", runtimeDirectory = "", ...actions] = process.argv.slice(2);
const launcher = await openLauncher({ runtimeDirectory, least: "landlock" });
const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
const staged = await launcher.stage({ path, sha256 });
for (const action of actions)
  staged
    .start(action, { deadlineMs: 60_000, outputBytes: 65_536, stderrBytes: 65_536, memoryBytes: 256 * 1024 * 1024 })
    .send("");
process.stdout.write("up\n");
setTimeout(() => process.exit(1), 60_000);
