import type { Node } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Section } from "../../ui/Section.tsx";
import type { HostChange } from "../../widgets/ChangeFields/host-change.ts";
import { newPlanHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./NodePage.module.css";
import { RestartServiceDialog } from "./RestartServiceDialog.tsx";
import { WriteFileDialog } from "./WriteFileDialog.tsx";

/** The way from a host to a plan for it. */
export function PlanChange({ node }: { readonly node: Node }) {
  const [asked, setAsked] = useState<HostChange["kind"]>();
  if (node.state === "revoked") return null;
  const close = (): void => setAsked(undefined);
  return (
    <Section title="Plan a change">
      <p className={styles.empty}>
        A plan says what would change, beside what is there now, for others to review. Making one changes no host.
        {node.state !== "online" && " The host has to be connected, because it is asked what it is like now."}
      </p>
      <div className={styles.buttons}>
        <Button onClick={() => setAsked("service.restart")}>Restart a service…</Button>
        <Button onClick={() => setAsked("file.write")}>Write a file…</Button>
        <ButtonLink href={newPlanHref({ node: node.id })}>Compose a plan</ButtonLink>
      </div>
      {asked === "service.restart" && <RestartServiceDialog node={node} onClose={close} />}
      {asked === "file.write" && <WriteFileDialog node={node} onClose={close} />}
    </Section>
  );
}
