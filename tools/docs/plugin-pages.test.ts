import { createHash } from "node:crypto";
import { brokerFaults, componentKeys, surfaces } from "@gatehouse/contract";
import { actionLimits, brokerLimits, brokerMethods, mapLineStates } from "@gatehouse/contract/broker";
import {
  capabilityOfOperation,
  digestDomains,
  headerDigest,
  headerMessage,
  operationKinds,
  operations,
  parsePlan,
  planDigest,
  sectionDigest,
} from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
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
    const { deadlineMs, outputBytes, stderrBytes, memoryBytes, brokerCalls, inputBytes, mapLines } = actionLimits;
    expect(protocol).toContain(`| deadline of \`describe\` and \`health\` | ${deadlineMs.health / 1_000} s |`);
    expect(protocol).toContain(`| deadline of \`plan\` | ${deadlineMs.plan / 1_000} s |`);
    expect(protocol).toContain(`| standard output, everything together | ${outputBytes / 1024 ** 2} MiB |`);
    expect(protocol).toContain(`| standard error | ${stderrBytes / 1024} KiB |`);
    expect(protocol).toContain(`| memory of all its processes | ${memoryBytes / 1024 ** 2} MiB |`);
    expect(protocol).toContain(`| broker calls in one action | ${brokerCalls} |`);
    expect(protocol).toContain(`| recorded input of a plan | ${inputBytes / 1024 ** 2} MiB |`);
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
      expect(format).toContain(`| \`${kind}\` | ${capability === null ? "none" : `\`${capability}\``} |`);
      const start = format.indexOf(`**\`${kind}\`**`);
      const text = format.slice(start, format.indexOf("\n\n", start));
      const fields = Object.keys(operations[kind].schema.shape).filter((field) => field !== "kind");
      for (const field of fields) expect(text).toContain(`\`${field}\``);
    }
    for (const domain of Object.values(digestDomains)) expect(format).toContain(`\`${domain}\``);
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
