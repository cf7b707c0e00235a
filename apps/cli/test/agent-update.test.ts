import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact, Node } from "@gatehouse/contract/routes";
import { elfOf } from "../../../tests/support/elf-program.ts";
import { until } from "../../../tests/support/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAnsweringHost } from "./answering-host.ts";
import { type FrontedServer, startFrontedServer } from "./fronted-server.ts";
import type { Person } from "./gatehouse.ts";
import { owner } from "./real-server.ts";

/** A release of the agent from its key to a plan of the real server, by the commands that people type. */
let fronted: FrontedServer;
beforeAll(async () => {
  fronted = await startFrontedServer();
});
afterAll(() => fronted.stop());

const at = (name: string) => join(fronted.directory, name);
const running = { sha256: "a".repeat(64), version: "1.0.0", architecture: "x64" };

async function bring(person: Person, version: string, architecture: "x64" | "arm64"): Promise<void> {
  const file = at(`agent-${version}-${architecture}`);
  await writeFile(file, Buffer.concat([elfOf(architecture), Buffer.from(version)]));
  const words = `--release --version ${version} --architecture ${architecture} --key ${at("release.key")}`;
  expect(await person.json(`artifact sign ${file} ${words}`)).toMatchObject({ code: 0 });
  expect(await person.run(`artifact add ${file}`)).toMatchObject({ code: 0, err: "" });
}

test("a release is signed, brought, and planned for the hosts of its processor, as plan show and diff say", async () => {
  const ada = await fronted.signIn(owner);
  expect(await ada.run(`plugin keygen --out ${at("release.key")} --no-passphrase`)).toMatchObject({ code: 0 });
  await bring(ada, "1.2.0", "x64");
  await bring(ada, "1.2.0", "arm64");
  await bring(ada, "1.0.0", "x64");
  expect((await ada.run("artifact list")).out).toMatch(/gatehouse-agent +1\.2\.0 +arm64 .*\(release\) +whole/);
  const host = await newAnsweringHost(fronted, ada, { name: "web-1", tag: "web", states: { "agent:self": running } });
  const toldFacts = async () => ((await ada.json("node show web-1"))["node"] as Node).facts !== null;
  await until("the host has said what it is", toldFacts);

  const made = await ada.run("plan create --update-agent gatehouse-agent@1.2.0 --tag web");
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/^Update the agent to 1\.2\.0: in_review\n/);
  expect(made.out).toContain("  1. agent.update  agent:self\n       Updates the agent to 1.2.0 for x64: ");
  const [, id = ""] = /id +(plan_\w{26})/.exec(made.out) ?? [];
  const { out } = await ada.run(`plan diff ${id}`);
  expect(out).toContain(`- agent 1.0.0 for x64, sha256 ${running.sha256}`);
  expect(out).toContain("+ agent 1.2.0 for x64, sha256 ");

  const same = await ada.run("plan create --update-agent gatehouse-agent@1.0.0 --tag web");
  expect(same).toMatchObject({ code: 1, out: expect.stringMatching(/^Update the agent to 1\.0\.0: draft\n/) });
  expect(same.out).toContain("agent.not_later, operation 1: ");
  const artifacts = (await ada.json("artifact list"))["items"] as readonly Artifact[];
  const foreign = artifacts.find(({ architecture }) => architecture === "arm64")?.id;
  const other = await ada.run(`plan create --update-agent ${foreign} --tag web`);
  expect(other).toMatchObject({ code: 1, out: expect.stringContaining("agent.architecture, operation 1: ") });
  await host.close();
});
