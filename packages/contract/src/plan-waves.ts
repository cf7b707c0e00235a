import * as z from "zod";
import { nodeTag } from "./node-names.ts";
import { waveLimits } from "./wave-limits.ts";

/** When a plan halts by itself: at so many hosts of one wave that have not kept the change, or at such a share of it. */
export const planHaltRule = z.union([
  z.strictObject({ after: z.int().min(1).max(waveLimits.hosts) }),
  z.strictObject({ percent: z.int().min(1).max(100) }),
]);
export type PlanHaltRule = z.output<typeof planHaltRule>;

/** In which order the hosts of a plan get it, as somebody asks for it when it is started. */
export const wantedWaves = z
  .strictObject({
    canary: z
      .int()
      .min(1)
      .max(waveLimits.canary)
      .optional()
      .meta({ description: "So many hosts first, of those that are connected." }),
    tags: z
      .array(nodeTag)
      .min(1)
      .max(waveLimits.tags)
      .optional()
      .meta({ description: "Then a wave for each tag, in this order, of hosts that are in none yet." }),
    size: z
      .int()
      .min(1)
      .max(waveLimits.hosts)
      .optional()
      .meta({ description: "A wave with more hosts than this becomes several." }),
  })
  .refine(({ canary, tags, size }) => (canary ?? tags ?? size) !== undefined, "a canary, tags or a size");
export type WantedWaves = z.output<typeof wantedWaves>;

/** How a plan is to run. */
export const wantedRun = z.strictObject({
  waves: wantedWaves.optional(),
  halt: planHaltRule.optional().meta({
    description:
      "At how many hosts of one wave that did not keep the change, or at which share of them, nothing more is begun.",
  }),
});
export type WantedRun = z.output<typeof wantedRun>;

/** What makes a wave one: the hosts that go first, those of a tag, or all that are left. */
export const waveKinds = ["canary", "tag", "rest"] as const;
export type WaveKind = (typeof waveKinds)[number];

/** `shut`: nothing is sent to its hosts yet. `ended`: every host of it has ended. */
export const waveStates = ["shut", "open", "ended"] as const;
export type WaveState = (typeof waveStates)[number];
