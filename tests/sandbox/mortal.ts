import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { openLauncher } from "@gatehouse/sandbox";
import { crowdLimits } from "./deaths.ts";

/** A server that starts plugins and waits to be killed: `node mortal.ts PROBE RUNTIME ACTION…` */
const [path = "", runtimeDirectory = "", ...actions] = process.argv.slice(2);
const launcher = await openLauncher({ runtimeDirectory, least: "landlock" });
const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
const staged = await launcher.stage({ path, sha256 });
for (const action of actions) staged.start(action, crowdLimits).send("");
process.stdout.write("up\n");
// Whoever was to kill it has ended.
process.stdin.resume().on("end", () => process.exit(1));
