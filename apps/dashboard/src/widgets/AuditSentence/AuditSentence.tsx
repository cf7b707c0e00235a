import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useWhoAmI } from "../../api/auth.ts";
import { Link } from "../../ui/Link.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import styles from "./AuditSentence.module.css";
import { sayEntry } from "./say-entry.ts";

export interface AuditSentenceProps {
  readonly entry: AuditEntryView;
  readonly times?: number;
  readonly nameOf: (actor: string) => string;
  /** On the page of the object itself, its name goes without saying. */
  readonly without?: string;
}

const outcomes = { failed: { state: "bad", word: "failed" }, refused: { state: "refused", word: "refused" } } as const;

/** Who did what to what, in a line. Texts of plugins are shown as texts. */
export function AuditSentence({ entry, times = 1, nameOf, without }: AuditSentenceProps) {
  const { scopes } = useWhoAmI();
  const { isOwn, verb, object, rest, place } = sayEntry(entry, nameOf);
  const isHere = object === null || object === without;
  const href = place !== null && scopes.includes(place.scope) ? place.href : undefined;
  const outcome = entry.outcome === "done" ? undefined : outcomes[entry.outcome];
  return (
    <span className={styles.sentence}>
      {isOwn && !isHere ? <Named object={object} href={href} /> : <b>{nameOf(entry.actor)} </b>}
      {verb} {!isOwn && !isHere && <Named object={object} href={href} />}
      {!isOwn && object === without && /(?:^asked| of| from)$/.test(verb) && "it "}
      {rest}
      {times > 1 && <span className={styles.quiet}> {times} times</span>}
      {outcome !== undefined && (
        <span className={styles.outcome}>
          <Mark state={outcome.state} size={9} /> {outcome.word}
        </span>
      )}
    </span>
  );
}

function Named({ href, object }: { href: string | undefined; object: string }) {
  if (href === undefined) return <span>{object} </span>;
  return (
    <>
      <Link href={href} look="quiet">
        <code>{object}</code>
      </Link>{" "}
    </>
  );
}
