import { buildIfOld } from "../../tools/build-if-old.ts";
import { noteResult, type TestResult } from "../../tools/gate/test-results.ts";
import { readAnswer } from "./answer.ts";
import { drawRequest, type HostileRequest } from "./grammar.ts";
import { judge, unanswered } from "./judge.ts";
import { Random } from "../support/random.ts";
import { send } from "./send.ts";
import { type ServerUnderTest, startServer } from "./server.ts";
import { readSettings } from "./settings.ts";
import { slowClients } from "./slow-clients.ts";

/** `npm run hostile [-- --short] [-- --seed N] [-- --only N]`: sends hostile bytes to the real server and judges every answer. */
const shownFaults = 12;

const settings = readSettings(process.argv.slice(2));
console.log(`hostile: seed ${settings.seed}, ${settings.requests} requests${settings.short ? " (short)" : ""}`);
await buildIfOld();
const started = performance.now();
const server = await startServer();
const checks: Check[] = [];
try {
  await attack(server);
} finally {
  const code = await server.stop();
  check("the server stops with 0 afterwards", code === 0 ? undefined : `exit code ${code}`);
}
const failed = checks.filter(({ why }) => why !== undefined);
for (const { name, why, counts } of checks) {
  console.log(`${why === undefined ? "ok    " : "FAILED"} ${name}${why === undefined ? "" : `: ${why}`}`);
  noteResult({ name, verdict: why === undefined ? "passed" : "failed", ...(counts !== undefined && { counts }) });
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `hostile: ${settings.requests} requests, ${failed.length} of ${checks.length} checks failed (seed ${settings.seed}) in ${seconds} s`,
);
console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function attack(target: ServerUnderTest): Promise<void> {
  const token = await target.issueToken();
  const before = await target.state();
  const { faults, statuses, sick, slowest } = await sendAll(target, token);
  console.log(
    `answers: ${[...statuses]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([status, count]) => `${count} × ${status}`)
      .join(", ")}`,
  );
  console.log(`slowest answer ${slowest.toFixed(0)} ms`);
  for (const [fault, cases] of [...faults].slice(0, shownFaults))
    console.log(`  ${cases.length} × ${fault}: ${cases.slice(0, 3).join("; ")}`);
  const only = (name: string, mine: (fault: string) => boolean, counts?: TestResult["counts"]) => {
    const count = [...faults].filter(([fault]) => mine(fault)).reduce((sum, [, cases]) => sum + cases.length, 0);
    check(name, count === 0 ? undefined : `${count} were not`, counts);
  };
  const isHang = (fault: string) => fault === unanswered;
  const isFailure = (fault: string) => fault.startsWith("status 5");
  only("every request is answered or closed", isHang, { requests: settings.requests });
  only("no answer is a 5xx", isFailure);
  only("every answer is well-formed, and every error a problem", (fault) => !isHang(fault) && !isFailure(fault));
  check("health stays ok throughout", sick === 0 ? undefined : `${sick} times it was not`);

  const slow = await slowClients(target, settings.slowClients);
  console.log(
    `slow clients: ${slow.dismissed} of ${slow.clients} dismissed, ${slow.served} good requests meanwhile, p99 ${slow.goodP99.toFixed(0)} ms`,
  );
  check(
    "clients that never finish are dismissed",
    slow.dismissed === slow.clients ? undefined : `${slow.clients - slow.dismissed} were not`,
    { clients: slow.clients },
  );
  check(
    "others are served meanwhile",
    slow.served > 0 && slow.refused === 0 ? undefined : `${slow.served} were, ${slow.refused} were not`,
  );

  const { position, files } = await target.state();
  const done = await target.doneSince(before.position, token);
  console.log(`audit log: ${position - before.position} refusals recorded`);
  check("nothing was done", done.length === 0 ? undefined : done.slice(0, 5).join(", "));
  // Refused sign-ins are counted in the audit log, a record per address, account and minute; nothing else may be written.
  const mayDiffer = position > before.position;
  check(
    "the files of the state are as they were",
    mayDiffer || files === before.files ? undefined : `before ${before.files}, after ${files}`,
  );
  check("every log line is one JSON object and none tells of a failure", logFault(target.logLines()));
}

async function sendAll(target: ServerUnderTest, token: string) {
  const faults = new Map<string, string[]>();
  const statuses = new Map<string, number>();
  const secrets = target.secrets();
  let sick = 0;
  let slowest = 0;
  let next = settings.first;
  const lane = async () => {
    for (let i = next; i < settings.first + settings.requests; i = next) {
      next += 1;
      const request = drawRequest(new Random(settings.seed, i), token);
      const reply = await send(
        target.port,
        request,
        (bytes) => readAnswer(bytes, request.method === "HEAD").kind !== "partial",
      );
      const verdict = judge(request, reply, secrets);
      slowest = Math.max(slowest, reply.ms);
      const status = String(verdict.status ?? "none");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      for (const fault of verdict.faults) faults.set(fault, [...(faults.get(fault) ?? []), `#${i} ${shown(request)}`]);
      if (settings.isSingle)
        console.log(`#${i} ${JSON.stringify(request)}\n${reply.bytes}\n${verdict.faults.join(", ")}`);
      if (i % 250 === 0 && !(await target.isHealthy().catch(() => false))) sick += 1;
    }
  };
  await Promise.all(Array.from({ length: settings.lanes }, lane));
  if (!(await target.isHealthy().catch(() => false))) sick += 1;
  return { faults, statuses, sick, slowest };
}

function shown({ parts }: HostileRequest): string {
  return JSON.stringify(parts.join("").slice(0, 90));
}

function logFault(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    try {
      const { level } = JSON.parse(line) as { level: string };
      if (level === "error") return line.slice(0, 500);
    } catch {
      return `not JSON: ${line.slice(0, 200)}`;
    }
  }
  return undefined;
}

interface Check {
  readonly name: string;
  /** What is wrong; undefined when nothing is. */
  readonly why: string | undefined;
  readonly counts: TestResult["counts"];
}

function check(name: string, why: string | undefined, counts?: TestResult["counts"]): void {
  checks.push({ name, why, counts });
}
