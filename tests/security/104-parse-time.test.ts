import { expect, test } from "vitest";
import { call, enter, newPerson, newToken, ofCookie } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * A body of 200 KB that is one list of zeros took a tenth of a second to read, and was allowed thirty times a second for every
 * session of a viewer: the server did nothing else.
 */
const { port } = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const owner = await enter(port);
const body = `{"name":[${"0,".repeat(99_900)}0]}`;
const budget = { perSecond: 512 * 1024, burst: 4 * 1024 * 1024 };

test("what is read for one person has a budget, over all of their sessions, and costs nobody else's", async (context) => {
  const viewer = await newPerson(port, owner, "viewer");
  const second = await enter(port, viewer);
  const neighbour = await newPerson(port, owner, "operator");
  const bodies = 60;
  const started = performance.now();
  const statuses: number[] = [];
  for (let n = 0; n < bodies; n += 1) {
    const as = n % 2 === 0 ? viewer.as : ofCookie(second.cookie);
    const answer = await send(port, {
      method: "POST",
      path: "/api/tokens",
      headers: [...as, ["Content-Type", "application/json"]],
      body,
    });
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const seconds = (performance.now() - started) / 1_000 + 1;
  const read = statuses.filter((status) => status === 400).length;
  expect(statuses.filter((status) => status !== 400 && status !== 429)).toEqual([]);
  expect(read * body.length).toBeLessThanOrEqual(budget.burst + budget.perSecond * seconds);
  // Somebody else has a budget of their own, and this person still reads.
  expect(await newToken(port, neighbour, ["node:read"])).toMatchObject({ id: expect.any(String) });
  expect((await call(port, "GET", "/api/auth/whoami", { as: viewer.as })).status).toBe(200);
  tried(context, `${count(bodies, "bodies")} of ${body.length} bytes, ${read} of them read`);
});
