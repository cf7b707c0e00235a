import { expect, test } from "vitest";
import { makeHostIdentity } from "../local/host-key.ts";
import { startHelper } from "../../test/helper-process.ts";
import { makeLogGround } from "../../test/log-ground.ts";

const log = "/var/log/web.log";

async function startReading() {
  const ground = makeLogGround(log);
  await makeHostIdentity(ground.host);
  const { ask, lines } = await startHelper(ground.host, { readLogs: ground.read });
  return { ...ground, ask, lines };
}

const question = (more: object = {}) => ({
  sources: [{ source: log, cursor: null }],
  lines: 200,
  skip: false,
  ...more,
});

test("lines of a log that root has listed are read over the helper's door, from the place that it named", async () => {
  const { ask, append } = await startReading();
  append(log, "old\n");
  const { cursors } = await ask("log.read", question());
  append(log, "new \u001b[2J\n");
  const [cursor] = cursors as string[];
  expect(await ask("log.read", question({ sources: [{ source: log, cursor }] }))).toMatchObject({
    lines: [{ s: 0, level: null, text: "new ␛[2J" }],
    more: [],
    lost: [],
    refused: [],
  });
});

test("a log that is not listed is refused by its code, and so is every log of a host that is a copy", async () => {
  const { ask, host } = await startReading();
  const shadow = question({ sources: [{ source: "/etc/shadow", cursor: null }] });
  await expect(ask("log.read", shadow)).rejects.toThrow(/^read\.ceiling: \/etc\/shadow is no log/);
  const evil = question({ sources: [{ source: "/etc/\u001b]0;x\u0007", cursor: null }] });
  await expect(ask("log.read", evil)).rejects.toThrow(/^read\.ceiling: \/etc\/\?\]0;x\? is no log/);
  host.setMachine("b");
  await expect(ask("log.read", question())).rejects.toThrow(/^identity\.cloned/);
});

test.each([
  [{ lines: 0 }],
  [{ lines: 201 }],
  [{ lines: 1.5 }],
  [{ skip: "yes" }],
  [{ sources: [] }],
  [{ sources: Array.from({ length: 17 }, (_, n) => ({ source: `a${n}.service`, cursor: null })) }],
  [
    {
      sources: [
        { source: log, cursor: null },
        { source: log, cursor: null },
      ],
    },
  ],
  [{ sources: [{ source: "", cursor: null }] }],
  [{ sources: [{ source: `/${"a".repeat(600)}`, cursor: null }] }],
  [{ sources: [{ source: log, cursor: "x".repeat(513) }] }],
  [{ sources: [{ source: log, cursor: 1 }] }],
  [{ sources: [{ source: log }] }],
  [{ path: log }],
])("%j is no question about logs", async (more) => {
  const { ask } = await startReading();
  await expect(ask("log.read", question(more) as never)).rejects.toThrow(/^local\.frame/);
});
