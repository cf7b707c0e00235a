import { openSignInDoor } from "../security/inside/sign-in-door.ts";
import { Chance } from "../security/support/chance.ts";
import { openEventStream } from "../security/support/event-stream.ts";
import { change, enter, newPerson } from "../security/support/people.ts";
import { send } from "../security/support/raw-http.ts";
import { admin, startServer } from "../security/support/server.ts";
import { signInRequest } from "../security/support/sign-in.ts";
import type { Goal } from "./measure.ts";
import { toldApart, welch } from "./welch.ts";

/** Whether a known name is told from an unknown one by the time of the refusal, and how soon a disabled user is out. */
export async function measureSignIn(short: boolean): Promise<Goal[]> {
  const settings = { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" };
  await using server = await startServer({ env: settings });
  return [
    atMost(
      "a known and an unknown name inside the server, Welch's |t|",
      await inside(short ? 2_000 : 20_000),
      toldApart,
    ),
    atMost(
      "a known and an unknown name over HTTP, Welch's |t|",
      await overHttp(server.port, short ? 60 : 500),
      toldApart,
    ),
    atMost("the end of a disabled user's stream", await endOfStream(server.port), 1_000, " ms"),
  ];
}

export function atMost(name: string, found: number, goal: number, unit = ""): Goal {
  return { name, found, goal, atLeast: false, unit };
}

async function inside(pairs: number): Promise<number> {
  await using door = await openSignInDoor();
  for (let at = 0; at < 200; at += 1) await door.attempt(at % 2 === 0 ? admin.username : "nobod");
  return compare(
    pairs,
    () => door.attempt(admin.username),
    () => door.attempt("nobod"),
  );
}

function overHttp(port: number, pairs: number): Promise<number> {
  const attempt = async (username: string, password: string, expected: number) => {
    const { status, ms } = await send(port, signInRequest({ username, password }));
    if (status !== expected) throw new Error(`${username} was answered ${status}`);
    return ms;
  };
  let failures = 0;
  let strangers = 0;
  const known = async () => {
    // Two failures are free; a good sign-in between them keeps the account from having to wait.
    if (failures++ % 2 === 0) await attempt(admin.username, admin.password, 200);
    return attempt(admin.username, "not the password", 401);
  };
  return compare(pairs, known, () => attempt(`n${String(strangers++).padStart(4, "0")}`, "not the password", 401));
}

/** The arms take turns in random order, so that whatever else the machine does falls upon both. */
async function compare(pairs: number, known: () => Promise<number>, unknown: () => Promise<number>): Promise<number> {
  const chance = new Chance("timing");
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let at = 0; at < pairs; at += 1) {
    const isKnownFirst = chance.below(2) === 0;
    if (isKnownFirst) times.known.push(await known());
    times.unknown.push(await unknown());
    if (!isKnownFirst) times.known.push(await known());
  }
  return Math.abs(welch(times.known, times.unknown));
}

async function endOfStream(port: number): Promise<number> {
  const owner = await enter(port);
  const user = await newPerson(port, owner, "operator", "short-lived");
  using stream = openEventStream(port, user.as);
  await stream.until(() => stream.text().includes("\nid: "));
  await change(port, owner.as, user.id, { disabled: true });
  const from = performance.now();
  await stream.until(() => !stream.isOpen());
  return performance.now() - from;
}
