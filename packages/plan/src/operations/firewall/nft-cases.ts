import type { FirewallState } from "../../states.ts";
import type { FirewallApply } from "./firewall-table.ts";

/** What nft 1.0.6 told of tables that it had loaded, as a host sends it: without the version, handles and indexes. */
export const recordedOperation: FirewallApply = {
  kind: "firewall.apply",
  table: "gatehouse_netguard",
  input: {
    policy: "drop",
    rules: [
      { label: "loopback", verdict: "accept", interfaces: ["lo"] },
      { label: "answers", verdict: "accept", states: ["related", "established"] },
      { label: "not a connection", verdict: "drop", states: ["invalid"] },
      {
        label: "ssh from office",
        verdict: "accept",
        interfaces: ["wg0", "eth0"],
        sources: ["198.51.100.7/32", "10.128.0.0/9", "10.0.0.0/9", "2001:db8::/32", "fd00::1/128"],
        states: ["new"],
        protocol: "tcp",
        ports: [
          { from: 22, to: 22 },
          { from: 80, to: 90 },
          { from: 91, to: 95 },
        ],
      },
      {
        label: "everybody",
        verdict: "reject",
        sources: ["0.0.0.0/0"],
        protocol: "udp",
        ports: [{ from: 1, to: 65535 }],
      },
      { label: "odd cut", verdict: "reject", sources: ["192.0.2.0/25", "192.0.2.128/26"] },
      { label: "pings", verdict: "accept", protocol: "icmp", types: ["echo-request", "destination-unreachable"] },
      {
        label: "neighbours",
        verdict: "accept",
        protocol: "icmpv6",
        types: ["nd-neighbor-solicit", "mld-listener-done"],
      },
      { label: "all icmpv6", verdict: "reject", protocol: "icmpv6" },
      { label: "all tcp", verdict: "reject", protocol: "tcp" },
    ],
  },
  forward: { policy: "accept", rules: [{ label: "rest", verdict: "drop" }] },
};

/** After `renderFirewall(recordedOperation)`. */
export const recordedState = readRows([
  '{"table":{"family":"inet","name":"gatehouse_netguard"}}',
  '{"chain":{"family":"inet","table":"gatehouse_netguard","name":"input","type":"filter","hook":"input","prio":0,"policy":"drop"}}',
  '{"chain":{"family":"inet","table":"gatehouse_netguard","name":"forward","type":"filter","hook":"forward","prio":0,"policy":"accept"}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"loopback","expr":[{"match":{"op":"==","left":{"meta":{"key":"iifname"}},"right":"lo"}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"answers","expr":[{"match":{"op":"==","left":{"ct":{"key":"state"}},"right":{"set":["established","related"]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"not a connection","expr":[{"match":{"op":"in","left":{"ct":{"key":"state"}},"right":"invalid"}},{"drop":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"ssh from office","expr":[{"match":{"op":"==","left":{"meta":{"key":"iifname"}},"right":{"set":["wg0","eth0"]}}},{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":{"set":[{"prefix":{"addr":"10.0.0.0","len":8}},"198.51.100.7"]}}},{"match":{"op":"in","left":{"ct":{"key":"state"}},"right":"new"}},{"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":{"set":[22,{"range":[80,95]}]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"ssh from office","expr":[{"match":{"op":"==","left":{"meta":{"key":"iifname"}},"right":{"set":["wg0","eth0"]}}},{"match":{"op":"==","left":{"payload":{"protocol":"ip6","field":"saddr"}},"right":{"set":[{"prefix":{"addr":"2001:db8::","len":32}},"fd00::1"]}}},{"match":{"op":"in","left":{"ct":{"key":"state"}},"right":"new"}},{"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":{"set":[22,{"range":[80,95]}]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"everybody","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":{"prefix":{"addr":"0.0.0.0","len":0}}}},{"match":{"op":"==","left":{"payload":{"protocol":"udp","field":"dport"}},"right":{"range":[1,65535]}}},{"reject":{"type":"icmp","expr":"port-unreachable"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"odd cut","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":{"set":[{"range":["192.0.2.0","192.0.2.191"]}]}}},{"reject":{"type":"icmp","expr":"port-unreachable"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"pings","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"icmp","field":"type"}},"right":{"set":["destination-unreachable","echo-request"]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"neighbours","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"icmpv6","field":"type"}},"right":{"set":["mld-listener-done","nd-neighbor-solicit"]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"all icmpv6","expr":[{"match":{"op":"==","left":{"meta":{"key":"l4proto"}},"right":"ipv6-icmp"}},{"reject":{"type":"icmpx","expr":"port-unreachable"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"all tcp","expr":[{"match":{"op":"==","left":{"meta":{"key":"l4proto"}},"right":"tcp"}},{"reject":{"type":"icmpx","expr":"port-unreachable"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"forward","comment":"rest","expr":[{"drop":null}]}}',
]);

/** A table that somebody wrote by hand. */
export const foreignState = readRows([
  '{"table":{"family":"inet","name":"gatehouse_netguard"}}',
  '{"counter":{"family":"inet","name":"seen","table":"gatehouse_netguard","packets":0,"bytes":0}}',
  '{"set":{"family":"inet","name":"blocked","table":"gatehouse_netguard","type":"ipv4_addr","flags":["interval"],"elem":[{"prefix":{"addr":"203.0.113.0","len":24}}]}}',
  '{"chain":{"family":"inet","table":"gatehouse_netguard","name":"input","type":"filter","hook":"input","prio":10,"policy":"accept"}}',
  '{"chain":{"family":"inet","table":"gatehouse_netguard","name":"extra"}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":"@blocked"}},{"drop":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","comment":"not ssh","expr":[{"match":{"op":"!=","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":22}},{"counter":null},{"drop":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"match":{"op":"in","left":{"ct":{"key":"state"}},"right":["established","related"]}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":22}},{"limit":{"rate":3,"burst":5,"per":"minute"}},{"log":{"prefix":"ssh: "}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":{"range":["10.0.0.1","10.0.0.6"]}}},{"match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":{"set":[22,2222]}}},{"reject":{"type":"tcp reset"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"match":{"op":"==","left":{"payload":{"protocol":"ip6","field":"daddr"}},"right":"2001:db8::1"}},{"match":{"op":"==","left":{"meta":{"key":"l4proto"}},"right":{"set":["tcp","udp"]}}},{"accept":null}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"input","expr":[{"jump":{"target":"extra"}}]}}',
  '{"rule":{"family":"inet","table":"gatehouse_netguard","chain":"extra","expr":[{"accept":null}]}}',
]);

function readRows(rows: readonly string[]): FirewallState {
  return { nftables: rows.map((row) => JSON.parse(row) as FirewallState["nftables"][number]) };
}
