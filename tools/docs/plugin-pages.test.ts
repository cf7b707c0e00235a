import { createHash } from "node:crypto";
import { brokerFaults, componentKeys, surfaces } from "@gatehouse/contract";
import {
  actionLimits,
  brokerLimits,
  brokerMethods,
  mapLineStates,
  planNode,
  planQuestion,
  planQuestionLimits,
} from "@gatehouse/contract/broker";
import {
  agentState,
  capabilityOfOperation,
  digestDomains,
  draftSection,
  fileState,
  firewallState,
  headerDigest,
  headerMessage,
  operationKinds,
  operations,
  parsePlan,
  planDigest,
  planDraft,
  sectionDigest,
  serviceState,
  sshState,
  sshSubject,
  wireguardState,
} from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { readText } from "../repository.ts";

/** The pages on plugins are for people without our code. What the tables say, they say too. */
const protocol = readText("docs/plugins/protocol.md");
const format = readText("docs/plugins/plan-format.md");
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

describe("the page on the protocol", () => {
  test("has a row for every method of the broker, with its capability, actions and fields", () => {
    for (const [method, { capability, during, params, result }] of Object.entries(brokerMethods)) {
      const row = protocol.split("\n").find((line) => line.startsWith(`| \`${method}\` |`)) ?? "";
      expect(row).toContain(`\`${capability}\``);
      expect(row).toContain(during.length === 3 ? "| all |" : `| ${during.join(", ")} |`);
      for (const field of [...Object.keys(params.shape), ...Object.keys(result.shape)]) expect(row).toContain(field);
    }
  });

  test("has every refusal of the broker once", () => {
    const codes = [...protocol.matchAll(/^\| `(broker\.[a-z_]+)` \|/gm)].map((match) => match[1] ?? "");
    expect(codes.toSorted()).toEqual(Object.keys(brokerFaults).toSorted());
  });

  test("has the limits that hold", () => {
    const { deadlineMs, outputBytes, stderrBytes, memoryBytes, brokerCalls, inputBytes, questionBytes, mapLines } =
      actionLimits;
    expect(protocol).toContain(`| deadline of \`describe\` and \`health\` | ${deadlineMs.health / 1_000} s |`);
    expect(protocol).toContain(`| deadline of \`plan\` | ${deadlineMs.plan / 1_000} s |`);
    const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
    expect(outputBytes.describe).toBe(outputBytes.health);
    expect(protocol).toContain(
      `| standard output, everything together | ${mebibytes(outputBytes.health)}; of \`plan\` ${mebibytes(outputBytes.plan)} |`,
    );
    expect(protocol).toContain(`| standard error | ${stderrBytes / 1024} KiB |`);
    expect(protocol).toContain(`| memory of all its processes | ${memoryBytes / 1024 ** 2} MiB |`);
    expect(protocol).toContain(`| broker calls in one action | ${brokerCalls} |`);
    expect(protocol).toContain(`| recorded input of a plan | ${inputBytes / 1024 ** 2} MiB |`);
    expect(protocol).toContain(`| question of a plan, everything together | ${questionBytes / 1024 ** 2} MiB |`);
    expect(protocol).toContain(`| lines for the map | ${mapLines.toLocaleString("en")} |`);
    const { valueBytes, keys, storeBytes, writesPerHour, requestBodyBytes, responseBodyBytes, fetchMs } = brokerLimits;
    const prose = protocol.replaceAll(/\s+/g, " ");
    expect(prose).toContain(`at most ${valueBytes / 1024} KiB; a plugin has ${keys} keys and ${storeBytes / 1024} KiB`);
    expect(prose).toContain(`at most ${writesPerHour.toLocaleString("en")} times`);
    expect(prose).toContain(
      `at most ${requestBodyBytes / 1024} KiB go out and ${responseBodyBytes / 1024} KiB come in`,
    );
    expect(prose).toContain(`A request has ${fetchMs / 1_000} s.`);
    for (const state of mapLineStates) expect(prose).toContain(`\`${state}\``);
  });
});

describe("the page on the protocol, about the question of a plan,", () => {
  test("has every field of a node with what it may hold, and shows one that a server would send", () => {
    const start = protocol.indexOf("## The question of a plan");
    const text = protocol.slice(start, protocol.indexOf("\n## ", start + 1));
    const rows = [...text.matchAll(/^\| `([a-z]+)` \| (.+) \|$/gm)];
    expect(rows.map((row) => row[1])).toEqual(Object.keys(planNode.shape));
    const said = new Map(rows.map((row) => [row[1], row[2]]));
    const { nodes, addresses, addressCharacters, states } = planQuestionLimits;
    expect(text).toContain(`at most ${nodes.toLocaleString("en")}, sorted by id`);
    expect(said.get("addresses")).toContain(`at most ${addresses}, of at most ${addressCharacters} characters`);
    expect(said.get("states")).toContain(`at most ${states} of`);
    const [, json = ""] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
    expect(planNode.parse(JSON.parse(json))).toMatchObject({ name: "web-1" });
    expect(text).toContain(`\`{${Object.keys(planQuestion.shape).join(", ")}}\``);
  });
});

test("the page on the bundle format has every component key there is, with its place and what it shows", () => {
  const page = readText("docs/plugins/bundle-format.md");
  const cells = /^\| `([a-z]+\.[a-z]+)` \| `(nav|enhancements)` \| (`[a-z]+`|anybody|first-party) \| (.+) \|$/gm;
  const rows = [...page.matchAll(cells)].map((row) => row.slice(1));
  const places = { nav: "nav", enhancement: "enhancements" };
  const owner = (whose: string) => (/^(?:anybody|first-party)$/.test(whose) ? whose : `\`${whose}\``);
  const keys = Object.entries(componentKeys);
  expect(rows).toEqual(keys.map(([key, { kind, whose, says }]) => [key, places[kind], owner(whose), says]));
  expect(page).toContain(`The only \`surface\` is ${surfaces.map((surface) => `\`${surface}\``).join(", ")}.`);
});

describe("the page on the plan format", () => {
  test("has every kind of operation with its capability and its fields", () => {
    for (const kind of operationKinds) {
      const capability = capabilityOfOperation[kind];
      const row = format.split("\n").find((line) => line.startsWith(`| \`${kind}\` |`)) ?? "";
      const [, may] = row.split(" | ").map((cell) => cell.replace(/^\| /, ""));
      expect(may).toBe(capability === null ? "none" : `\`${capability}\``);
      const start = format.indexOf(`**\`${kind}\`**`);
      const text = format.slice(start, format.indexOf("\n\n", start));
      const fields = Object.keys(operations[kind].schema.shape).filter((field) => field !== "kind");
      for (const field of fields) expect(text).toContain(`\`${field}\``);
    }
    for (const domain of Object.values(digestDomains)) expect(format).toContain(`\`${domain}\``);
  });

  test("has no preconditions in the draft, and has them in the document", () => {
    const fieldsOf = (heading: string) => {
      const start = format.indexOf(`## ${heading}\n`);
      const text = format.slice(start, format.indexOf("\n## ", start + 1));
      return { text, rows: [...text.matchAll(/^\| `([a-z]+)` \|/gm)].map((row) => row[1]) };
    };
    expect(fieldsOf("The draft").rows).toEqual([...Object.keys(planDraft.shape), ...Object.keys(draftSection.shape)]);
    expect(fieldsOf("The draft").text).not.toContain("`preconditions`");
    expect(fieldsOf("The document").text).toContain("`preconditions`");
    expect(fieldsOf("Digests").text).toContain(`| of a draft | \`${digestDomains.draft}\` |`);
  });

  test("has what a host says of every part that plans change, and of SSH, field by field", () => {
    const start = format.indexOf("## States\n");
    const text = format.slice(start, format.indexOf("\n## ", start + 1));
    const rows = new Map(
      // Parts that are told alike share a row.
      [...text.matchAll(/^\| ((?:`[a-z]+:(?:<[a-z]+>|self)`(?:, )?)+) \| (.+) \|$/gm)].flatMap(
        ([, subjects = "", told]) =>
          [...subjects.matchAll(/`([a-z]+):/g)].map(([, subject = ""]) => [subject, told] as const),
      ),
    );
    const fields = (schema: z.ZodObject) => `{${Object.keys(schema.shape).join(", ")}}`;
    const forms: Readonly<Record<string, readonly z.ZodObject[]>> = {
      firewall: [firewallState],
      file: fileState.options,
      binary: fileState.options,
      service: [serviceState],
      agent: [agentState],
      wireguard: [wireguardState, wireguardState.shape.interface.unwrap()],
    };
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(forms).toSorted());
    for (const [subject, schemas] of Object.entries(forms)) {
      for (const schema of schemas) expect(rows.get(subject)).toContain(`\`${fields(schema)}\``);
    }
    const now = operationKinds.filter((kind) => operations[kind].state !== null);
    const subjectRow = (kind: string) =>
      new RegExp(`^\\| \`${kind}\` \\|.*\\| \`([a-z]+):(?:<|self)`, "m").exec(format)?.[1] ?? "";
    expect(now.map(subjectRow).toSorted()).toEqual([...rows.keys()].toSorted());
    expect(text).toContain(`\`${sshSubject}\`, \`${fields(sshState)}\``);
  });

  test("shows a plan in its byte form, with the digests it has", () => {
    const [, json = ""] = /```json\n([\s\S]*?)```/.exec(format) ?? [];
    const reading = parsePlan(new TextEncoder().encode(json));
    if (!reading.ok) throw new Error(reading.reason);
    const plan = reading.value;
    const lines = [
      `header   ${headerDigest(sha256, plan.header)}`,
      ...plan.sections.map((section) => `section  ${sectionDigest(sha256, section)}`),
      `plan     ${planDigest(sha256, plan)}`,
    ];
    expect(format).toContain(`\`\`\`text\n${lines.join("\n")}\n\`\`\``);
    expect(format).toContain(`frame has ${headerMessage(plan.header).length} bytes`);
  });
});
