import { Link } from "../../ui/Link.tsx";
import { truncateMiddle } from "../../ui/middle.ts";
import { ShortText } from "../../ui/ShortText.tsx";
import styles from "./AuditActor.module.css";
import { subjectPlace } from "./subject-place.ts";
import type { AuditReader } from "./use-audit-reader.ts";

export interface AuditSubjectProps {
  readonly subject: string;
  readonly reader: AuditReader;
  /** In a table: a long name loses its middle. */
  readonly oneLine?: boolean;
}

/** What it was done to; a link when there is a page of it that one may open. */
export function AuditSubject({ subject, reader, oneLine = false }: AuditSubjectProps) {
  const { scopes, credential } = reader.who;
  const { kind, id, href } = subjectPlace(subject, { scopes, session: credential.id });
  const name = reader.names.get(kind === "token" ? `token:${id}` : id);
  const words =
    kind === "" ? (
      <code>{subject}</code>
    ) : (
      <>
        <span className={styles.kind}>{kind}</span>{" "}
        {name === undefined ? (
          <code title={id}>{truncateMiddle(id, 22)}</code>
        ) : oneLine ? (
          <ShortText text={name} most={24} />
        ) : (
          name
        )}
      </>
    );
  return href === undefined ? (
    <span>{words}</span>
  ) : (
    <Link href={href} look="quiet">
      {words}
    </Link>
  );
}
