import { expect, test } from "vitest";
import { enrolLine, shellWord } from "./enrol-line.ts";

const sha256 = "0123456789abcdef".repeat(4);
const code = `ghe1_${"Ab-_9".repeat(30)}`;
const wanted = { url: "https://gh.example", arch: "x64", sha256, code } as const;

test("the line downloads, checks what it downloaded, and runs only what was checked", () => {
  expect(enrolLine(wanted)).toBe(
    `curl -fsS --compressed -o gatehouse-agent https://gh.example/api/agent/download/x64 && echo '${sha256}  gatehouse-agent' | sha256sum -c && chmod 0755 gatehouse-agent && sudo ./gatehouse-agent enrol ${code}`,
  );
});

test("an authority of one's own is named to both who ask the server", () => {
  const parts = enrolLine({ ...wanted, arch: "arm64", ca: "/etc/our ca/it's.pem" }).split(" && ");
  const word = String.raw`'/etc/our ca/it'\''s.pem'`;
  expect(parts[0]).toBe(
    `curl -fsS --compressed --cacert ${word} -o gatehouse-agent https://gh.example/api/agent/download/arm64`,
  );
  expect(parts.at(-1)).toBe(`sudo ./gatehouse-agent enrol ${code} --ca ${word}`);
});

test("a port stays, and what a shell would act on in an address stands in quotes", () => {
  expect(enrolLine({ ...wanted, url: "https://gh.example:8443/" })).toContain(" https://gh.example:8443/api/");
  expect(enrolLine({ ...wanted, url: "http://[::1]:8088" })).toContain(" 'http://[::1]:8088/api/agent/download/x64' ");
  expect(enrolLine({ ...wanted, url: "https://gh.example;reboot" })).toContain(" 'https://gh.example;reboot/api/");
});

test.each([
  ["an address with more than an origin", { url: "https://gh.example/x" }, "enrol.url"],
  ["an address without TLS", { url: "http://gh.example" }, "enrol.url"],
  ["a code that ends the command", { code: "ghe1_AAAAAAAAAAAAAAAAAAAA;reboot" }, "enrol.code_malformed"],
  ["a code over two lines", { code: `${code}\n${code}` }, "enrol.code_malformed"],
  ["something else than a code", { code: sha256 }, "enrol.code_malformed"],
])("%s is refused and makes no line", (_, part, fault) => {
  expect(() => enrolLine({ ...wanted, ...part })).toThrow(expect.objectContaining({ code: fault }));
});

test.each([
  ["a digest that is too short", { sha256: sha256.slice(1) }],
  ["a digest that ends its quotes", { sha256: `${sha256.slice(2)}';` }],
  ["a file that reads as an option", { ca: "--insecure" }],
  ["a file with a line end", { ca: "a\nb" }],
  ["an empty file", { ca: "" }],
])("%s is refused as a mistake of the caller", (_, part) => {
  expect(() => enrolLine({ ...wanted, ...part })).toThrow(RangeError);
});

test.each([
  ["gh.pem", "gh.pem"],
  ["a b", "'a b'"],
  ["$(reboot)", "'$(reboot)'"],
  ["~/x", "'~/x'"],
  ["'", String.raw`''\'''`],
])("%s is one word: %s", (text, word) => {
  expect(shellWord(text)).toBe(word);
});
