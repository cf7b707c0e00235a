import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, artifactBytes } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256Of } from "../src/sha256-of.ts";
import { programHead } from "../../../tests/support/elf-program.ts";
import { newAnsweringHost } from "./answering-host.ts";
import { type FrontedServer, startFrontedServer } from "./fronted-server.ts";
import type { Person } from "./gatehouse.ts";
import { owner } from "./real-server.ts";

/** A program from its publisher's key to a plan of the real server, by the commands that people type. */
let fronted: FrontedServer;
beforeAll(async () => {
  fronted = await startFrontedServer();
});
afterAll(() => fronted.stop());

const at = (name: string) => join(fronted.directory, name);
const program = `${programHead}a program`;
const partBytes = artifactBytes.part;

async function sign(person: Person, name: string, version: string): Promise<void> {
  const words = `--version ${version} --architecture x64 --publisher acme --key ${at("acme.key")}`;
  expect(await person.json(`artifact sign ${at(name)} ${words}`)).toMatchObject({ code: 0 });
}

async function listed(person: Person): Promise<readonly Artifact[]> {
  return (await person.json("artifact list"))["items"] as readonly Artifact[];
}

test("a program is signed, brought, planned by its name, and kept until its plan has ended", async () => {
  const ada = await fronted.signIn(owner);
  expect(await ada.run(`plugin keygen --out ${at("acme.key")} --publisher acme --no-passphrase`)).toMatchObject({
    code: 0,
  });
  await writeFile(at("tool"), program);
  await sign(ada, "tool", "1.2.3");
  const brought = await ada.run(`artifact add ${at("tool")}`);
  expect(brought).toMatchObject({ code: 0, err: "", out: expect.stringContaining("tool 1.2.3 for x64 is whole: ") });
  expect((await ada.run(`artifact add ${at("tool")}`)).out).toContain("was here already, whole.");
  const [artifact, ...others] = await listed(ada);
  expect(others).toEqual([]);
  expect(artifact).toMatchObject({
    name: "tool",
    publisher: "acme",
    state: "whole",
    sha256: sha256Of(Buffer.from(program)).toHex(),
  });
  expect((await ada.run("artifact show tool@1.2.3")).out).toContain(artifact?.sha256);

  const before = { sha256: "e".repeat(64), mode: "0755", owner: "root", group: "root" };
  const host = await newAnsweringHost(fronted, ada, {
    name: "web-1",
    tag: "web",
    states: { "binary:/usr/local/bin/tool": before },
  });
  const line = "plan create --replace /usr/local/bin/tool=tool --tag web";
  const made = await ada.run(line);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/^Replace \/usr\/local\/bin\/tool by tool 1\.2\.3: in_review\n/);
  expect(made.out).toContain("by tool 1.2.3 for x64.");
  expect(made.out).toContain(artifact?.sha256);
  const [, id = ""] = /id +(plan_\w{26})/.exec(made.out) ?? [];
  expect((await ada.run(`plan diff ${id}`)).out).toContain(`- sha256 ${before.sha256}`);

  expect(await ada.json("artifact remove tool")).toMatchObject({ code: 1, error: { code: "artifact.in_use" } });
  expect(await ada.json(`plan withdraw ${id}`)).toMatchObject({ code: 0 });
  expect(await ada.json("artifact remove tool")).toMatchObject({ code: 0, removed: { id: artifact?.id } });
  expect(await ada.json(line)).toMatchObject({ code: 1, error: { code: "artifact.unknown" } });
  await host.close();
});

test("one of which a part is there goes on with the others; before it is whole no plan can name it", async () => {
  const ada = await fronted.signIn(owner);
  const file = await open(at("large"), "w");
  await file.truncate(partBytes + 5);
  await file.write(program, 0);
  await file.close();
  await sign(ada, "large", "2.0.0");
  const token = (await ada.run("token issue --name publisher --scope plan:create,plan:read")).out.trim();
  const send = (method: string, path: string, type: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${fronted.server.url}/api/artifacts${path}`, {
      method,
      body,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": type, Origin: fronted.server.url },
    });
  const facts = await readFile(at("large.artifact.json"));
  const firstPart = new Uint8Array(partBytes);
  firstPart.set(Buffer.from(program));
  const announced = await send("POST", "", "application/json", facts);
  const { id } = (await announced.json()) as Artifact;
  const part = await send("PUT", `/${id}/parts/0`, "application/octet-stream", firstPart);
  expect([announced.status, part.status]).toEqual([201, 200]);

  expect(await ada.json("plan create --replace /opt/large=large --tag web")).toMatchObject({
    code: 1,
    error: { code: "plan.artifact" },
  });
  const env = { GATEHOUSE_TOKEN: token };
  const { code, out } = await ada.run(`artifact add ${at("large")}`, { env });
  expect(code).toBe(0);
  expect(out).toContain("1 of 2 parts here, 1 part to send");
  expect(await ada.json("artifact show large", { env })).toMatchObject({
    artifact: { id, state: "whole", parts: [0, 1] },
  });
});
