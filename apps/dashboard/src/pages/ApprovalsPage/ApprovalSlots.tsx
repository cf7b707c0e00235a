import type { Plan } from "@gatehouse/contract/routes";
import { cx } from "../../ui/cx.ts";
import styles from "./ApprovalsPage.module.css";
import { sayGiven, slotsOf } from "./inbox-words.ts";

/** As many as a row has room for; the words say the number. */
const mostSlots = 5;

export interface ApprovalSlotsProps {
  readonly plan: Pick<Plan, "approvals" | "needed">;
  readonly now: number;
}

/** A slot for every signature that is needed, filled where it was given. */
export function ApprovalSlots({ plan, now }: ApprovalSlotsProps) {
  const { given, needed } = slotsOf(plan, now);
  const slots = needed !== null && needed <= mostSlots ? needed : 0;
  return (
    <span className={styles.slots}>
      {slots > 0 && (
        <span className={styles.level} aria-hidden="true">
          {Array.from({ length: slots }, (_none, at) => (
            <i key={at} className={cx(at < given && styles.on)} />
          ))}
        </span>
      )}
      {sayGiven(plan, now)}
    </span>
  );
}
