import type { WitnessCode } from "@gatehouse/contract";
import { cutFindings, type OverviewSource, sayWhole } from "../overview-source.ts";

export interface WitnessSourceDeps {
  /** Hosts that do not take the audit log for the one that they saw; the one that knows best where it differs is the first. */
  readonly readRefusing: () => Promise<readonly RefusingHost[]>;
}

export interface RefusingHost {
  readonly node: string;
  readonly name: string;
  readonly code: WitnessCode | null;
  readonly detail: string | null;
  readonly since: string | null;
}

/** Before everything that the log says: it may not be the log. A gap is no other log, and stands on the page of the log alone. */
export function witnessSource({ readRefusing }: WitnessSourceDeps): OverviewSource {
  return {
    about: "witnesses of the audit log",
    kinds: ["witness"],
    read: async () => {
      const refusing = (await readRefusing()).filter(({ code }) => code !== "witness.gap");
      return [
        cutFindings("witness", refusing, ({ node, name, detail, since }) => ({
          subject: { type: "node", id: node, name } as const,
          title: `The audit log is not the one that ${name} saw`,
          line: `${detail === null ? "" : `${sayWhole(detail)} `}Approve nothing because of what the log says.`,
          since: since === null ? undefined : Date.parse(since),
        })),
      ];
    },
  };
}
