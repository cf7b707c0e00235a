import * as z from "zod";
import { unitName } from "../fields.ts";
import { type ServiceState, serviceState } from "../states.ts";
import type { PlanDiffLine } from "../diff-lines.ts";
import { lintFinding } from "../lint-finding.ts";
import { defineOperation } from "./descriptor.ts";
import { restartWork } from "./systemd-words.ts";

export const serviceRestart = defineOperation({
  kind: "service.restart",
  capability: "host:service",
  says: "Restarts a systemd service.",
  schema: z.strictObject({ kind: z.literal("service.restart"), unit: unitName }),
  subject: ({ unit }) => `service:${unit}`,
  state: serviceState,
  words: ({ unit }) => [`Restarts ${unit}. A restart cannot be undone.`],
  lint: ({ unit }) => [
    lintFinding("service.not_undone", `The restart of ${unit} cannot be undone: what it interrupts stays interrupted.`),
  ],
  diff: ({ unit }, before): PlanDiffLine[] => [
    { mark: "same", text: unit },
    { mark: "same", text: fileWords(before) },
  ],
  work: ({ unit }) => restartWork(unit),
});

function fileWords(state: ServiceState | null | undefined): string {
  if (state === undefined) return "its unit file is not changed; how it is now is not known";
  if (state === null) return "the host has no such unit";
  return `its unit file is not changed: sha256 ${state.fragmentSha256}, ${state.enabled}`;
}
