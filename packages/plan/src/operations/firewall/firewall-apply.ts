import { firewallState, sshSubject } from "../../states.ts";
import { defineOperation } from "../descriptor.ts";
import { diffFirewall } from "./diff.ts";
import { firewallTable } from "./firewall-table.ts";
import { lintFirewall } from "./lint.ts";
import { firewallWork } from "./nft-words.ts";
import { firewallWords } from "./words.ts";

/**
 * Replaces one nftables table of the family inet, and never another: its name begins with `gatehouse_`. Outgoing traffic is not
 * filtered, so a host can always reach its control server.
 */
export const firewallApply = defineOperation({
  kind: "firewall.apply",
  capability: "host:firewall",
  says: "Replaces a firewall table of its own.",
  schema: firewallTable,
  subject: ({ table }) => `firewall:${table}`,
  state: firewallState,
  lintReads: [sshSubject],
  words: firewallWords,
  lint: lintFirewall,
  diff: diffFirewall,
  work: firewallWork,
});
