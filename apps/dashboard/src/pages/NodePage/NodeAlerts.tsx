import type { Alert } from "@gatehouse/contract/routes";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClock } from "../../ui/use-clock.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { AcknowledgeDialog } from "../../widgets/Alerts/AcknowledgeDialog.tsx";
import { ClockTime, SaidAlert } from "../../widgets/Alerts/SaidAlert.tsx";
import { sayAlert } from "../../widgets/Alerts/say-alert.ts";
import { alertMarks, alertStateOf, sayCare } from "../../widgets/Alerts/say-care.ts";

export interface NodeAlertsProps {
  readonly alerts: readonly Alert[];
  readonly nameOf: (actor: string) => string;
  readonly mayAct: boolean;
}

/** What of this host has crossed a line and has not come back; nothing while nothing has. */
export function NodeAlerts({ alerts, nameOf, mayAct }: NodeAlertsProps) {
  const now = useClock();
  const [chosen, setChosen] = useState<string>();
  const opened = alerts.find(({ id }) => id === chosen);
  if (alerts.length === 0) return null;
  return (
    <Section
      title="Alerts"
      count={alerts.length}
      aside={
        <Link href={`/alerts?node=${alerts[0]?.node}`} look="quiet">
          Silence, rules
        </Link>
      }
    >
      <List label="Open alerts of this node">
        {alerts.map((alert) => {
          const { state, word } = alertMarks[alertStateOf(alert)];
          const note = alert.acknowledged?.note ?? null;
          const care = [sayCare(alert, nameOf, now), note === null ? "" : `“${note}”`].filter(Boolean).join(" ");
          return (
            <ListItem
              key={alert.id}
              state={state}
              stateWord={word}
              title={<SaidAlert alert={alert} />}
              time={
                <>
                  since <ClockTime at={alert.since} />
                </>
              }
              line={care === "" ? undefined : care}
              actions={
                mayAct &&
                alert.acknowledged === null && (
                  <Button size="small" onClick={() => setChosen(alert.id)}>
                    Acknowledge…<VisuallyHidden> {sayAlert(alert).what}</VisuallyHidden>
                  </Button>
                )
              }
            />
          );
        })}
      </List>
      {opened !== undefined && <AcknowledgeDialog alert={opened} onClose={() => setChosen(undefined)} />}
    </Section>
  );
}
