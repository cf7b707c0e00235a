import { expect, test } from "vitest";
import { deviceWords } from "./device-words.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/145.0 Safari/537.36 Edg/145.0", "Edge on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1",
    "Safari on iOS",
  ],
  ["Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/145.0 Mobile Safari/537.36", "Chrome on Android"],
  ["curl/8.14.1", "curl/8.14.1"],
  ["", "A program that does not say what it is"],
])("%s is shown as %s", (userAgent, words) => {
  expect(deviceWords(userAgent)).toBe(words);
});
