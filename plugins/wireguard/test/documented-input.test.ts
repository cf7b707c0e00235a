import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wireguardInput } from "../src/input.ts";

/** Pages that show an input for the command line. */
test.each(["docs/plugins/write.md"])("%s shows an input that the plugin takes", (page) => {
  const text = readFileSync(join(import.meta.dirname, "../../..", page), "utf8");
  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json) as object);
  const shown = blocks.filter((block) => "network" in block);
  expect(shown.length).toBeGreaterThan(0);
  for (const input of shown) expect(wireguardInput.safeParse(input).error).toBeUndefined();
});
