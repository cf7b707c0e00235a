import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useMay } from "../../api/auth.ts";
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
  const mayOpen = useMay("plugin:admin");
  const { verb, object, rest, href } = sayEntry(entry, nameOf);
  const outcome = entry.outcome === "done" ? undefined : outcomes[entry.outcome];
  return (
    <span className={styles.sentence}>
      <b>{nameOf(entry.actor)}</b> {verb}{" "}
      {object !== null &&
        object !== without &&
        (href === null || !mayOpen ? <span>{object} </span> : <Linked href={href} object={object} />)}
      {object === without && /(?:^asked| of| from)$/.test(verb) && "it "}
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

function Linked({ href, object }: { href: string; object: string }) {
  return (
    <>
      <Link href={href} look="quiet">
        <code>{object}</code>
      </Link>{" "}
    </>
  );
}
