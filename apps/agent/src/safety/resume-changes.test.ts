import { describe, expect, test } from "vitest";
import { makeChangeBench, untilIdle, untilKinds, untilRestarted, windowSeconds } from "../../test/change-bench.ts";
import type { JournalKind } from "./journal-record.ts";
import type { Changes } from "./open-changes.ts";

const restart = "systemctl restart --no-block gatehouse-agent.service";
const odd = new TypeError("x is not a function");

async function endOf(changes: Changes, task: string) {
  return (await changes.find(task))?.ended?.end;
}

describe("a helper that is killed after any record, and started anew", () => {
  const interrupted = "change.interrupted";
  test.each<[JournalKind, string[], string | undefined]>([
    ["accepted", ["end"], "failed_before_change"],
    ["snapshotted", ["end"], "failed_before_change"],
    ["armed", ["fire"], undefined],
    ["applying", ["fire"], undefined],
    ["applied-op", ["fire"], undefined],
    ["checking", ["isApplied", "isApplied", "ceiling", restart], undefined],
    ["probe", ["isApplied", "isApplied", "ceiling", restart], undefined],
    ["confirmed", ["finish"], "applied"],
  ])("%s", async (kind, does, outcome) => {
    const bench = await makeChangeBench();
    const { judged, calls } = bench;
    const first = bench.open(kind);
    void first.begin(judged);
    if (kind === "confirmed") {
      await untilRestarted(bench);
      void first.prove(await bench.prove());
    }
    await untilKinds(bench, kind);
    calls.length = 0;
    const second = bench.open();
    await second.resume();
    await expect.poll(() => calls, { interval: 1 }).toEqual(does);
    if (outcome !== undefined) {
      await untilIdle(second);
      expect(await endOf(second, judged.task)).toMatchObject({
        outcome,
        code: outcome === "applied" ? "" : interrupted,
      });
      return;
    }
    const slot = await (await bench.openJournal()).look();
    if (does.includes("fire")) expect(slot?.why?.code).toBe(interrupted);
    else {
      await second.prove(await bench.prove());
      await untilIdle(second);
      expect(await endOf(second, judged.task)).toMatchObject({ outcome: "applied" });
    }
  });

  test("applying, on a disk that takes nothing any more: the dead-man is started all the same", async () => {
    const bench = await makeChangeBench();
    void bench.open("applied-op").begin(bench.judged);
    await untilKinds(bench, "applied-op");
    const second = bench.open();
    bench.disk.failNext("write", 1, "ENOSPC");
    await second.resume();
    await expect.poll(() => bench.broken.length, { interval: 1 }).toBe(1);
    expect(bench.calls.at(-1)).toBe("fire");
  });

  test("restoring: the dead-man is started again, and no second reason is written", async () => {
    const bench = await makeChangeBench();
    bench.failing.set("apply", odd);
    void bench.open("restoring").begin(bench.judged);
    await untilKinds(bench, "restoring");
    const second = bench.open();
    await second.resume();
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("fire");
    await untilIdle(second);
    expect((await (await bench.openJournal()).look())?.restores).toBe(1);
  });

  test.each<[JournalKind, string, number]>([
    ["armed", "end", 1],
    ["applying", "fire", 1],
    ["checking", "fire", 1],
    ["confirmed", "finish", 1],
  ])("%s, in another run of the machine: %s", async (kind, does) => {
    const bench = await makeChangeBench();
    const first = bench.open(kind);
    void first.begin(bench.judged);
    if (kind === "confirmed") {
      await untilRestarted(bench);
      void first.prove(await bench.prove());
    }
    await untilKinds(bench, kind);
    bench.calls.length = 0;
    bench.host.time.boot = "99999999-2222-3333-4444-555555555555";
    const second = bench.open();
    await second.resume();
    await expect.poll(() => bench.calls, { interval: 1 }).toEqual([does]);
    await untilIdle(second);
  });

  test("checking, as the program that the change has put in place: it goes on, and the change is proved", async () => {
    const bench = await makeChangeBench();
    bench.now.successor = "another";
    void bench.open().begin(bench.judged);
    await untilKinds(bench, "checking");
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("successor");
    bench.calls.length = 0;
    bench.now.successor = "this";
    const next = bench.open();
    await next.resume();
    await expect.poll(() => bench.calls, { interval: 1 }).toEqual(["isApplied", "isApplied", "ceiling", restart]);
    await next.prove(await bench.prove());
    await untilIdle(next);
    expect(await endOf(next, bench.judged.task)).toMatchObject({ outcome: "applied" });
  });

  test("checking, as another program than the change has put in place: it is taken back", async () => {
    const bench = await makeChangeBench();
    bench.now.successor = "another";
    void bench.open("checking").begin(bench.judged);
    await untilKinds(bench, "checking");
    bench.calls.length = 0;
    await bench.open().resume();
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toMatch(/^(fire|systemctl)/);
    expect(bench.calls).toEqual(["isApplied", "isApplied", "fire"]);
    const why = (await (await bench.openJournal()).look())?.why;
    expect(`${why?.code}: ${why?.detail}`).toMatch(/^check\.failed: firewall:gatehouse_edge: expected to be what/);
  });

  test("checking, after the deadline: it is taken back at once", async () => {
    const bench = await makeChangeBench();
    void bench.open("checking").begin(bench.judged);
    await untilKinds(bench, "checking");
    bench.host.time.uptimeMs += windowSeconds * 1_000;
    bench.calls.length = 0;
    await bench.open().resume();
    await expect.poll(() => bench.calls, { interval: 1 }).toEqual(["fire"]);
    expect((await (await bench.openJournal()).look())?.why?.code).toBe("confirm.late");
  });

  test("checking, where the kernel no longer tells the time: it cannot be proved, so it is taken back", async () => {
    const bench = await makeChangeBench();
    void bench.open("checking").begin(bench.judged);
    await untilKinds(bench, "checking");
    bench.now.hasUptime = false;
    bench.calls.length = 0;
    await bench.open().resume();
    await expect.poll(() => bench.calls, { interval: 1 }).toEqual(["fire"]);
  });

  test("checking, under a version that does not know the kind any more: it is taken back", async () => {
    const bench = await makeChangeBench();
    void bench.open("checking").begin(bench.judged);
    await untilKinds(bench, "checking");
    bench.now.canMake = false;
    await bench.open().resume();
    await expect.poll(() => bench.calls.at(-1), { interval: 1 }).toBe("fire");
    expect((await (await bench.openJournal()).look())?.why?.code).toBe("apply.absent");
  });

  test("with nothing open nothing is done, and a journal that is not sound leaves a line", async () => {
    const bench = await makeChangeBench();
    const idle = bench.open();
    await idle.resume();
    expect(idle.isBusy()).toBe(false);
    await bench.disk.remove("/state/journal/00000001");
    const second = bench.open();
    await second.resume();
    expect(bench.lines.at(-1)).toMatch(/^changes cannot be gone on with: /);
    await expect(second.find(bench.judged.task)).rejects.toThrow(/^journal\.unsound/);
  });
});
