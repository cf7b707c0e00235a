import { setTimeout as delay } from "node:timers/promises";
import { send } from "../security/support/raw-http.ts";
import { startServer } from "../security/support/server.ts";
import { affordable, raiseLimit, startSlowAttack } from "../security/support/slow-attack.ts";
import { type Goal } from "./measure.ts";
import { percentile } from "../support/percentile.ts";
import { atMost } from "./timing-sign-in.ts";

/** What a good client waits beside thousands of slow ones, beyond what it waits alone. */
export async function measureClients(short: boolean): Promise<Goal[]> {
  await using server = await startServer({ before: raiseLimit, env: { SERVICE_ACCESS_LOG: "0" } });
  const requests = short ? 200 : 1_000;
  const alone = await waits(server.port, requests);
  await using attack = startSlowAttack(server.port, affordable(short ? 2_000 : 10_000), short ? 1_000 : 20_000);
  await attack.until("held");
  const beside = await waits(server.port, requests);
  const { mostHeld } = await attack.end();
  console.log(
    `  ${mostHeld} slow clients at once; alone p99 ${alone.toFixed(1)} ms, beside them ${beside.toFixed(1)} ms`,
  );
  return [atMost("a good client's p99 beside slow clients, beyond alone", beside - alone, 200, " ms")];
}

/** The p99 of a client that asks for this and that, fifty times a second at the most. */
async function waits(port: number, requests: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < requests; at += 1) {
    const path = ["/api/health", "/api/version", "/", "/api/openapi.json"][at % 4] ?? "/";
    const { status, ms } = await send(port, { path });
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    times.push(ms);
    await delay(20);
  }
  return percentile(times, 0.99);
}
