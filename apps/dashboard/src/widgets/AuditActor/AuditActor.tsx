import styles from "./AuditActor.module.css";
import type { AuditReader } from "./use-audit-reader.ts";

const kinds: Readonly<Record<string, string>> = { token: "token", node: "host", plugin: "plugin" };
const said: Readonly<Record<string, string>> = {
  system: "Gatehouse",
  cli: "Command line",
  anonymous: "Nobody signed in",
};

/** Who did it, by name where the name is known. */
export function AuditActor({ actor, reader }: { readonly actor: string; readonly reader: AuditReader }) {
  const { user } = reader.who;
  if (actor === user.id) {
    return (
      <>
        {user.username} <span className={styles.kind}>you</span>
      </>
    );
  }
  const name = reader.names.get(actor);
  const [kind = "", id] = actor.split(":", 2);
  if (id !== undefined && kinds[kind] !== undefined) {
    return (
      <>
        <span className={styles.kind}>{kinds[kind]}</span> {name ?? <code>{id}</code>}
      </>
    );
  }
  const word = said[actor];
  if (word !== undefined) return <span className={styles.word}>{word}</span>;
  return name === undefined ? <code>{actor}</code> : <>{name}</>;
}
