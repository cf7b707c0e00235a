import fc from "fast-check";
import { expect, test } from "vitest";
import { inventedKey } from "../../../tests/support/invented-kinds.ts";
import { VisibleState } from "./visible-state.ts";

const byText = (a: string, b: string): number => (a < b ? -1 : 1);
const put = (key: string, text: string) => ({ key: inventedKey(key), value: { text } });
const remove = (key: string) => ({ key: inventedKey(key), value: null });

test("a snapshot shows the records as they were when it began, whatever changes meanwhile", () => {
  const state = new VisibleState();
  for (const id of ["a", "b", "c", "d"]) state.apply(put(`k/${id}`, "old"), 1);
  const snapshot = state.snapshotAt(1)[Symbol.iterator]();
  const seen = [snapshot.next().value];
  state.apply(put("k/a", "new"), 2); // already given out
  state.apply(put("k/b", "new"), 3);
  state.apply(remove("k/c"), 4);
  state.apply(remove("k/d"), 5);
  state.apply(put("k/d", "again"), 6);
  state.apply(put("k/e", "new"), 7);
  for (let next = snapshot.next(); !next.done; next = snapshot.next()) seen.push(next.value);
  const texts = seen
    .map((record) => (record === undefined ? "" : `${record.key.text}=${String(record.value["text"])}`))
    .toSorted(byText);
  expect(texts).toEqual(["k/a=old", "k/b=old", "k/c=old", "k/d=old"]);
  expect(state.table.get(inventedKey("k/d"))?.value).toEqual({ text: "again" });
});

test("random changes between any two records never reach a snapshot", () => {
  const steps = fc.array(
    fc.record({ id: fc.integer({ min: 0, max: 9 }), isRemoval: fc.boolean(), give: fc.boolean() }),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 20 }), (changes, before) => {
      const state = new VisibleState();
      let position = 0;
      const change = ({ id, isRemoval }: { id: number; isRemoval: boolean }): void => {
        const key = inventedKey(`k/${id}`);
        const version = state.table.versionOf(key);
        if (isRemoval && version === 0) return;
        position += 1;
        state.apply({ key, value: isRemoval ? null : { position } }, position);
      };
      for (const step of changes.slice(0, before)) change(step);
      const expected = [...state.table.values()]
        .map((record) => `${record.key.text}@${record.version}`)
        .toSorted(byText);
      const snapshot = state.snapshotAt(position)[Symbol.iterator]();
      const seen: string[] = [];
      for (const step of changes.slice(before)) {
        if (step.give) {
          const next = snapshot.next();
          if (!next.done) seen.push(`${next.value.key.text}@${next.value.version}`);
        }
        change(step);
      }
      for (let next = snapshot.next(); !next.done; next = snapshot.next())
        seen.push(`${next.value.key.text}@${next.value.version}`);
      expect(seen.toSorted(byText)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test("a second snapshot gives out everything again", () => {
  const state = new VisibleState();
  state.apply(put("k/a", "x"), 1);
  expect([...state.snapshotAt(1)]).toHaveLength(1);
  expect([...state.snapshotAt(1)]).toHaveLength(1);
});
