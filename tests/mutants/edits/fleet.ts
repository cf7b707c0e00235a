import { editsIn } from "../edit.ts";

/** Contract 1, 4 and 9: the control channel of agents. */
export const fleetEdits = [
  ...editsIn("apps/server/src/edge/socket-gate.ts", [
    {
      id: "4-15",
      old: "if (origin === undefined && cookie === undefined) return;",
      new: "if (cookie === undefined) return;",
      by: "and no page",
    },
  ]),
  ...editsIn("apps/server/src/features/fleet/judge-hello.ts", [
    {
      id: "4-15b",
      old: "if (!isSignedBy(key, framed, signature))",
      new: "if (isSignedBy(key, framed, signature))",
      by: "is welcomed",
    },
  ]),
  ...editsIn("packages/approval/src/verify/approval-checks.ts", [
    {
      id: "1-15",
      old: "flawUnless(found === planDigest, ",
      new: 'flawUnless(found !== "", ',
      by: "is bound to the SHA-256 digest",
      inGate: true,
    },
  ]),
  ...editsIn("apps/server/src/compose.ts", [
    { id: "9-7", old: "[...fleet.sockets, ", new: "[", by: "exist from release 0.2.1 on" },
  ]),
];
