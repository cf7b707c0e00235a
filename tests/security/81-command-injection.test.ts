import { planQuestion } from "@gatehouse/contract/broker";
import {
  interfaceLinkOf,
  operation,
  type Operation,
  operationKinds,
  type PlanDraft,
  readPlanDraft,
  renderFirewall,
  renderLink,
  renderWireguard,
  subjectOf,
} from "@gatehouse/plan";
import { PluginRefusal } from "@gatehouse/plugin-sdk";
import { expect, test } from "vitest";
import { netguardInput } from "../../plugins/netguard/src/input.ts";
import { planFirewall } from "../../plugins/netguard/src/plan-firewall.ts";
import { sampleQuestion as netguardSample } from "../../plugins/netguard/test/sample-input.ts";
import { wireguardInput } from "../../plugins/wireguard/src/input.ts";
import { planNetwork } from "../../plugins/wireguard/src/plan-network.ts";
import { hubQuestion, sampleQuestion as wireguardSample } from "../../plugins/wireguard/test/sample-input.ts";
import { Chance, counts } from "./support/chance.ts";
import { fieldNames, hostileWord, stringFields, withName, withText } from "./support/hostile-words.ts";
import { firewallText, linkText, plainArgument, wireguardText } from "./support/rendered-texts.ts";
import { findInSources, productSources } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/**
 * 1Panel, Semaphore, Rancher, Coolify: a field of a form became part of a command line or of a file that a program reads.
 * Tested here: what passes the schemas of operations and of the official plugins' inputs, and what is made of it. The agent
 * that gives these texts to programs joins this class with its own test.
 */
const rounds = counts["81 hostile words"];
const sha256 = "a".repeat(64);
const signature = { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` };
const key = `${"A".repeat(42)}A=`;

/** One of each kind, with all the texts it can have. */
const samples: readonly Operation[] = [
  {
    kind: "firewall.apply",
    table: "gatehouse_netguard",
    input: {
      policy: "drop",
      rules: [
        { label: "web", verdict: "accept", interfaces: ["eth0"], sources: ["10.0.0.0/8", "fd00::/8"], protocol: "tcp" },
        { label: "pings", verdict: "accept", states: ["new"], protocol: "icmpv6", types: ["echo-request"] },
      ],
    },
    forward: { policy: "drop", rules: [{ label: "inside", verdict: "reject", interfaces: ["wg0"] }] },
  },
  {
    kind: "network.wireguard",
    interface: "wg0",
    publicKey: key,
    listenPort: 51_820,
    mtu: 1_380,
    addresses: ["10.9.0.1/24", "fd00::1/64"],
    peers: [
      {
        label: "office",
        publicKey: key,
        endpoint: { host: "2001:db8::7", port: 51_820 },
        allowedIps: ["10.9.0.2/32"],
        keepaliveSeconds: 25,
      },
      {
        label: "laptop",
        publicKey: `B${key.slice(1)}`,
        endpoint: { host: "192.0.2.1", port: 1 },
        allowedIps: ["fd09::/64"],
      },
    ],
  },
  { kind: "service.restart", unit: "nginx.service" },
  { kind: "file.write", path: "/etc/motd", text: "hello\n", mode: "0644", owner: "root", group: "root" },
  {
    kind: "binary.replace",
    path: "/usr/local/bin/tool",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256,
    size: 10,
    publisher: "acme",
    signature,
  },
  { kind: "agent.update", version: "1.2.3", architecture: "x64", sha256, size: 10, signature },
  { kind: "log.tail", source: { from: "journal", unit: "ssh.service" }, lines: 100 },
  { kind: "log.tail", source: { from: "file", path: "/var/log/syslog" }, lines: 100 },
];

test("no text in a field of an operation makes a line, a quote, a comment or an option of its own", (context) => {
  expect(operationKinds.filter((kind) => !samples.some((sample) => sample.kind === kind))).toEqual([]);
  const chance = new Chance("operations");
  const tally = { words: 0, accepted: 0 };
  for (const sample of samples) {
    expectHarmless(operation.parse(sample));
    for (const field of stringFields(sample)) {
      for (let round = 0; round < rounds / 10; round += 1) {
        const read = operation.safeParse(withText(sample, field.path, hostileWord(chance, field.good)));
        tally.words += 1;
        if (!read.success) continue;
        tally.accepted += 1;
        expectHarmless(read.data);
      }
    }
    for (const field of fieldNames(sample)) {
      for (let round = 0; round < rounds / 100; round += 1) {
        const other = hostileWord(chance, field.name);
        const read = operation.safeParse(withName(sample, field, other));
        tally.words += 1;
        expect(read.success && other !== field.name, JSON.stringify(other)).toBe(false);
      }
    }
  }
  expect(tally.accepted).toBeGreaterThan(0);
  tried(
    context,
    `${count(tally.words, "words")} in ${count(samples.length, "operations")}, ${count(tally.accepted, "accepted")}, all harmless`,
  );
});

interface Official {
  readonly sample: unknown;
  readonly plan: (input: unknown) => PlanDraft | undefined;
}

const officials: Readonly<Record<string, Official>> = {
  netguard: {
    sample: netguardSample.input,
    plan: (input) =>
      planned(netguardInput.safeParse(input), (read) => planFirewall({ ...netguardSample, input: read })),
  },
  wireguard: { sample: wireguardSample, plan: planWireguard },
  "wireguard around a hub": { sample: hubQuestion, plan: planWireguard },
};

for (const [name, { sample, plan }] of Object.entries(officials)) {
  test(`nor does a text in the input of ${name}`, (context) => {
    const chance = new Chance(name);
    const [fields, names] = [stringFields(sample), fieldNames(sample)];
    expect(plan(sample)?.sections.length).toBeGreaterThan(1);
    let accepted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const field = chance.pick(fields);
      const named = chance.pick(names);
      const inputs = [
        withText(sample, field.path, hostileWord(chance, field.good)),
        withName(sample, named, hostileWord(chance, named.name)),
      ];
      for (const input of inputs) {
        const draft = plan(input);
        if (draft === undefined) continue;
        accepted += 1;
        const read = readPlanDraft(draft);
        expect(read.ok, JSON.stringify(input)).toBe(true);
        for (const section of draft.sections) for (const one of section.operations) expectHarmless(one);
      }
    }
    tried(context, `${count(rounds * 2, "inputs")} of ${name}, ${count(accepted, "planned")}`);
  });
}

test("no source starts a program by way of a shell", (context) => {
  // The gate asks a shell what a suite took of the processor; its words are the gate's own, and the suite is "$@".
  const others = /\.sh$|^apps\/[^/]+\/test\/|^tools\/gate\/run-command\.ts$/;
  const sources = productSources().filter(({ path }) => !others.test(path));
  const patterns = [
    /\bshell:\s*(?:true|["'`]|process\b)/,
    /(?<!\.)\bexec(?:Sync)?\(\s*["'`]/,
    /import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from "node:child_process"/,
    /["'`](?:\/usr)?(?:\/bin\/)?(?:ba|da|z)?sh["'`]\s*,\s*\[\s*["'`]-[a-z]*c/,
  ];
  for (const pattern of patterns) expect(findInSources(sources, pattern), String(pattern)).toEqual([]);
  // Whoever starts programs at all is known: the sandbox, a pipe among the test vectors, the agent's one folder, the command line
  // that lets ssh-keygen sign, and tools outside the product.
  const starters = new Set(findInSources(sources, /from "node:child_process"/).map((line) => line.split(":")[0] ?? ""));
  expect(
    [...starters].filter(
      (path) =>
        !/^(packages\/(sandbox|bundle\/src\/vectors)|apps\/agent\/src\/host|apps\/cli\/src\/approvals|tools)\//.test(
          path,
        ),
    ),
  ).toEqual([]);
  const planted = ["{ shell: true }", "{ shell: '/bin/sh' }", "execSync(`nft ${rule}`)", 'spawn("sh", ["-c", text])'];
  for (const text of planted) {
    expect(
      patterns.flatMap((pattern) => findInSources([{ path: "x.ts", text }], pattern)),
      text,
    ).not.toEqual([]);
  }
  tried(context, `${count(sources.length, "source files")}, ${count(starters.size, "that start programs")}`);
});

/** What would reach a program is of the form that we give it, and nothing more. */
function expectHarmless(one: Operation): void {
  if (one.kind === "firewall.apply") {
    const text = renderFirewall(one);
    expect(text).toMatch(firewallText);
    expect(text.split("\n").length).toBe(5 + linesOf(one.input) + linesOf(one.forward));
  }
  if (one.kind === "network.wireguard") {
    const text = renderWireguard(one);
    expect(text).toMatch(wireguardText);
    expect(text.match(/^\[/gm)).toHaveLength(1 + one.peers.length);
    const link = renderLink(one);
    expect(link).toMatch(linkText);
    expect(link.split("\n").length).toBe(5 + one.addresses.length + interfaceLinkOf(one, key).routes.length);
  }
  const subject = subjectOf(one);
  if (subject !== null) expect(subject).toMatch(plainArgument);
  for (const { path, good } of stringFields(one)) {
    // Labels stand inside quotes or in no text at all, and the text of a file is data; they have rules of their own.
    if (path.at(-1) === "label" || path.at(-1) === "text") expect(good).not.toMatch(hidden);
    else expect(good, path.join(".")).toMatch(plainArgument);
  }
}

const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Its own three, and one for each family of each rule's sources. */
function linesOf(
  chain: { readonly rules: readonly { readonly sources?: readonly string[] | undefined }[] } | undefined,
): number {
  if (chain === undefined) return 0;
  const families = ({ sources = [""] }: { readonly sources?: readonly string[] | undefined }) =>
    new Set(sources.map((source) => source.includes(":"))).size;
  return 3 + chain.rules.reduce((sum, rule) => sum + families(rule), 0);
}

/** Also of what the question says of its nodes: names are people's, keys are the hosts'. */
function planWireguard(question: unknown): PlanDraft | undefined {
  const asked = planQuestion.safeParse(question).data;
  if (asked === undefined) return undefined;
  return planned(wireguardInput.safeParse(asked.input), (input) => planNetwork({ ...asked, input }));
}

/** What a plugin plans; nothing where its schema or the plugin itself refuses. */
function planned<T>(
  read: { readonly success: true; readonly data: T } | { readonly success: false },
  plan: (input: T) => PlanDraft,
): PlanDraft | undefined {
  if (!read.success) return undefined;
  try {
    return plan(read.data);
  } catch (error) {
    // A planned refusal, such as of a zone that is not defined.
    if (error instanceof PluginRefusal) return undefined;
    throw error;
  }
}
