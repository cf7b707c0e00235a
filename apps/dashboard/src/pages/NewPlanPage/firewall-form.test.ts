import { expect, test } from "vitest";
import { emptyFirewall, type FirewallFields, readFirewall, sayFirewall } from "./firewall-form.ts";

const typed: FirewallFields = {
  zones: [
    { key: 1, name: "office", members: "198.51.100.0/24, 2001:db8:40::/48" },
    { key: 2, name: "inside", members: "wg0" },
    { key: 3, name: "", members: " " },
  ],
  ssh: { ports: "22", from: "inside office" },
  services: [
    { key: 1, name: "quic", ports: "udp 443, 8443-8450", from: "any", tags: "" },
    { key: 2, name: "metrics", ports: "TCP 9100", from: "inside", tags: "edge, db" },
    { key: 3, name: "", ports: "", from: "", tags: "" },
  ],
  control: { ports: "443", tags: "control" },
};
const wrongOf = (changes: Partial<FirewallFields>) => readFirewall({ ...typed, ...changes }).wrong;

test("what is typed becomes the input of the plugin, and rows that are empty are not meant", () => {
  expect(readFirewall(typed)).toEqual({
    wrong: {},
    input: {
      zones: { office: { sources: ["198.51.100.0/24", "2001:db8:40::/48"] }, inside: { interfaces: ["wg0"] } },
      services: {
        quic: {
          protocol: "udp",
          ports: [
            { from: 443, to: 443 },
            { from: 8443, to: 8450 },
          ],
        },
        metrics: { protocol: "tcp", ports: [{ from: 9100, to: 9100 }] },
      },
      ssh: { ports: [22], from: ["inside", "office"] },
      allow: [
        { service: "quic", from: ["any"] },
        { service: "metrics", from: ["inside"], tags: ["edge", "db"] },
      ],
      control: { ports: [443], tags: ["control"] },
    },
  });
});

test("the form begins with something that can be planned: SSH and the web for everybody", () => {
  const { input, wrong } = readFirewall(emptyFirewall);
  expect(wrong).toEqual({});
  expect(input).toMatchObject({ zones: {}, ssh: { ports: [22] }, allow: [{ service: "web", from: ["any"] }] });
});

test("one address is a network of one", () => {
  const zones = [{ key: 1, name: "me", members: "198.51.100.23 2001:db8::1" }];
  expect(readFirewall({ ...emptyFirewall, zones }).input.zones).toEqual({
    me: { sources: ["198.51.100.23/32", "2001:db8::1/128"] },
  });
});

test.each([
  ["zone 1", { zones: [{ key: 1, name: "office", members: "198.51.100.7/24" }] }, /no network/],
  ["zone 1", { zones: [{ key: 1, name: "office", members: "10.0.0.0/8 10.1.0.0/16" }] }, /overlap/],
  ["zone 1", { zones: [{ key: 1, name: "any", members: "wg0" }] }, /everybody/],
  ["zone 1", { zones: [{ key: 1, name: "inside", members: "" }] }, /Name networks/],
  ["zone 2", { zones: [1, 2].map((key) => ({ key, name: "inside", members: "wg0" })) }, /twice/],
  ["ssh", { ssh: { ports: "", from: "" } }, /Name ports/],
  ["ssh", { ssh: { ports: "22", from: "home" } }, /no zone home/],
  ["service 1", { services: [{ key: 1, name: "web", ports: "80", from: "", tags: "" }] }, /tcp or udp/],
  ["service 1", { services: [{ key: 1, name: "web", ports: "tcp 70000", from: "", tags: "" }] }, /70000 is no port/],
  ["service 1", { services: [{ key: 1, name: "web", ports: "tcp", from: "", tags: "" }] }, /no port/],
  ["service 1", { services: [{ key: 1, name: "web", ports: "tcp 80", from: "", tags: "Not" }] }, /no tag/],
  ["control", { control: { ports: "443", tags: "" } }, /the tag of these hosts/],
] as const)("a fault stands at its row: %s %#", (row, changes, words) => {
  expect(wrongOf(changes)[row]).toMatch(words);
});

test("it is read out as sentences, with every network and tag", () => {
  expect(sayFirewall(readFirewall(typed).input)).toEqual([
    "SSH, tcp 22, from inside (what comes in on wg0) and office (198.51.100.0/24, 2001:db8:40::/48).",
    "The Gatehouse server, tcp 443, from everybody, on hosts with the tag control.",
    "quic, udp 443, 8443-8450, from everybody.",
    "metrics, tcp 9100, from inside (what comes in on wg0), on hosts with the tag edge or db.",
    "Whatever else comes in is dropped. What goes out is not filtered.",
  ]);
});
