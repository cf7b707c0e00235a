import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "./client.ts";
import { armName, flows } from "./flows.ts";
import { stopClock } from "./stopped-clock.ts";

/** `node flow.ts <prepare|run> <flow> <directory> <run>`: one flow in a process that may be disturbed. */
const [what = "", name = "", directory = "", run = "0"] = process.argv.slice(2);
const flow = flows.get(name);
if (flow === undefined) throw new Error(`there is no flow "${name}"`);
stopClock();
if (what === "prepare") await flow.prepare(directory);
else await flow.run(directory, Number(run), () => writeFileSync(join(directory, armName), "1"));
say("done");
process.exit(0);
