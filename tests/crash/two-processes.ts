import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { checkDirectory } from "./check-directory.ts";
import { readAnswers, startChild } from "./child.ts";
import { inScratch } from "../support/scratch.ts";

/** One directory belongs to one process: a second one refuses, the first goes on, and a kill gives the directory free. */
export const twoProcesses: Scenario<"crash"> = {
  name: "two-processes",
  run: ({ seed }) =>
    inScratch(async (scratch) => {
      const tally = new Tally();
      const check = (good: boolean, what: string): void => {
        tally.count("checks");
        if (!good) tally.fail(what);
      };
      const directory = join(scratch, "data");
      const first = startChild("./writer.ts", [directory, String(seed % 1_000_000), "hold"]);
      await first.heard("ack");
      const second = await startChild("./opener.ts", [directory]).ended;
      check(second.lines[0] === "store.locked", `a second process got "${second.lines[0]}", not store.locked`);
      check(second.code !== 0, "a refused process ended with 0");
      check(await first.next("ack"), "the first process did not go on");
      first.kill();
      const { acknowledged } = readAnswers((await first.ended).lines);
      const third = await startChild("./opener.ts", [directory]).ended;
      check(third.lines[0] === "open", `after a kill another process got "${third.lines[0]}"`);
      const verdict = await checkDirectory(directory, { acknowledged });
      check(verdict === undefined, `after two processes: ${verdict?.what}`);

      const crowd = Array.from({ length: 6 }, () => startChild("./opener.ts", [directory, "hold"]));
      // Whoever opened it holds it until all have answered.
      await Promise.all(crowd.map((child) => Promise.race([child.heard("open"), child.ended])));
      for (const child of crowd) child.kill();
      const words = (await Promise.all(crowd.map((child) => child.ended))).map(({ lines }) => lines[0]);
      check(
        words.filter((word) => word === "open").length === 1,
        `of six at once, not exactly one opened: ${words.join(", ")}`,
      );
      check(words.filter((word) => word === "store.locked").length === 5, `of six at once: ${words.join(", ")}`);

      const store = await openFileStore({ directory, kinds: inventedKinds });
      const again = await openFileStore({ directory, kinds: inventedKinds }).catch((error: unknown) => error);
      check(isFault(again, "store.locked"), "the same process opened the directory twice");
      await store.close();
      return tally.outcome();
    }),
};
