import { channelLimits } from "@gatehouse/channel";
import type { EvilCase } from "./evil-case.ts";
import { sampleQuestion, sampleTask } from "./evil-types.ts";

const part = { sha256: "f".repeat(64), size: 2 ** 40 };

/** How the host has to answer what a server may ask of it. */
export const refusals = {
  task: { t: "task-refused", codes: ["ceiling.off", "local.limit"] },
  "want-state": { t: "state-refused", codes: ["read.ceiling", "plan.kind_unknown", "read.rate"] },
} as const satisfies Record<string, EvilCase["answer"]>;

const malformed = { t: "task-refused", codes: ["task.malformed", "local.limit"] } as const;
/** Of a size that a plan can name. */
const artifact = (digit: string, size = 10) => ({ sha256: digit.repeat(64), size });
const bringing = (...artifacts: readonly object[]) => ({ parts: { ...sampleTask.parts, artifacts } });
const samePart = { header: part, digests: part, section: part, approvals: part };

/** Changes in every form that is one, and one that is none: the form is judged before whether the host takes any. */
const tasks: readonly (readonly [name: string, more: object, answer: NonNullable<EvilCase["answer"]>])[] = [
  ["a change", {}, refusals.task],
  ["a change of the last section there can be", { index: 9_999 }, refusals.task],
  ["a change of a section that no plan has", { index: 2 ** 53 - 1 }, refusals.task],
  [
    "a change whose parts are one and the same",
    { parts: { ...samePart, artifacts: Array.from({ length: 64 }, () => part) } },
    malformed,
  ],
  ["a change that brings artifacts", bringing(artifact("a"), artifact("b")), refusals.task],
  ["a change with artifacts in falling order", bringing(artifact("b"), artifact("a")), malformed],
  ["a change with an artifact twice", bringing(artifact("a"), artifact("a")), malformed],
  ["a change with an artifact that no plan can name", bringing(artifact("a", 512 * 1024 * 1024 + 1)), malformed],
  ["a change whose artifact is its section", bringing(sampleTask.parts.section), malformed],
];

/** Parts of a host that no ceiling of this suite lets be told, and texts that would be something else to a program. */
const subjects: readonly string[] = [
  "file:/etc/shadow",
  "file:/etc/cron.d/backup",
  "file:/etc/nginx-evil",
  "file:/etc/nginx/../shadow",
  "file:/etc/nginx//../shadow",
  "file:/etc/nginx/./nginx.conf",
  "file:/etc/nginx/\u0000",
  "file:/var/lib/gatehouse/host.key",
  "file:/proc/self/environ",
  "file:etc/nginx/nginx.conf",
  "file:",
  "firewall:filter",
  "firewall:gatehouse_filter;id",
  "firewall:-f /etc/shadow",
  "service:--help",
  "service:nginx.service nginx.service",
  "service:ssh.service",
  "service:dbus.service",
  "wireguard:wg1",
  "wireguard:wg0;id",
  "wireguard:all",
  "wireguard:../wg0",
  "binary:/opt/tool2",
  "binary:/opt/other/tool",
  "binary:/opt/tool/../../etc/shadow",
  "binary:/usr/lib/gatehouse/gatehouse-agent",
  "agent:other",
  "agent:",
  "host:SSH",
  "host:ssh ",
  "log:/var/log/nginx.log",
  "__proto__:x",
  "constructor:x",
  "toString",
  "",
];

/** What a server may ask of a host, as a stolen one asks it: everything is answered, and everything by a refusal. */
export const askedCases: readonly EvilCase[] = [
  ...tasks.map(([name, more, answer]): EvilCase => {
    const text = JSON.stringify({ ...sampleTask, ...more });
    return { name, stage: "open", make: () => [text], answer };
  }),
  ...subjects.map((subject) => question(`a question about ${JSON.stringify(subject)}`, [subject])),
  question("a question about as much as there can be", [
    ...Array.from({ length: channelLimits.stateSubjects - 1 }, (_, at) => `file:/etc/nginx/${at}.conf`),
    "file:/etc/shadow",
  ]),
];

function question(name: string, asked: readonly string[]): EvilCase {
  const text = JSON.stringify({ ...sampleQuestion, subjects: asked });
  return { name, stage: "open", make: () => [text], answer: refusals["want-state"] };
}
