import type { Artifact } from "../../api/artifacts.ts";
import { useMay } from "../../api/auth.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { sizeWords } from "../../ui/size-words.ts";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { kindWords, sayArrival, sayMissing } from "./artifact-words.ts";
import styles from "./ArtifactsPage.module.css";

export interface ArtifactSheetProps {
  readonly artifact: Artifact | undefined;
  /** The id in the address; there may be no such artifact any more. */
  readonly wanted: string | undefined;
  readonly nameOf: (actor: string) => string;
  readonly onClose: () => void;
  /** Absent for whoever may not remove one. */
  readonly onRemove: ((artifact: Artifact) => void) | undefined;
}

/** Everything that is said of an artifact, each digest and key whole. */
export function ArtifactSheet({ artifact, wanted, nameOf, onClose, onRemove }: ArtifactSheetProps) {
  const mayAudit = useMay("audit:read");
  if (artifact === undefined) {
    return (
      <Sheet open={wanted !== undefined} onClose={onClose} title="No such artifact">
        <p>
          <code>{wanted}</code> is not on this server. Somebody may have removed it, and one that does not arrive whole
          within a day is removed by itself; the audit log keeps both.
        </p>
      </Sheet>
    );
  }
  const { id, kind, name, version, architecture, sha256, size, publisher, signature, createdAt, wholeAt } = artifact;
  const called = `${name} ${version}`;
  return (
    <Sheet
      open
      onClose={onClose}
      title={called}
      footer={
        onRemove !== undefined && (
          <Button look="danger" onClick={() => onRemove(artifact)}>
            Remove {called}…
          </Button>
        )
      }
    >
      <Facts
        items={[
          { label: "State", value: <StateMark {...sayArrival(artifact)} />, note: sayMissing(artifact) },
          { label: "Kind", value: kindWords[kind].word },
          { label: "Architecture", value: architecture },
          { label: "Size", value: sizeWords(size), note: size >= 1_024 && `${size.toLocaleString("en-GB")} bytes` },
          { label: "Digest", value: <Digest value={sha256} label={`digest of ${called}`} />, note: "SHA-256" },
          { label: "Signed by", value: publisher ?? "The release key", note: kindWords[kind].says },
          { label: "Key", value: <CopyText text={signature.keyId} label="key id" whole /> },
          {
            label: "Signature",
            value: <CopyText text={signature.ed25519} label="signature" whole />,
            note: "Over the facts above. Hosts check it; this server has no key to do so.",
          },
          { label: "Brought by", value: nameOf(artifact.by) },
          { label: "Announced", value: <Time at={createdAt} />, note: <Time at={createdAt} absolute /> },
          ...(wholeAt === undefined
            ? []
            : [{ label: "Whole", value: <Time at={wholeAt} />, note: <Time at={wholeAt} absolute /> }]),
          { label: "Id", value: <CopyText text={id} label="artifact id" whole /> },
        ]}
      />
      {mayAudit && (
        <p className={styles.trail}>
          <Link href={`/audit?subject=${encodeURIComponent(`artifact/${id}`)}`}>What was done with it</Link>, in the
          audit log
        </p>
      )}
    </Sheet>
  );
}
