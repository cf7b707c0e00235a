import type { Node } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { createPlan } from "../../api/plans.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Choices.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { useFollow } from "../../ui/Link.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import {
  type ChangeFaults,
  findChangeFaults,
  type HostChange,
  planWishOf,
  raiseCommandFor,
  trimChange,
} from "../../widgets/ChangeFields/host-change.ts";
import styles from "./NodePage.module.css";

export interface PlanChangeDialogProps {
  readonly node: Node;
  readonly title: string;
  /** As it was typed. */
  readonly change: HostChange;
  /** The fields; they say what is wrong from the first attempt on. */
  readonly children: (wrong: ChangeFaults) => ReactNode;
  readonly size?: "narrow" | "wide";
  readonly onClose: () => void;
}

/** Around every change that is planned by hand: why it is wanted, whether others are asked at once, and what the host said. */
export function PlanChangeDialog({ node, title, change: typed, children, size, onClose }: PlanChangeDialogProps) {
  const form = useId();
  const client = useQueryClient();
  const follow = useFollow();
  const requestKey = useRequestKey();
  const [why, setWhy] = useState("");
  const [isKeptBack, setKeptBack] = useState(false);
  const [isTried, setTried] = useState(false);
  const said = why.trim().replaceAll(/\s+/g, " ");
  const change = trimChange(typed);
  const wrong = findChangeFaults(change);
  const noReason = said === "" ? "Say why: reviewers read it first." : undefined;
  const wish = planWishOf(node, change, { why: said, review: !isKeptBack });
  const attempt = useMutation({
    mutationFn: () => createPlan(wish, requestKey.of(wish)),
    onSuccess: ({ id }) => follow(`/plans/${id}`),
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["plans"] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(wrong).length === 0 && noReason === undefined && !attempt.isPending) attempt.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size={size ?? "narrow"}
      dismissable={!attempt.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={attempt.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending}>
            Make the plan
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        {children(isTried ? wrong : {})}
        <Field label="Why" hint="On one line, for whoever reviews it." error={isTried && noReason}>
          <TextInput value={why} maxLength={500} autoComplete="off" onChange={(event) => setWhy(event.target.value)} />
        </Field>
        <Checkbox
          label="Keep it back for now"
          hint="Otherwise it is offered for review at once, unless the lint refuses it."
          checked={isKeptBack}
          onChange={setKeptBack}
        />
        {isTried && <NotNamed node={node} change={change} />}
        {attempt.isError && <ApiErrorView error={attempt.error} title="No plan was made" size="inline" />}
      </form>
    </Dialog>
  );
}

/** A host says nothing of what its root has not named. */
function NotNamed({ node, change }: { readonly node: Node; readonly change: HostChange }) {
  const command = raiseCommandFor(node.facts, change);
  if (command === undefined) return null;
  return (
    <Banner state="warn" title={`The ceiling of ${node.name} does not name it.`}>
      The host then refuses to say what it is like. Root there can allow it, with all that is allowed now:{" "}
      <CopyText text={command} label="command" whole />
    </Banner>
  );
}
