import { afterEach, describe } from "vitest";
import { appendCases } from "./append-cases.ts";
import { archiveCases, beginCases, pruneCases } from "./archive-cases.ts";
import type { OpenedIndex, Start } from "./sample-logs.ts";
import { pagingCases, searchCases } from "./search-cases.ts";

/** What every adapter of the audit index does. */
export function indexCases(name: string, open: () => Promise<OpenedIndex>): void {
  describe(name, () => {
    let close: (() => Promise<unknown>) | undefined;
    afterEach(async () => {
      await close?.();
      close = undefined;
    });
    const start: Start = async () => {
      const { index, reopen } = await open();
      const all = [index];
      close = () => Promise.all(all.map((each) => each.close()));
      const reopenHere = async () => {
        const again = await reopen();
        all.push(again);
        return again;
      };
      return { index, reopen: reopenHere };
    };
    appendCases(start);
    searchCases(start);
    pagingCases(start);
    archiveCases(start);
    pruneCases(start);
    beginCases(start);
  });
}
