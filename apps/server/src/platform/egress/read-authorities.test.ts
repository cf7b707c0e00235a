import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import { makeAuthority } from "../../../../../tests/support/tls-peer.ts";
import { readAuthorities } from "./index.ts";

const { ca } = makeAuthority();
const file = "/etc/gatehouse/ca.pem";
const read = (text: string) => readAuthorities({ file, readFile: () => Promise.resolve(Buffer.from(text)) });

test("without a file the usual authorities are believed", async () => {
  const readFile = () => Promise.reject(new Error("nothing is read"));
  expect(await readAuthorities({ file: undefined, readFile })).toBeUndefined();
});

test("those of the file are believed beside the usual ones", async () => {
  const both = (await read(`# our authority\n${ca}\n${ca}`)) ?? [];
  expect(both.filter((one) => one.trim() === ca.trim())).toHaveLength(2);
  expect(both).toContain(rootCertificates[0]);
});

test("a file that cannot be used stops the start with one line, and nothing of it is repeated", async () => {
  const key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n";
  for (const [text, why] of [
    ["", "it holds no certificate"],
    [key, "it holds no certificate"],
    ["-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n", "its certificate 1 cannot be read"],
  ] as const) {
    const error = await read(text).catch((refused: Error) => refused);
    expect((error as Error).message).toContain(`SERVICE_EGRESS_CA_FILE: ${file}: ${why}`);
    expect((error as Error).message).not.toMatch(/c2VjcmV0|\n/);
  }
  const gone = readAuthorities({ file, readFile: () => Promise.reject(new Error("there is no such file")) });
  await expect(gone).rejects.toThrow(`SERVICE_EGRESS_CA_FILE: ${file}: there is no such file`);
});
