import { byteForm } from "@gatehouse/base";
import { expect, test } from "vitest";
import { readContainer, writeContainer } from "./container.ts";

const item = { statement: Uint8Array.of(1, 2), ssh: Uint8Array.of(3) };
const written = { statement: "AQI=", ssh: "Aw==" };

test("statements are read back as they were written, in one form", () => {
  expect(writeContainer([item])).toEqual(byteForm([written]));
  expect(readContainer(writeContainer([item]))).toEqual([item]);
  expect(readContainer(writeContainer(Array.from({ length: 16 }, () => item)))).toHaveLength(16);
});

test("sixteen statements about the largest plan fit", () => {
  const large = { statement: new Uint8Array(3_800), ssh: new Uint8Array(500) };
  expect(readContainer(writeContainer(Array.from({ length: 16 }, () => large)))).toHaveLength(16);
});

test("nobody writes a container of none, or of seventeen", () => {
  expect(() => writeContainer([])).toThrow(RangeError);
  expect(() => writeContainer(Array.from({ length: 17 }, () => item))).toThrow(RangeError);
});

test.each([
  ["no bytes", new Uint8Array()],
  ["no statement", byteForm([])],
  ["seventeen", byteForm(Array.from({ length: 17 }, () => written))],
  ["one that is no list", byteForm(written)],
  ["a field more", byteForm([{ ...written, keyId: "" }])],
  ["a field less", byteForm([{ statement: "AQI=" }])],
  ["an assertion, which is for later", byteForm([{ statement: "AQI=", webauthn: {} }])],
  ["a number", byteForm([{ ...written, ssh: 1 }])],
  ["base64 without padding", byteForm([{ ...written, ssh: "Aw" }])],
  ["base64 with stray bits", byteForm([{ ...written, ssh: "Ax==" }])],
  ["base64 with a blank", byteForm([{ ...written, ssh: "A w==" }])],
  ["other characters", byteForm([{ ...written, ssh: "A-_=" }])],
  ["another spelling of the JSON", new TextEncoder().encode(JSON.stringify([written]))],
  ["a byte behind", new Uint8Array([...byteForm([written]), 10])],
  ["more bytes than all can need", byteForm([{ ...written, ssh: "AAAA".repeat(33_000) }])],
])("%s is no container", (_, bytes) => {
  expect(readContainer(bytes)).toBeUndefined();
});
