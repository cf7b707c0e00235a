import type { PlanFinding, PlanSectionView } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

/** A way that the lint follows through the new rules of each host. */
export interface KeptPath {
  readonly path: string;
  readonly state: Extract<State, "ok" | "warn" | "bad">;
  /** The lint's own words where it found something. */
  readonly says: string;
  readonly code: string | null;
  /** On how many hosts nothing was found. */
  readonly kept: number;
  readonly of: number;
}

const paths: readonly {
  readonly path: string;
  readonly kept: string;
  readonly codes: readonly string[];
  /** Most hosts have no such way: it is named where something was found. */
  readonly isRare?: boolean;
}[] = [
  {
    path: "Control connection",
    kept: "It goes out, which is not filtered; answers come in.",
    codes: ["firewall.answers_cut", "firewall.answers_partly"],
  },
  {
    path: "SSH",
    kept: "Whoever is connected now, and the management networks, come in.",
    codes: ["firewall.ssh_cut", "firewall.ssh_closed", "firewall.ssh_unjudged"],
  },
  {
    path: "Gatehouse server on the host",
    kept: "",
    codes: ["firewall.control_cut", "firewall.control_partly"],
    isRare: true,
  },
  { path: "Programs on the host", kept: "They reach each other.", codes: ["firewall.loopback_cut"] },
  { path: "IPv6 neighbours", kept: "They find the host.", codes: ["firewall.neighbours_cut"] },
];

const ranks: Readonly<Record<PlanFinding["severity"], number>> = { refuse: 2, warn: 1, note: 0 };

/** What stays reachable, as the lint found it: no finding about a path means that it was followed and is kept. */
export function reachableOf(sections: readonly Pick<PlanSectionView, "findings">[]): readonly KeptPath[] {
  return paths.flatMap(({ path, kept: keptWords, codes, isRare = false }) => {
    const perHost = sections.map(({ findings }) => findings.filter(({ code }) => codes.includes(code)));
    const worst = perHost.flat().toSorted((a, b) => ranks[b.severity] - ranks[a.severity])[0];
    if (worst === undefined && isRare) return [];
    return [
      {
        path,
        state: worst === undefined ? "ok" : worst.severity === "refuse" ? "bad" : "warn",
        says: worst?.says ?? keptWords,
        code: worst?.code ?? null,
        kept: perHost.filter((found) => found.length === 0).length,
        of: sections.length,
      },
    ];
  });
}
