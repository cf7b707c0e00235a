import type { BundleCheck, BundleVerdict } from "@gatehouse/contract/routes";
import { cx } from "../../ui/cx.ts";
import { Digest } from "../../ui/Digest.tsx";
import { Mark, type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { WithIds } from "../WithIds/WithIds.tsx";
import styles from "./BundleChecks.module.css";

const outcomes: Readonly<Record<BundleCheck["outcome"], { state: State; word: string }>> = {
  passed: { state: "ok", word: "Passed" },
  failed: { state: "refused", word: "Failed" },
  skipped: { state: "idle", word: "Not made" },
};

export interface BundleChecksProps {
  readonly verdict: BundleVerdict;
  readonly at: number;
  /** A refusal that is already told beside it is not told twice. */
  readonly told?: string;
}

/** Every check of the bytes on disk now, in the order they were made, with what was expected and what was found. */
export function BundleChecks({ verdict, at, told }: BundleChecksProps) {
  const { accepted, refusal, checks, artifactSha256, loaded } = verdict;
  const word = accepted
    ? "The bundle on disk passes every check."
    : `${refusal?.title ?? "The bundle on disk is refused"}.`;
  return (
    <div className={styles.verdict} role="status">
      <p className={styles.sentence}>
        <StateMark state={accepted ? "ok" : "refused"} word={word} />{" "}
        <span className={styles.quiet}>
          {loaded
            ? "These are the bytes that were loaded at the last start."
            : "These are not the bytes that were loaded at the last start."}{" "}
          Checked <Time at={at} />; no record was changed.
        </span>
      </p>
      {refusal !== null && refusal.code !== told && (
        <p className={styles.refusal}>
          <WithIds text={refusal.detail} />. <b>{refusal.todo}</b> <code>{refusal.code}</code>
        </p>
      )}
      {artifactSha256 !== null && !loaded && (
        <p className={styles.refusal}>
          On disk now: <Digest value={artifactSha256} label="digest on disk" />
        </p>
      )}
      <ol className={styles.checks}>
        {checks.map((check) => (
          <Check key={check.name} check={check} />
        ))}
      </ol>
    </div>
  );
}

function Check({ check }: { check: BundleCheck }) {
  const { state, word } = outcomes[check.outcome];
  return (
    <li className={cx(styles[check.outcome])}>
      <Mark state={state} />
      <span className={styles.name}>
        {check.name.replaceAll(/[-._]/g, " ")}
        {check.outcome === "passed" ? <VisuallyHidden>, passed</VisuallyHidden> : <em>{word}</em>}
      </span>
      {check.outcome === "skipped" ? (
        <span className={styles.quiet}>A check before it failed.</span>
      ) : (
        <>
          <span>
            <i>expected</i> <WithIds text={check.expected} />
          </span>
          <span>
            <i>found</i> <WithIds text={check.found} />
          </span>
        </>
      )}
    </li>
  );
}
