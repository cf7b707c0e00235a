import { keyEnds, vectorKeys } from "./vector-keys.ts";
import { signed, type Vector } from "./vector.ts";

const { first, second, third, revoked, old, stranger } = vectorKeys;

/** Bundles that are accepted. */
export const validVectors: readonly Vector[] = [
  { name: "valid-minimal", says: "No capability, no contribution, one signature.", manifest: signed() },
  {
    name: "valid-contributions-and-egress",
    says: "A page, an enhancement, an icon, a scope, two hosts and an expiry.",
    manifest: signed({
      capabilities: ["http:egress", "kv:read", "kv:write"],
      egress: { hosts: ["api.example.com", "status.example.com"] },
      contributions: {
        nav: [
          {
            component: "wireguard.mesh",
            title: "Mesh",
            path: "/apps/acme-lines/mesh",
            icon: "network",
            scope: "node:read",
          },
          { component: "a-component.nobody-has", title: "Start", path: "/apps/acme-lines" },
        ],
        enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
      },
      expiresAt: "2027-01-01T00:00:00Z",
    }),
  },
  {
    name: "valid-host-risk",
    says: "A host-risk capability with the runner system, within the publisher's ceiling.",
    manifest: signed({ capabilities: ["host:firewall"] }),
  },
  {
    name: "valid-threshold-2-of-3",
    says: "Two of three keys have signed, and two are asked for.",
    manifest: signed({ capabilities: ["kv:read"] }, [first, third]),
    policy: "trust/two-of-three.json",
  },
  {
    name: "valid-key-rotation",
    says: "A key the policy does not know has signed as well; its signature is ignored.",
    manifest: signed({}, [second, stranger]),
  },
  {
    name: "valid-beside-a-revoked-key",
    says: "A revoked key has signed as well; it does not count, and the other one is enough.",
    manifest: signed({}, [first, revoked]),
  },
  {
    name: "valid-key-at-its-end",
    says: "The key is valid up to and including the moment that notAfter names.",
    manifest: signed({}, [old]),
    now: keyEnds,
  },
  { name: "valid-pre-release", says: "A pre-release version.", manifest: signed({ version: "1.10.0-rc.1.x-7" }) },
  {
    name: "valid-unicode-name",
    says: "A name of many scripts, which is written without escapes.",
    manifest: signed({ name: 'Línien 线路 \u{1f310} "x" \\ / \u007e' }),
  },
  {
    name: "valid-whole-id",
    says: "The policy names the whole id instead of a prefix.",
    manifest: signed({ id: "lines" }),
    directory: "lines",
  },
  {
    name: "valid-runner-worker",
    says: "The runner worker, where it is enabled.",
    manifest: signed({ runner: "worker" }),
    enabledRunners: ["system", "worker"],
  },
];
