import { newId } from "@gatehouse/base";
import { type AlertEnd, alertLimits, sayAlertWatch } from "@gatehouse/contract";
import { type AlertRecord, alertKind, alertRuleKind } from "@gatehouse/contract/records";
import { create, type Decide, remove } from "@gatehouse/store/decide";
import type { EndingAlert, OpeningAlert } from "./step-alerts.ts";

/** Whether nobody is to be told of an alert. */
export type IsSilenced = (alert: Pick<AlertRecord, "rule" | "node">) => boolean;

interface Keeping {
  readonly decide: Decide;
  readonly now: number;
  readonly isSilenced: IsSilenced;
}

const turn = "alerts";

/** What an entry may have of alerts: it is cut off at 16 KiB, and names may be of any script. */
const entryBytes = 14 * 1024;

/** Keeps what opened: alerts of one rule together, so that an outage of a site is a few entries. */
export async function keepOpened(
  { decide, now, isSilenced }: Keeping,
  opening: readonly OpeningAlert[],
): Promise<void> {
  for (const ofRule of grouped(opening, ({ rule }) => rule.id)) {
    const records = ofRule.map((one) => recordOf(one, now));
    for (const some of inEntries(records)) {
      const [{ rule, name, kind, condition }] = some;
      const alerts = some.map((alert) => toldOf(alert, isSilenced));
      await decide([turn], () =>
        Promise.resolve({
          entry: {
            at: now,
            actor: "system",
            action: "alert.opened",
            subject: alertRuleKind.key(rule).text,
            detail: { rule, name, kind, condition, alerts },
          },
          changes: some.map((record) => create(alertKind.key(record.id), record)),
          result: () => undefined,
        }),
      );
    }
  }
}

/** Takes away what ended, and says why and since when it was. */
export async function keepEnded({ decide, now, isSilenced }: Keeping, ending: readonly EndingAlert[]): Promise<void> {
  for (const ofRule of grouped(ending, ({ alert, because }) => `${alert.rule} ${because}`)) {
    const because = ofRule[0].because;
    for (const some of inEntries(ofRule.map(({ alert }) => alert))) {
      await endTogether({ decide, now, isSilenced }, some, because);
    }
  }
}

function endTogether(
  { decide, now, isSilenced }: Keeping,
  some: Some<AlertRecord>,
  because: AlertEnd,
): Promise<undefined> {
  return decide([turn], async (read) => {
    const found = (await Promise.all(some.map(({ id }) => read.get(alertKind.key(id))))).filter(
      (one) => one !== undefined,
    );
    const [first] = found;
    if (first === undefined) return { result: () => undefined };
    const { rule, name, kind, condition } = first.value;
    const alerts = found.map(({ value }) => ({ ...toldOf(value, isSilenced), since: value.since }));
    return {
      entry: {
        at: now,
        actor: "system",
        action: "alert.recovered",
        subject: alertRuleKind.key(rule).text,
        detail: { rule, name, kind, condition, because, alerts },
      },
      changes: found.map((one) => remove(one)),
      result: () => undefined,
    };
  });
}

function recordOf({ rule, node, since, value }: OpeningAlert, now: number): AlertRecord {
  return {
    id: newId("alert", now),
    rule: rule.id,
    name: rule.name,
    condition: sayAlertWatch(rule.watch),
    kind: rule.watch.kind,
    node: node.id,
    nodeName: node.name,
    since,
    openedAt: now,
    value,
    acknowledged: null,
  };
}

function toldOf(alert: AlertRecord, isSilenced: IsSilenced) {
  const { id, node, nodeName, value } = alert;
  return { id, node, name: nodeName, value, silenced: isSilenced(alert) };
}

type Some<Item> = readonly [Item, ...Item[]];

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Some<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** In as few entries as hold them. */
function inEntries(alerts: readonly AlertRecord[]): readonly Some<AlertRecord>[] {
  const parts: [AlertRecord, ...AlertRecord[]][] = [];
  let bytes = 0;
  for (const alert of alerts) {
    // As it will stand there, with room for whether it is silenced and since when it was.
    const size = Buffer.byteLength(JSON.stringify([alert.id, alert.node, alert.nodeName, alert.value])) + 80;
    const part = parts.at(-1);
    if (part === undefined || part.length === alertLimits.anEntry || bytes + size > entryBytes) {
      parts.push([alert]);
      bytes = size;
    } else {
      part.push(alert);
      bytes += size;
    }
  }
  return parts;
}
