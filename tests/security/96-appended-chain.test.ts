import { afterAll, expect, test } from "vitest";
import { startAppendingNginx } from "./support/appending-nginx.ts";
import { call, enter, readAudit } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { admin } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Ours, 0.1.5: behind a proxy that only appends to the chain, X-Real-IP and CF-Connecting-IP came from the visitor. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1" } });
const nginx = await startAppendingNginx(server.port);
afterAll(() => nginx[Symbol.asyncDispose]());
const visitor = "127.0.0.9";

type Headers = readonly (readonly [string, string])[];

/** Every header that names a client, alone, together, doubled, and with a chain that the visitor began. */
function claims(address: string): readonly Headers[] {
  const names = ["CF-Connecting-IP", "X-Real-IP", "x-real-ip"] as const;
  const alone = names.map((name): Headers => [[name, address]]);
  const both: Headers = [
    ["CF-Connecting-IP", address],
    ["X-Real-IP", address],
  ];
  const chains = [address, `${address}, ${address}`, `${address},`, "127.0.0.1", "nonsense", ""].map(
    (chain): Headers => [["X-Forwarded-For", chain]],
  );
  const sets = [...alone, both, [...both, ...both]];
  const named = sets.flatMap((set) => [set, ...chains.map((chain) => [...set, ...chain])]);
  const hidden = sets.map((set): Headers => [...set, ["Connection", "close, X-Forwarded-For"]]);
  return [[], ...chains, ...named, ...hidden];
}

test("whatever a visitor writes, the server sees the address from which the proxy was asked", async (context) => {
  const sets = claims("198.51.100.7");
  const wrong: string[] = [];
  for (const headers of sets) {
    const answer = await send(nginx.port, { path: "/api/version", headers, localAddress: visitor });
    const seen = (await server.lineAbout(answer.headers.get("x-request-id") ?? ""))["address"];
    if (seen !== visitor) wrong.push(`${JSON.stringify(headers)}: ${String(seen)}`);
  }
  expect(wrong).toEqual([]);
  tried(context, `${count(sets.length, "header sets")} through a real nginx that appends`);
});

test("sign-ins with an invented address each are one visitor's, in the limit, the session and the audit log", async (context) => {
  let invented = 0;
  const signInAs = (who: { username: string; password: string }, name: string) => {
    invented += 1;
    const headers = [[name, `198.51.100.${invented}`] as const, ["Content-Type", "application/json"] as const];
    const asked = {
      method: "POST",
      path: "/api/auth/login",
      headers,
      body: JSON.stringify(who),
      localAddress: visitor,
    };
    return send(nginx.port, asked);
  };
  expect((await signInAs(admin, "X-Real-IP")).status).toBe(200);
  const statuses: number[] = [];
  for (let at = 1; at <= 12; at += 1) {
    for (const name of ["CF-Connecting-IP", "X-Real-IP"]) {
      statuses.push((await signInAs({ username: `nobody-${at}`, password: "not the password" }, name)).status);
    }
  }
  expect(statuses).toContain(429);
  const { as } = await enter(server.port);
  const sessions = await call(server.port, "GET", "/api/auth/sessions", { as });
  for (const told of [await readAudit(server.port, as), sessions.body].map((found) => JSON.stringify(found))) {
    expect(told).toContain(`"address":"${visitor}"`);
    expect(told).not.toContain("198.51.100.");
  }
  tried(
    context,
    `${count(invented, "invented addresses")}, ${count(statuses.filter((one) => one === 429).length, "limited")}`,
  );
});
