import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { call, cookieOf, ofCookie } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { admin, startServer } from "./support/server.ts";
import { tried } from "./support/tried.ts";

/** Every password waited in one line of 34: a few hundred addresses kept it full, and nobody signed in or stepped up. */
const clients = 44;

/** Strangers who sign in again and again, each time under another name and from another network. */
function openCrowd(port: number) {
  const over = new AbortController();
  let [asked, judged] = [0, 0];
  const client = async (number: number) => {
    for (let at = 0; !over.signal.aborted; at += 1) {
      asked += 1;
      const { status } = await send(port, {
        method: "POST",
        path: "/api/auth/login",
        headers: [
          ["Content-Type", "application/json"],
          ["X-Real-IP", `2001:db8:${(number * 1_024 + at).toString(16)}::1`],
        ],
        body: JSON.stringify({ username: `nobody-${number}-${at}`, password: "not the password" }),
      });
      if (status === 401) judged += 1;
    }
  };
  const ends = Array.from({ length: clients }, (_, number) => client(number));
  return {
    isThere: () => asked >= clients && judged > 0,
    /** Those who still wait are gone when the server is. */
    end: () => over.abort(),
    gone: () => Promise.allSettled(ends),
  };
}

async function signIn(port: number, address: string) {
  const raw = await send(port, {
    method: "POST",
    path: "/api/auth/login",
    headers: [
      ["Content-Type", "application/json"],
      ["X-Real-IP", address],
    ],
    body: JSON.stringify({ username: admin.username, password: admin.password }),
  });
  return { status: raw.status, raw };
}

test("a crowd of strangers keeps nobody from signing in, from anywhere, and nobody from stepping up", async (context) => {
  await using server = await startServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" } });
  const owner = await signIn(server.port, "192.0.2.1");
  expect(owner.status).toBe(200);
  const crowd = openCrowd(server.port);
  try {
    await until("the crowd is there", () => crowd.isThere());
    expect((await signIn(server.port, "192.0.2.77")).status, "at a known place").toBe(200);
    const proof = { as: ofCookie(cookieOf(owner)), body: { password: admin.password } };
    expect((await call(server.port, "POST", "/api/auth/step-up", proof)).status, "who is signed in").toBe(200);
    expect((await signIn(server.port, "203.0.113.5")).status, "somewhere new").toBe(200);
  } finally {
    crowd.end();
    await server.kill();
    await crowd.gone();
  }
  tried(
    context,
    `${clients} clients, each time of another name and network: two sign-ins and a step-up at the first try`,
  );
});
