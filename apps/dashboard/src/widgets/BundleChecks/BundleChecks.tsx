import type { BundleCheck, BundleVerdict } from "@gatehouse/contract";
import { Digest } from "../../ui/Digest.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./BundleChecks.module.css";

const outcomes: Readonly<Record<BundleCheck["outcome"], { state: State; word: string }>> = {
  passed: { state: "ok", word: "Passed" },
  failed: { state: "refused", word: "Failed" },
  skipped: { state: "idle", word: "Skipped" },
};

/** Every check of the bytes on disk now, in the order they were made, with what was expected and what was found. */
export function BundleChecks({ verdict, at }: { readonly verdict: BundleVerdict; readonly at: number }) {
  const { accepted, refusal, checks, artifactSha256, loaded } = verdict;
  return (
    <div className={styles.verdict} role="status">
      <p className={styles.sentence}>
        <StateMark
          state={accepted ? "ok" : "refused"}
          word={accepted ? "The bundle on disk is accepted." : (refusal?.title ?? "The bundle on disk is refused.")}
        />{" "}
        <span className={styles.quiet}>
          {loaded ? "These are the bytes that were loaded at the last start." : "These are not the loaded bytes."}{" "}
          Checked <Time at={at} />; no record was changed.
        </span>
      </p>
      {refusal !== null && (
        <p className={styles.refusal}>
          {refusal.detail} <b>{refusal.todo}</b> <code>{refusal.code}</code>
        </p>
      )}
      <ol className={styles.checks}>
        {checks.map((check) => (
          <li key={check.name} className={check.outcome === "failed" ? styles.failed : undefined}>
            <StateMark {...outcomes[check.outcome]} hideWord={check.outcome === "passed"} />
            <span className={styles.name}>{check.name.replaceAll(/[._]/g, " ")}</span>
            <span>
              <i>expected</i> {check.expected}
            </span>
            <span>
              <i>found</i> {check.found}
            </span>
          </li>
        ))}
      </ol>
      {artifactSha256 !== null && !loaded && <Digest value={artifactSha256} label="digest on disk" />}
    </div>
  );
}
