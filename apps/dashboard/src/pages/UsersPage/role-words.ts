import type { Role } from "@gatehouse/contract";

export const roleWords: Readonly<Record<Role, { label: string; hint: string }>> = {
  owner: { label: "Owner", hint: "Everything, also users, plugins and settings." },
  operator: { label: "Operator", hint: "Runs the fleet: hosts, plans, terminals, storage. Does not approve plans." },
  approver: {
    label: "Approver",
    hint: "Approves the exact bytes of plans and watches terminals. Changes nothing alone.",
  },
  auditor: { label: "Auditor", hint: "Reads everything, also the audit log and recordings. Changes nothing." },
  viewer: { label: "Viewer", hint: "Sees hosts, plans and logs. Changes nothing." },
};
