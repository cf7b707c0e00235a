import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { StagedArtifact } from "@gatehouse/sandbox";
import { giveInput } from "../support/give-input.ts";
import { stopMs } from "../support/stopped.ts";
import type { PlaceReport } from "./place-report.ts";
import { endsTheProcess } from "./probe-list.ts";
import { secret, type Witness } from "./witness.ts";

/** The deadline only stops what hangs. */
const limits = { deadlineMs: stopMs, outputBytes: 65_536, stderrBytes: 65_536, memoryBytes: 256 * 1024 * 1024 };

/** Lets a plugin try one way out. It escaped if it says so, if the witness noticed, or if it did not answer at all. */
export async function probe(
  staged: StagedArtifact,
  name: string,
  witness: Witness,
): Promise<PlaceReport & { kind: "probe" }> {
  const action = staged.start(name, limits);
  const lines: string[] = [];
  action.lines((line) => lines.push(line));
  action.send(witness.line);
  const end = await action.onEnd;
  // Whoever connected or signalled is heard of in the next turns of the loop.
  await delay(1);
  const noticed = witness.changes();
  const said = lines.at(-1) ?? "";
  const judged = { kind: "probe", name } as const;
  if (noticed.length > 0) return { ...judged, escaped: true, detail: `${said}; noticed: ${noticed.join(", ")}` };
  if (lines.join().includes(secret)) return { ...judged, escaped: true, detail: said };
  if (said.startsWith("denied ")) return { ...judged, escaped: false, detail: said.slice("denied ".length) };
  const badCall = end.signal === "SIGSYS" || end.code === 128 + 31;
  if (badCall && endsTheProcess.has(name)) return { ...judged, escaped: false, detail: "SIGSYS" };
  return {
    ...judged,
    escaped: true,
    detail: said === "" ? `no answer: ${end.reason} ${end.stderr.slice(0, 200)}` : said,
  };
}

/** The same program and user without any sandbox, against a process of its own: does the way out exist at all on this host? */
export async function probeOutside(
  program: string,
  name: string,
  witness: Witness,
): Promise<PlaceReport & { kind: "outside" }> {
  const victim = spawn("/usr/bin/sleep", ["3600"], { stdio: "ignore" });
  const child = spawn(program, [name], { stdio: ["pipe", "pipe", "ignore"], timeout: stopMs, killSignal: "SIGKILL" });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  giveInput(child.stdin, `${witness.line.replace(/server=\d+/, `server=${victim.pid}`)}\n`);
  await once(child, "close");
  victim.kill("SIGKILL");
  await delay(1);
  const noticed = witness.changes();
  return { kind: "outside", name, works: noticed.length > 0 || said.includes("ESCAPED") };
}
