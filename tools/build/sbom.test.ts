import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type LockFile, makeSbom, sbomText } from "./sbom.ts";

const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8")) as LockFile;
const integrity = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;

test("every package of the lock file is listed once, with its version and its digest, and none of ours", () => {
  const { components } = makeSbom(lock, "1.2.3");
  const base64 = (hex = "") => Buffer.from(hex, "hex").toString("base64");
  const listed = components.map(
    (found) => `${found["bom-ref"]} ${found.version} sha512-${base64(found.hashes[0]?.content)}`,
  );
  const locked = Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, found]) => `${path} ${found.version} ${found.integrity}`);
  expect(listed.toSorted()).toEqual(locked.toSorted());
  expect(components.some(({ name }) => name.startsWith("@gatehouse/"))).toBe(false);
});

test("it says what reaches the server, what reaches the page or the agent, and what only builds", () => {
  const places = Object.fromEntries(
    makeSbom(lock, "1.2.3").components.map(({ name, scope, properties }) => [name, `${scope} ${properties[0]?.value}`]),
  );
  expect(places).toMatchObject({
    "@oven/bun-linux-aarch64": "required agent",
    "@oven/bun-linux-x64": "required agent",
  });
  expect(places).toMatchObject({ zod: "required server", react: "required page", vitest: "excluded build" });
});

test("a package without a digest is refused by its name, and the same lock file gives the same bytes", () => {
  const packages = { "node_modules/@a/b": { version: "1.0.0", integrity, license: "MIT" } };
  const sbom = makeSbom({ packages }, "1.2.3");
  expect(sbom.components[0]).toMatchObject({
    name: "@a/b",
    purl: "pkg:npm/%40a/b@1.0.0",
    hashes: [{ alg: "SHA-512", content: "07".repeat(64) }],
    licenses: [{ expression: "MIT" }],
  });
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(sbomText(makeSbom({ packages }, "1.2.3"))).toBe(sbomText(sbom));
  expect(() => makeSbom({ packages: { "node_modules/x": { version: "1.0.0" } } }, "1.2.3")).toThrow("node_modules/x");
});
