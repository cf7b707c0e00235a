import type { Role } from "@gatehouse/contract";

export const roleWords: Readonly<Record<Role, { label: string; hint: string }>> = {
  owner: { label: "Owner", hint: "Everything, also users, plugins and settings." },
  operator: { label: "Operator", hint: "Runs the fleet: hosts, plans, terminals, storage. Does not approve plans." },
  approver: {
    label: "Approver",
    hint: "Approves the exact bytes of plans that others drew up, and watches terminals.",
  },
  auditor: {
    label: "Auditor",
    hint: "Reads hosts, plans, logs and the audit log, and watches terminals. Changes no host.",
  },
  viewer: { label: "Viewer", hint: "Sees hosts, plans and logs. Changes nothing." },
};
