import { useQuery } from "@tanstack/react-query";
import { enrolmentsQuery, type NewEnrolment } from "../../api/enrolments.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { Mark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import styles from "./Enrol.module.css";
import { EnrolSteps } from "./EnrolSteps.tsx";

export interface ManyCodesProps {
  readonly made: readonly NewEnrolment[];
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

/** A line for each of several hosts, and how many of them have been used. */
export function ManyCodes({ made, onClose, onAgain }: ManyCodesProps) {
  const listed = useQuery(enrolmentsQuery(made.map(({ id }) => id)));
  const count = (state: string): number => listed.data?.filter((one) => one.state === state).length ?? 0;
  const used = count("used");
  const open = listed.data === undefined ? made.length : count("open");
  const until = made[0]?.expiresAt ?? "";
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      dismissable={open === 0}
      title={`Enrol ${made.length} hosts`}
      footer={
        <div className={styles.foot}>
          <div className={styles.progress} role="status">
            <p className={styles.big}>
              <Mark state={used === made.length ? "ok" : open > 0 ? "unheard" : "off"} size={15} /> {used} of{" "}
              {made.length} codes used
            </p>
            <p>
              {open > 0
                ? `${open} wait until ${hourAndMinute(Date.parse(until), Date.now())}. You may close this: the lines are not shown again, and the hosts then appear under Nodes.`
                : "No code of these waits any more."}
            </p>
          </div>
          {listed.isError && (
            <ApiErrorView error={listed.error} title="Not live: hosts may be there already" size="inline" />
          )}
          <div className={styles.acts}>
            {open === 0 && <Button onClick={onAgain}>Make new ones</Button>}
            <Button onClick={onClose}>{open > 0 ? "Close, and let them wait" : "Close"}</Button>
          </div>
        </div>
      }
    >
      <EnrolSteps made={made} isSpent={open === 0} />
    </Dialog>
  );
}
