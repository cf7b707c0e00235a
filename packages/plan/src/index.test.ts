import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("a browser can load the package: nothing in it imports a Node module", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/\.test\.ts$|-cases\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(10);
  const imports = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/from "([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  expect(imports.filter((name) => !/^(\.{1,2}\/|@gatehouse\/(base|contract|keys\/frame)$|zod$)/.test(name))).toEqual(
    [],
  );
});
