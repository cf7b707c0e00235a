import * as z from "zod";

/** How root of a host lets changes be approved there. `none`: not at all. */
export const acceptsModes = ["none", "signed", "server"] as const;
export type AcceptsMode = (typeof acceptsModes)[number];

/** Minutes for which a server's own orders hold. */
export const orderMinutes = { least: 5, unsaid: 60, most: 24 * 60 } as const;

/** Seconds after which a host takes a change back unless it was confirmed. */
export const rollbackWindows = { least: 10, unsaid: 120, most: 3_600 } as const;

export const planApproval = z
  .strictObject({
    id: z.string().meta({ description: "Signatures under the same statement share it; a host uses it once." }),
    kind: z.enum(["signed", "server"]).meta({
      description:
        "`signed`: by an approver's own key. `server`: a person's word to this server, for hosts that trust it.",
    }),
    user: z.string(),
    by: z.string(),
    at: z.iso.datetime(),
    keyId: z.string().nullable(),
    fingerprint: z.string().nullable(),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    rollbackWindow: z.int(),
    sections: z.int().meta({ description: "For how many of the plan's hosts." }),
  })
  .meta({ id: "PlanApproval" });
export type PlanApprovalView = z.output<typeof planApproval>;
