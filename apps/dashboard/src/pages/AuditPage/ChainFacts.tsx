import type { ReactNode } from "react";
import type { AuditCheck } from "../../api/audit.ts";
import type { AuditWitnesses } from "../../api/witnesses.ts";
import { cx } from "../../ui/cx.ts";
import { Link } from "../../ui/Link.tsx";
import { spanWords } from "../../ui/relative-time.ts";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { useClock } from "../../ui/use-clock.ts";
import type { ChainVerdict } from "../../widgets/chain-verdict.ts";
import type { ChainEnds } from "./chain-ends.ts";
import styles from "./ChainFacts.module.css";

export interface ChainFactProps {
  readonly label: string;
  readonly state?: State;
  readonly value: ReactNode;
  /** The value itself asks to be looked at. */
  readonly soon?: boolean;
  readonly children?: ReactNode;
}

/** Four facts on one line. */
export function FourFacts({ children }: { readonly children: ReactNode }) {
  return (
    <dl className={styles.facts} aria-label="The chain">
      {children}
    </dl>
  );
}

export function ChainFact({ label, state, value, soon = false, children }: ChainFactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div className={cx(styles.value, soon && styles.soon)}>
          {state !== undefined && <Mark state={state} />} {value}
        </div>
        {children}
      </dd>
    </div>
  );
}

export interface ChainFactsProps {
  readonly verdict: ChainVerdict;
  readonly check: AuditCheck | undefined;
  readonly ends: ChainEnds | undefined;
  readonly askedAt: number;
  readonly witnesses: AuditWitnesses | undefined;
  readonly onWitnesses: () => ReactNode;
}

/** After this long without a look at what is new, the age is something to look at. */
const oldMs = 600_000;

/** Whole to where, how old that check is, how many entries are newer, and who else knows the log. */
export function ChainFacts({ verdict, check, ends, askedAt, witnesses, onWitnesses }: ChainFactsProps) {
  const now = useClock();
  const at = verdict.kind === "verified" ? Date.parse(verdict.at) : verdict.kind === "asked" ? askedAt : undefined;
  const newer = ends === undefined ? 0 : ends.head - ends.checked;
  return (
    <FourFacts>
      <WholeTo verdict={verdict} check={check} />
      <ChainFact
        label="Age of this check"
        value={at === undefined ? "–" : spanWords(now - at)}
        soon={at !== undefined && newer > 0 && now - at > oldMs}
      >
        {at === undefined ? "Nothing is checked yet." : <CheckedBy verdict={verdict} at={at} check={check} />}
      </ChainFact>
      <ChainFact label="Newer" value={ends === undefined ? "–" : newerEntries(newer)}>
        {ends !== undefined && newerLine(ends)}
      </ChainFact>
      <ChainFact label="Witnesses" {...witnessValue(witnesses)}>
        {witnesses !== undefined && (
          <>
            {witnessLine(witnesses)} {onWitnesses()}
          </>
        )}
      </ChainFact>
    </FourFacts>
  );
}

function WholeTo({ verdict, check }: Pick<ChainFactsProps, "verdict" | "check">) {
  if (verdict.kind === "broken") {
    return (
      <ChainFact label="Chain" state="bad" value={`Broken at #${said(verdict.broken.position)}`}>
        What is older may be whole; what is newer proves nothing.
      </ChainFact>
    );
  }
  if (verdict.kind === "unknown" || verdict.kind === "checking") {
    const isChecking = verdict.kind === "checking";
    return (
      <ChainFact label="Chain" {...(isChecking && { state: "run" })} value={isChecking ? "Checking" : "–"}>
        {isChecking && "Every link since the server’s start."}
      </ChainFact>
    );
  }
  const position = verdict.kind === "asked" ? verdict.found.head.position : verdict.position;
  return (
    <ChainFact label="Chain" state="ok" value={`Whole to #${said(position)}`}>
      From #{said(check?.begins ?? 1)}; every link walked, none missing.
      {check !== undefined && check.begins > 1 && (
        <>
          {" "}
          <Link href="/audit?action=audit.pruned" look="quiet">
            Older records were pruned
          </Link>
        </>
      )}
    </ChainFact>
  );
}

function CheckedBy({ verdict, at, check }: Pick<ChainFactsProps, "verdict" | "check"> & { readonly at: number }) {
  if (verdict.kind === "asked") return <>Asked for by you: {said(verdict.found.records)} records.</>;
  const whole = check?.endedAt ?? null;
  return (
    <>
      By the server itself
      {whole !== null && Date.parse(whole) < at && (
        <>
          ; all of it and its search <Time at={whole} />
        </>
      )}
      .
    </>
  );
}

function newerEntries(newer: number): string {
  if (newer === 0) return "Nothing";
  return newer === 1 ? "1 entry" : `${said(newer)} entries`;
}

function newerLine({ checked, head }: ChainEnds): string {
  if (checked === head) return "The newest entry was walked too.";
  const which = head === checked + 1 ? `#${said(head)}` : `#${said(checked + 1)} to #${said(head)}`;
  return `${which}: written since, linked, not yet walked.`;
}

function witnessValue(witnesses: AuditWitnesses | undefined): Pick<ChainFactProps, "state" | "value"> {
  if (witnesses === undefined) return { value: "–" };
  const { agree, behind, refuse, silent } = witnesses.summary;
  const all = agree + behind + refuse + silent;
  const know = agree + behind;
  if (know > 0) return { state: refuse > 0 ? "warn" : "ok", value: `${said(know)} of ${hostCount(all)}` };
  if (silent > 0) return { state: "unheard", value: `None of ${hostCount(all)} yet` };
  return { state: "warn", value: "Nobody" };
}

function witnessLine({ summary: { agree, behind, refuse, silent } }: AuditWitnesses): string {
  const know = agree + behind;
  const cannot = refuse === 0 ? "" : ` ${hostCount(refuse)} cannot tell.`;
  if (know > 0) {
    const holds = know === 1 ? "It holds a signed head" : "Each holds a signed head";
    return `${holds} that fits this log.${cannot}`;
  }
  if (silent > 0) return `They are away, just started, or keep no heads.${cannot}`;
  return `Nobody else knows this log.${cannot}`;
}

function hostCount(hosts: number): string {
  return hosts === 1 ? "1 host" : `${said(hosts)} hosts`;
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
