import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemTimers } from "../host/timers.ts";
import { openAskHelper } from "./ask-helper.ts";
import { localLimits } from "./local-limits.ts";
import { packLocalMessage } from "./local-messages.ts";

test("no more questions are asked at once than leave root a place; the others wait and are answered in their order", async () => {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-ask-"));
  const path = join(directory, "helper.sock");
  const unanswered: Socket[] = [];
  const server = createServer((socket) => void unanswered.push(socket.resume()));
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });
  const ask = openAskHelper({ socket: path, timers: systemTimers });
  const answered: number[] = [];
  const all = Array.from({ length: 20 }, async (_, at) => {
    await ask("identity");
    answered.push(at);
  });
  for (let left = 20; left > 0; left -= 1) {
    const atOnce = Math.min(localLimits.questionsAtOnce, left);
    await expect.poll(() => unanswered.length, { interval: 2 }).toBe(atOnce);
    unanswered.shift()?.end(packLocalMessage({ v: 1, id: 1, ok: true }, localLimits.answerBytes));
  }
  await Promise.all(all);
  expect(answered).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(localLimits.questionsAtOnce).toBeLessThan(localLimits.connections);
});
