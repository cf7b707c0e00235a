/** How a host stands to the log that its server shows. */
export const witnessStates = ["agrees", "behind", "refuses", "silent"] as const;
export type WitnessState = (typeof witnessStates)[number];

/** Why a head of the log is not taken. Faults of the same names say it to people. */
export const witnessCodes = [
  "witness.damaged",
  "witness.fork",
  "witness.gap",
  "witness.regressed",
  "witness.signature",
] as const;
export type WitnessCode = (typeof witnessCodes)[number];
