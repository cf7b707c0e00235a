import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { send } from "./support/raw-http.ts";
import { startServer } from "./support/server.ts";
import { affordable, raiseLimit, startSlowAttack } from "./support/slow-attack.ts";
import { count, tried } from "./support/tried.ts";

/** etcd: connections that say nothing, or nothing that makes sense, and the good client waits behind them. */
const clients = affordable(counts["88 slow clients"]);
const handshakes = counts["88 bad handshakes"];
const goodRequests = counts["88 good requests"];

test("a good client is served while slow and broken ones are there, and whoever never finishes is thrown out", async (context) => {
  await using server = await startServer({ before: raiseLimit, env: { SERVICE_ACCESS_LOG: "0" } });
  await using attack = startSlowAttack(server.port, clients, handshakes);
  await attack.until("held");
  const refused: number[] = [];
  for (let at = 0; at < goodRequests; at += 1) {
    const path = ["/api/health", "/api/version", "/", "/api/openapi.json"][at % 4] ?? "/";
    const { status } = await send(server.port, { path });
    if (status !== 200) refused.push(status);
  }
  expect(refused).toEqual([]);
  await attack.until("sent");
  // Everybody who begins a request and does not end it, whether within its head or within its body.
  await attack.until("dismissed");
  expect((await send(server.port, { path: "/api/health" })).status).toBe(200);
  const done = await attack.end();
  expect(done.badHandshakes).toBe(handshakes);
  expect(server.isAlive()).toBe(true);
  const beside = `${count(clients, "slow clients")}, ${count(done.badHandshakes, "bad handshakes")}`;
  tried(
    context,
    `${beside}, ${count(goodRequests, "good requests")} answered, ${count(done.closedByServer, "dismissed")}`,
  );
});
