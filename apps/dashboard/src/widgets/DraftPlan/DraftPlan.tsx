import type { ActionReport } from "@gatehouse/contract/routes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FilePen } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { askPlugin, pluginsQuery } from "../../api/plugins.ts";
import { Button } from "../../ui/Button.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Field } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import styles from "./DraftPlan.module.css";
import { chosenNodes, nodeChoices } from "./node-choices.ts";
import { readInput } from "./read-input.ts";

export interface DraftPlanProps {
  readonly plugin: string;
  readonly size?: "small" | "normal";
}

/** Asks a plugin for a plan and shows the draft. What was typed stays until the page is left. */
export function DraftPlan({ plugin, size = "normal" }: DraftPlanProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [choice, setChoice] = useState("");
  const mayRead = useMay("node:read");
  const { data: nodes = [] } = useQuery({ ...nodesQuery, enabled: isOpen && mayRead });
  const chosen = chosenNodes(nodes, choice);
  const client = useQueryClient();
  const asked = useMutation({
    mutationFn: (input: unknown) => askPlugin(plugin, "plan", { input, nodes: chosen.map(({ id }) => id) }),
    onSettled: () => client.invalidateQueries({ queryKey: pluginsQuery.queryKey }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const input = readInput(text);
    setWrong(input.ok ? undefined : input.why);
    if (input.ok) asked.mutate(input.value);
  };
  return (
    <>
      <Button size={size} icon={<FilePen aria-hidden="true" />} onClick={() => setOpen(true)}>
        Draw up a plan
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={`A plan by ${plugin}`}>
        <form className={styles.form} onSubmit={submit}>
          <Field
            label="Nodes"
            hint={
              mayRead
                ? "The plugin is told their names, tags and addresses. No host is asked anything."
                : "Choosing nodes needs the scope node:read, which you do not hold."
            }
          >
            <Select options={nodeChoices(nodes)} value={choice} onChange={({ target }) => setChoice(target.value)} />
          </Field>
          <Field
            label="Input"
            error={wrong}
            hint="What the plan is drawn up from, as JSON. The same input and nodes give the same plan."
          >
            <TextArea mono rows={12} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
          <div>
            <Button type="submit" look="primary" busy={asked.isPending}>
              Draw up the plan
            </Button>
          </div>
        </form>
        {asked.isError && <ApiErrorView error={asked.error} title="It drew up no plan" />}
        {asked.data !== undefined && <Draft report={asked.data} />}
      </Sheet>
    </>
  );
}

interface DraftResult {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly { readonly node: string; readonly operations: readonly { readonly kind: string }[] }[];
}

/** The server has checked the draft against the plan's form; its words are the plugin's, and only text. */
function Draft({ report }: { readonly report: ActionReport }) {
  const { title, summary, sections } = report.result as unknown as DraftResult;
  return (
    <section className={styles.draft} aria-label="The draft" role="status">
      <h3>{title}</h3>
      <p>{summary}</p>
      {report.plan !== null && <Digest value={report.plan.digest} label="digest of the draft" />}
      <p className={styles.quiet}>
        A draft for {sections.length === 1 ? "one node" : `${sections.length.toLocaleString("en-GB")} nodes`}. Nothing
        is kept and no host is changed by it.
      </p>
      {sections.map(({ node, operations }) => (
        <details key={node} className={styles.node} open={sections.length <= 3}>
          <summary>
            <code>{node}</code> {operations.map(({ kind }) => kind).join(", ")}
          </summary>
          <pre>{operations.map((one) => JSON.stringify(one, null, 2)).join("\n")}</pre>
        </details>
      ))}
    </section>
  );
}
