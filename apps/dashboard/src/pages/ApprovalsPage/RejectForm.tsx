import type { Plan } from "@gatehouse/contract/routes";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import type { Answer } from "../../api/client.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { Block, Line, Lines } from "../../widgets/Plans/Block.tsx";
import { asOneLine, missingReason, mostReason } from "../../widgets/Plans/reason.ts";
import { StalePlan } from "../../widgets/Plans/StalePlan.tsx";
import type { usePlanMove } from "../../widgets/Plans/use-plan-move.ts";
import styles from "./ApprovalsPage.module.css";
import { listed, timeLeft } from "./inbox-words.ts";

export interface RejectFormProps {
  readonly read: Answer<Plan>;
  readonly nameOf: (actor: string) => string;
  readonly now: number;
  /** The page's own: the form goes as soon as the plan is rejected. */
  readonly move: ReturnType<typeof usePlanMove>;
  readonly onReject: (seen: Answer<Plan>, reason: string) => void;
}

/** Says no, with a reason; and says what that does not do. */
export function RejectForm({ read, nameOf, now, move, onReject }: RejectFormProps) {
  // As it was when the question was opened: what is decided is decided about what the person saw.
  const [seen] = useState(read);
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { reset } = move;
  useEffect(() => {
    reset();
    field.current?.focus();
  }, [reset]);
  const { id, title, nodes, author, approvals, expiresAt } = seen.data;
  const said = asOneLine(reason);
  const isStale = isApiError(move.error, "request.stale");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (said === "" || move.isPending || isStale) return;
    onReject(seen, said);
  };
  const readers = [...new Set([author, ...approvals.map(({ user }) => user)].map(nameOf))];
  return (
    <form className={styles.reject} onSubmit={submit} noValidate aria-label={`Reject ${title}`}>
      <Block title="Reject" aside={timeLeft(expiresAt, now).words}>
        <p className={styles.name}>{title}</p>
      </Block>
      <div className={styles.reason}>
        <Field
          label="Reason"
          hint={`${listed(readers)} will read this. It is kept in the audit log. ${reason.length} of ${mostReason}`}
          error={isTried && said === "" && missingReason}
        >
          <TextArea
            ref={field}
            rows={5}
            value={reason}
            maxLength={mostReason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </div>
      <Block title="What happens">
        <Lines>
          <Line state="refused">This server never sends these bytes, and nobody can approve them here again.</Line>
          {approvals.length > 0 && (
            <Line state="idle">
              Signatures that were given hold until they end; this server sends nothing under them.
            </Line>
          )}
          <Line state="idle">Its author can make another plan in its place.</Line>
          <Line state="idle">No host is told and no host changes.</Line>
        </Lines>
      </Block>
      {isStale && <StalePlan />}
      {move.isError && !isStale && <ApiErrorView error={move.error} size="inline" />}
      <div className={styles.act}>
        <p>
          Rejects <b>{title}</b> for {nodes === 1 ? "its host" : `all ${nodes.toLocaleString("en-GB")} hosts`}. It
          cannot be taken back.
        </p>
        <div className={styles.buttons}>
          <Button type="submit" look="danger" busy={move.isPending} disabled={isStale}>
            Reject this plan
          </Button>
          <ButtonLink href={`/approvals?plan=${id}`}>Back</ButtonLink>
        </div>
      </div>
    </form>
  );
}
