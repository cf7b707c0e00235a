import { useState } from "react";
import type { AlertRule } from "../../api/alerts.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./AlertsPage.module.css";
import { parseRule, typeRule } from "./rule-form.ts";
import { RuleForm } from "./RuleForm.tsx";
import { type RuleMove, useRuleChange } from "./use-rule-change.ts";

export interface RuleSheetProps {
  readonly id: string;
  readonly nodeNames: ReadonlyMap<string, string>;
  readonly nameOf: (actor: string) => string;
  readonly onClose: () => void;
}

/** Changes a rule, switches it off or on, removes it. */
export function RuleSheet({ id, nodeNames, nameOf, onClose }: RuleSheetProps) {
  const { read, change, isStale } = useRuleChange(id, onClose);
  const rule = read.data?.data;
  return (
    <Sheet open onClose={onClose} title={rule?.name ?? "Rule"} dismissable={!change.isPending}>
      {read.isPending && <Skeleton count={6} label="Reading the rule" />}
      {read.isError && (
        <ApiErrorView error={read.error} title="The rule could not be read" onRetry={() => void read.refetch()} />
      )}
      {rule !== undefined && (
        <RuleBody
          // What was typed was typed over the version that it was read with.
          key={read.data?.etag}
          {...{ rule, isStale, change, nodeNames, nameOf, onClose }}
        />
      )}
    </Sheet>
  );
}

interface RuleBodyProps extends Omit<RuleSheetProps, "id"> {
  readonly rule: AlertRule;
  readonly isStale: boolean;
  readonly change: ReturnType<typeof useRuleChange>["change"];
}

function RuleBody({ rule, isStale, change, nodeNames, nameOf, onClose }: RuleBodyProps) {
  const [typed, setTyped] = useState(() => typeRule(rule));
  const [isTried, setTried] = useState(false);
  const [asked, setAsked] = useState<"switch" | "remove">();
  const nodes = "nodes" in rule.appliesTo ? rule.appliesTo.nodes : [];
  const read = parseRule(typed, nodes);
  const form = `rule-${rule.id}`;
  const act = (move: RuleMove, done: string): void => {
    change.mutate(move, {
      onSuccess: () => {
        toast(done);
        onClose();
      },
      // The refusal stands in the sheet, beside what was tried.
      onError: () => setAsked(undefined),
    });
  };
  const submit = (): void => {
    setTried(true);
    if ("wish" in read && !change.isPending) act(read.wish, `${read.wish.name} is changed`);
  };
  return (
    <div className={styles.form}>
      {isStale && (
        <Banner state="warn" live title="Nothing was changed: somebody else was faster.">
          {rule.name} has been read again. Look, and repeat what is still right.
        </Banner>
      )}
      {change.isError && !isStale && (
        <ApiErrorView error={change.error} title="The rule was not changed" size="inline" />
      )}
      <p className={styles.said}>
        {rule.builtIn && "Built in: it is always there, and may be changed or switched off. "}
        {rule.changedAt === null || rule.changedBy === null ? (
          "Nobody has changed it."
        ) : (
          <>
            Changed by {nameOf(rule.changedBy)}, <Time at={rule.changedAt} />.
          </>
        )}{" "}
        {rule.enabled ? "" : "It is off: it opens no alert."}
      </p>
      <RuleForm
        id={form}
        typed={typed}
        isNew={false}
        nodes={nodes}
        nodeNames={nodeNames}
        wrong={isTried && "wrong" in read ? read.wrong : undefined}
        onType={setTyped}
        onSubmit={submit}
      />
      <div className={styles.buttons}>
        <Button type="submit" form={form} look="primary" busy={change.isPending && asked === undefined}>
          Change {rule.name}
        </Button>
        <Button onClick={() => setAsked("switch")}>Switch {rule.enabled ? "off" : "on"}…</Button>
        {!rule.builtIn && (
          <Button look="danger" onClick={() => setAsked("remove")}>
            Remove {rule.name}…
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        busy={change.isPending}
        onConfirm={() => {
          if (asked === "remove") act("remove", `${rule.name} is removed`);
          else act({ enabled: !rule.enabled }, `${rule.name} is ${rule.enabled ? "off" : "on"}`);
        }}
        {...questionOf(rule, asked)}
      />
    </div>
  );
}

function questionOf({ name, enabled }: AlertRule, asked: "switch" | "remove" | undefined) {
  if (asked === "remove") {
    return {
      title: `Remove ${name}`,
      sentence: `The rule ${name} is removed, and its open alerts end within a minute. What it opened stays in the audit log.`,
      confirm: `Remove ${name}`,
      look: "danger" as const,
    };
  }
  return enabled
    ? {
        title: `Switch off ${name}`,
        sentence: `The rule ${name} opens nothing until somebody switches it on again, and its open alerts end within a minute.`,
        confirm: `Switch off ${name}`,
      }
    : {
        title: `Switch on ${name}`,
        sentence: `The rule ${name} opens an alert for every host that crosses it from now on.`,
        confirm: `Switch on ${name}`,
      };
}
