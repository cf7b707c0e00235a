import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { createRule, type RuleWish } from "../../api/alert-changes.ts";
import { isApiError } from "../../api/api-error.ts";
import { Button } from "../../ui/Button.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useRequestKey } from "../../widgets/use-request-key.ts";
import styles from "./AlertsPage.module.css";
import { parseRule, typeRule } from "./rule-form.ts";
import { RuleForm } from "./RuleForm.tsx";

const nobody: ReadonlyMap<string, string> = new Map();

/** Makes a rule for all hosts or for those of some tags. */
export function NewRuleSheet({ onClose }: { readonly onClose: () => void }) {
  const form = useId();
  const client = useQueryClient();
  const requestKey = useRequestKey();
  const [typed, setTyped] = useState(() => typeRule());
  const [isTried, setTried] = useState(false);
  const read = parseRule(typed);
  const attempt = useMutation({
    mutationFn: (wish: RuleWish) => createRule(wish, requestKey.of(wish)),
    onSuccess: ({ name }) => {
      toast(`${name} is on`);
      onClose();
    },
    onError: (error) => {
      if (isApiError(error) && error.status > 0) requestKey.forget();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["alert-rules"] }),
  });
  const submit = (): void => {
    setTried(true);
    if ("wish" in read && !attempt.isPending) attempt.mutate({ ...read.wish, enabled: true });
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title="Add a rule"
      dismissable={!attempt.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={attempt.isPending}>
            Add the rule
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <RuleForm
          id={form}
          typed={typed}
          isNew
          nodes={[]}
          nodeNames={nobody}
          wrong={isTried && "wrong" in read ? read.wrong : undefined}
          onType={setTyped}
          onSubmit={submit}
        />
        {attempt.isError && <ApiErrorView error={attempt.error} title="The rule was not added" size="inline" />}
      </div>
    </Sheet>
  );
}
