import { expect, test } from "vitest";
import { type ActionBroker, type ActionProcess, type ProcessEnd, runSession } from "./action-session.ts";

const clean: ProcessEnd = { how: "it ended with 0", isClean: true, stderr: "" };

/** A process in memory: `script` gets every line that is sent to it, and what it can do. */
function processOf(script: (sent: string, say: (line: string) => void, end: (how?: ProcessEnd) => void) => void) {
  let hear: (line: string) => void = () => undefined;
  let finish: (end: ProcessEnd) => void = () => undefined;
  const ended = new Promise<ProcessEnd>((resolve) => {
    finish = resolve;
  });
  const seen = { killed: 0, sent: [] as string[] };
  const process: ActionProcess = {
    send: (line) => {
      seen.sent.push(line);
      script(
        line,
        (said) => hear(said),
        (end = clean) => finish(end),
      );
    },
    onLine: (listener) => {
      hear = listener;
    },
    ended,
    kill: () => {
      seen.killed += 1;
      finish({ how: "it was killed", isClean: false, stderr: "last words" });
    },
  };
  return { process, seen };
}

function brokerOf(answer: ActionBroker["answer"] = ({ id }) => Promise.resolve(`{"id":${id}}`)) {
  const seen = { ended: 0 };
  return {
    broker: {
      answer,
      end: () => {
        seen.ended += 1;
      },
    } satisfies ActionBroker,
    seen,
  };
}

const answerLine = '{"jsonrpc":"2.0","id":0,"result":{"status":"ok"}}';
const callLine = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"kv.get","params":{"key":"a"}}`;

async function outcomeOf(lines: readonly string[], end: ProcessEnd = clean) {
  const { process, seen } = processOf((sent, say, finish) => {
    if (!sent.includes('"method"')) return;
    for (const line of lines) say(line);
    finish(end);
  });
  const { broker } = brokerOf();
  return { outcome: await runSession({ process, broker }, "health", {}), seen };
}

test("an answer and a clean end are a result; the broker ends with it", async () => {
  const { process, seen } = processOf((_, say, end) => {
    say(answerLine);
    end();
  });
  const broker = brokerOf();
  const outcome = await runSession({ process, broker: broker.broker }, "plan", { input: { a: 1 } });
  expect(outcome).toEqual({ ok: true, result: { status: "ok" } });
  expect(seen).toEqual({ killed: 0, sent: ['{"jsonrpc":"2.0","id":0,"method":"plan","params":{"input":{"a":1}}}'] });
  expect(broker.seen.ended).toBe(1);
});

test("calls are answered, also those that overlap, and only then comes the answer", async () => {
  const { process, seen } = processOf((sent, say, end) => {
    if (sent.includes('"method"')) for (const id of [1, 2, 3]) say(callLine(id));
    if (sent !== '{"id":3}') return;
    say(answerLine);
    end();
  });
  const { broker } = brokerOf();
  expect(await runSession({ process, broker }, "describe", {})).toMatchObject({ ok: true });
  expect(seen.sent.slice(1)).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

test.each([
  ["text after the answer", [answerLine, "more"], /after its answer/],
  ["a second answer", [answerLine, answerLine], /after its answer/],
  ["a line that is no JSON", ["hello"], /not strict JSON/],
  ["a duplicate key", ['{"jsonrpc":"2.0","id":0,"result":1,"result":2}'], /not strict JSON/],
  ["a batch", [`[${callLine(1)}]`], /neither a broker call nor an answer/],
  ["a call with the answer's id", [callLine(0)], /neither a broker call nor an answer/],
  ["a field nobody knows", ['{"jsonrpc":"2.0","id":0,"result":1,"more":1}'], /neither/],
  ["a call id used twice at once", [callLine(1), callLine(1)], /call id 1 twice/],
  ["more calls than it may make", Array.from({ length: 65 }, (_, n) => callLine(n + 1)), /more than 64 broker calls/],
])("%s ends the process", async (_, lines, reason) => {
  const { outcome, seen } = await outcomeOf(lines);
  expect(outcome).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  expect(seen.killed).toBe(1);
});

test("a process that ends without an answer, or not cleanly, has failed, whatever it said", async () => {
  const crash = { how: "it ended with 3", isClean: false, stderr: "boom" };
  expect((await outcomeOf([])).outcome).toMatchObject({ reason: "it ended with 0, and gave no answer" });
  expect((await outcomeOf([answerLine], crash)).outcome).toEqual({
    ok: false,
    reason: "it ended with 3",
    stderr: "boom",
  });
});

test("an error for an answer is a failure with the plugin's words", async () => {
  const line = '{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"no state yet"}}';
  expect((await outcomeOf([line])).outcome).toMatchObject({ reason: "it answered with an error: no state yet" });
});

test("an answer of the broker that comes after the protocol was broken is not sent", async () => {
  let release: (line: string) => void = () => undefined;
  const { broker } = brokerOf(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );
  const { process, seen } = processOf((_, say) => {
    say(callLine(1));
    say("nonsense");
  });
  expect(await runSession({ process, broker }, "health", {})).toMatchObject({ ok: false });
  release("{}");
  await Promise.resolve();
  expect(seen.sent).toHaveLength(1);
});
