import { expect, test } from "vitest";
import { sizeWords } from "./size-words.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1023 bytes"],
  [1024, "1.0 KiB"],
  [40_055_603, "38.2 MiB"],
  [1024 ** 2 - 1, "1.0 MiB"],
  [512 * 1024 ** 2, "512.0 MiB"],
  [16 * 1024 ** 3, "16.0 GiB"],
  [5_000 * 1024 ** 4, "5000.0 TiB"],
])("%d bytes are said as %s", (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});
