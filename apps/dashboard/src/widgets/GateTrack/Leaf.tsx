import { cx } from "../../ui/cx.ts";
import styles from "./GateTrack.module.css";
import type { LeafState } from "./passages.ts";

const swing = "M28 4A28 28 0 0 1 0 32";

/** One leaf in plan, hinged at its wall. On a phone the style sheet mirrors it on the diagonal. */
export function Leaf({ state }: { readonly state: LeafState }) {
  return (
    <svg className={cx(styles.leaf, styles[`leaf-${state}`])} viewBox="-4 0 40 36" aria-hidden="true">
      {state === "open" && (
        <>
          <path className={styles.swing} d={swing} />
          <path className={styles.blade} d="M-2 4H28" />
        </>
      )}
      {(state === "next" || state === "again") && <path className={styles.swing} strokeDasharray="2 3" d={swing} />}
      {state === "next" && <rect className={styles.solid} x="-5" y="3" width="10" height="30" />}
      {(state === "shut" || state === "again") && (
        <rect className={styles.hollow} x="-4.25" y="3.75" width="8.5" height="28.5" />
      )}
      {state === "again" && <path className={styles.hatch} d="M-4 12 4 4M-4 20 4 12M-4 28 4 20M-2 32 4 27" />}
    </svg>
  );
}
