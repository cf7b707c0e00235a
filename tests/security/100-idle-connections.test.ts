import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * One address opened every connection there may be, asked once on each and kept it: whoever came then was turned away at the
 * door, health checks as well.
 */
const files = 600;
// So many files are open at most, and the server keeps 256 of them for itself.
const all = files - 256;
const { port } = await sharedServer({ before: `ulimit -n ${files}` });

test("one address has a quarter of all connections, and everybody else comes in", async (context) => {
  const held = new Set<Socket>();
  const judged = { answered: 0, closed: 0 };
  const attacker = Array.from({ length: all }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    held.add(socket);
    socket.once("data", () => void (judged.answered += 1));
    socket.on("error", () => undefined);
    socket.once("close", () => {
      held.delete(socket);
      judged.closed += 1;
    });
    socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    return socket;
  });
  try {
    await until("every connection was judged", () => judged.answered + judged.closed >= all);
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await send(port, { path: "/api/health" })).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect(held.size).toBeLessThanOrEqual(all / 4);
  } finally {
    for (const socket of attacker) socket.destroy();
  }
  tried(context, `${count(all, "connections")} of one address, all that there may be; 20 health checks of another`);
});
