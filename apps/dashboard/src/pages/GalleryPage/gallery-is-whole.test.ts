import { expect, test } from "vitest";

const parts = Object.keys(import.meta.glob("../../ui/*.tsx")).map((path) => path.slice("../../ui/".length));
const shelves = Object.values(
  import.meta.glob<string>("./*.tsx", { query: "?raw", import: "default", eager: true }),
).join("\n");
const shown = new Set([...shelves.matchAll(/from "\.\.\/\.\.\/ui\/([A-Za-z]+\.tsx)"/g)].map(([, file = ""]) => file));

test.each(parts)("the gallery shows %s", (part) => {
  expect([...shown]).toContain(part);
});

test("the parts that the dashboard is made of are all there", () => {
  const first = ["Button", "Field", "Table", "Dialog", "Sheet", "Menu", "Tabs", "Toaster", "Badge", "StateMark"];
  const then = ["Skeleton", "Empty", "ErrorView", "CopyText", "Time", "Diff", "Stepper", "Palette"];
  expect(parts).toEqual(expect.arrayContaining([...first, ...then].map((name) => `${name}.tsx`)));
});
