import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { codeOf } from "../../../../tests/support/signed-task.ts";
import { writeTo } from "../../test/task-draft.ts";
import type { Ceiling } from "../ceiling/ceiling.ts";
import { judgeCeiling } from "./judge-ceiling.ts";

function ceilingOf(allow: string[], keep?: string[]): Ceiling {
  return { schema: 1, level: "managed", accepts: "signed", allow, ...(keep === undefined ? {} : { keep }) };
}

const signature = { keyId: "0".repeat(32), ed25519: "0".repeat(88) };
const update: Operation = {
  kind: "agent.update",
  version: "1.0.0",
  architecture: "x64",
  sha256: "0".repeat(64),
  size: 1,
  signature,
};
/** Fields that a later schema adds say nothing of the ceiling. */
const program = (path: string, publisher: string) =>
  ({ kind: "binary.replace", path, sha256: "0".repeat(64), size: 1, publisher, signature }) as Operation;
const restart = (unit: string): Operation => ({ kind: "service.restart", unit });
const table = (name: string, policy: "accept" | "drop" = "accept"): Operation => ({
  kind: "firewall.apply",
  table: name,
  input: { policy, rules: [] },
});
const onlyFrom: Operation = {
  kind: "firewall.apply",
  table: "gatehouse_edge",
  input: {
    policy: "drop",
    rules: [
      { label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }], sources: ["192.0.2.0/24"] },
    ],
  },
};
const tail: Operation = { kind: "log.tail", source: { from: "journal", unit: "app.service" }, lines: 1 };
const edge = ["firewall.apply:gatehouse_edge"];

test.each<[code: string, allow: string[], operations: Operation[], keep?: string[]]>([
  ["taken", ["file.write:/etc/nginx"], [writeTo("/etc/nginx/a/b"), writeTo("/etc/nginx")]],
  ["ceiling.path", ["file.write:/etc/nginx"], [writeTo("/etc/nginx-evil/x")]],
  ["ceiling.path", ["file.write:/etc/nginx"], [writeTo("/etc")]],
  ["ceiling.kind", ["file.write:/etc/nginx"], [restart("app.service")]],
  ["ceiling.kind", ["file.write:/etc/nginx"], [tail]],
  ["ceiling.unit", ["service.restart:web.service"], [restart("app.service")]],
  ["taken", ["service.restart:app.service"], [restart("app.service")]],
  ["ceiling.protected", ["service.restart:systemd-udevd.service"], [restart("systemd-udevd.service")]],
  ["ceiling.protected", ["file.write:/etc"], [writeTo("/etc/gatehouse/ceiling.json")]],
  ["ceiling.protected", ["file.write:/etc"], [writeTo("/etc/systemd/system/gatehouse-agent.service")]],
  ["ceiling.protected", ["file.write:/var/lib"], [writeTo("/var/lib/gatehouse/host.key")]],
  ["ceiling.protected", ["file.write:/usr"], [writeTo("/usr/lib/gatehouse/rescue/gatehouse-agent")]],
  ["ceiling.protected", ["file.write:/var"], [writeTo("/var/run/x")]],
  ["ceiling.table", edge, [table("gatehouse_other")]],
  ["taken", edge, [table("gatehouse_edge")]],
  ["ceiling.keep", edge, [table("gatehouse_edge", "drop")]],
  ["ceiling.keep", edge, [onlyFrom]],
  ["ceiling.keep", edge, [onlyFrom], ["tcp/22:192.0.0.0/16"]],
  ["taken", edge, [table("gatehouse_edge", "drop")], []],
  ["taken", ["binary.replace:/opt"], [program("/opt/tool", "acme")]],
  ["taken", ["binary.replace:/opt=acme"], [program("/opt/tool", "acme"), program("/opt", "acme")]],
  ["ceiling.publisher", ["binary.replace:/opt=acme"], [program("/opt/tool", "other")]],
  ["ceiling.publisher", ["binary.replace:/opt=acme"], [program("/opt/tool", "acme"), program("/opt/it", "acme2")]],
  ["ceiling.path", ["binary.replace:/opt=acme"], [program("/srv/tool", "acme")]],
  ["ceiling.path", ["binary.replace:/opt=acme"], [program("/opt=acme/tool", "acme")]],
  ["taken", ["binary.replace:/opt=acme", "binary.replace:/opt=other"], [program("/opt/tool", "other")]],
  // The nearest entry decides, whatever stands above it.
  ["ceiling.publisher", ["binary.replace:/opt", "binary.replace:/opt/tool=acme"], [program("/opt/tool/a", "other")]],
  ["taken", ["binary.replace:/opt", "binary.replace:/opt/tool=acme"], [program("/opt/tools", "other")]],
  ["taken", ["binary.replace:/opt=acme", "binary.replace:/opt/tool"], [program("/opt/tool/a", "other")]],
  ["ceiling.publisher", ["binary.replace:/opt=a1", "binary.replace:/opt/tool=b1"], [program("/opt/tool", "a1")]],
  ["ceiling.protected", ["binary.replace:/usr=acme"], [program("/usr/lib/gatehouse/x", "acme")]],
  ["ceiling.alone", ["agent.update", "file.write:/etc/nginx"], [update, writeTo("/etc/nginx")]],
  ["taken", ["agent.update"], [update]],
])("%s: under %j", (code, allow, operations, keep) => {
  expect(codeOf(() => judgeCeiling(ceilingOf(allow, keep), operations))).toBe(code);
});

const usual = undefined;

test.each<[code: string, keep: string[] | undefined, addresses: string[], networks: string[]]>([
  // From everywhere, as where root has said nothing: private networks alone.
  ["taken", usual, ["10.77.0.1/24", "fd77::1/64"], ["10.77.0.2/32", "192.168.7.0/24", "fd20::/48"]],
  ["ceiling.keep", usual, ["10.77.0.1/24"], ["198.51.100.7/32"]],
  ["ceiling.keep", usual, ["10.77.0.1/24"], ["10.77.0.2/32", "2001:db8:7::/48"]],
  ["ceiling.keep", usual, ["203.0.113.1/24"], ["203.0.113.2/32"]],
  ["taken", ["tcp/22:0.0.0.0/0"], ["10.77.0.1/24"], ["2001:db8:7::/48"]],
  // From a network: whatever does not share an address with it.
  ["taken", ["tcp/22:192.0.2.0/24"], ["10.77.0.1/24"], ["10.77.0.2/32", "198.51.100.0/24"]],
  ["ceiling.keep", ["tcp/22:192.0.2.0/24"], ["10.77.0.1/24"], ["192.0.2.7/32"]],
  ["ceiling.keep", ["tcp/22:192.0.2.7/32"], ["192.0.2.1/24"], ["10.77.0.2/32"]],
  ["ceiling.keep", ["udp/53:10.0.0.0/8"], ["10.77.0.1/24"], ["10.77.0.2/32"]],
  ["ceiling.keep", ["tcp/22:192.0.2.0/24", "tcp/22:2001:db8:7::/64"], ["10.77.0.1/24"], ["2001:db8:7::/48"]],
  ["taken", [], ["10.77.0.1/24"], ["198.51.100.7/32", "2001:db8:7::/48"]],
])("%s: an interface where root keeps %j, with %j and %j", (code, keep, addresses, allowedIps) => {
  const tunnel: Operation = {
    kind: "network.wireguard",
    interface: "wg0",
    publicKey: null,
    listenPort: 51_820,
    addresses,
    peers: [{ label: "office", publicKey: `${"b".repeat(42)}A=`, allowedIps }],
  };
  expect(codeOf(() => judgeCeiling(ceilingOf(["network.wireguard:wg0"], keep), [tunnel]))).toBe(code);
});

const logOf = (path: string): Operation => ({ kind: "log.tail", source: { from: "file", path }, lines: 1 });

test.each<[code: string, logs: string[], operations: Operation[]]>([
  ["ceiling.kind", [], [tail]],
  ["taken", ["app.service"], [tail]],
  ["ceiling.unit", ["web.service"], [tail]],
  ["ceiling.unit", ["/var/log"], [tail]],
  ["taken", ["/var/log"], [logOf("/var/log/nginx/error.log"), logOf("/var/log")]],
  ["taken", ["/var/log/a.log", "app.service"], [logOf("/var/log/a.log"), tail, writeTo("/etc/nginx/a")]],
  ["ceiling.path", ["/var/log"], [logOf("/var/logs/a.log")]],
  ["ceiling.path", ["/var/log/nginx"], [logOf("/var/log/auth.log")]],
  ["ceiling.path", ["app.service"], [logOf("/etc/nginx/nginx.conf")]],
  ["ceiling.path", ["/var/log"], [writeTo("/var/log/x")]],
  ["ceiling.protected", ["/etc"], [logOf("/etc/gatehouse/trust.json")]],
  ["ceiling.protected", ["/var"], [logOf("/var/lib/gatehouse/host.key")]],
  ["ceiling.protected", ["/var/lib/gatehouse/host.key"], [logOf("/var/lib/gatehouse/host.key")]],
  ["ceiling.protected", ["/var"], [logOf("/var/run/secret")]],
  ["ceiling.protected", ["/proc/1"], [logOf("/proc/1/environ")]],
])("%s: where the logs %j may be read", (code, logs, operations) => {
  const ceiling: Ceiling = { ...ceilingOf(["file.write:/etc/nginx", "service.restart:app.service"]), read: { logs } };
  expect(codeOf(() => judgeCeiling(ceiling, operations))).toBe(code);
});

test("what may be read is named where an operation is not", () => {
  const ceiling: Ceiling = { ...ceilingOf(["file.write:/etc/nginx"]), read: { logs: ["/var/log"] } };
  expect(() => judgeCeiling(ceiling, [restart("app.service")])).toThrowError("expected file.write, log.tail, found");
  expect(() => judgeCeiling(ceiling, [tail])).toThrowError("expected nothing of that form, found app.service");
});
