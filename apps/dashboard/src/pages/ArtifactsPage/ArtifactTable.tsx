import { useMemo } from "react";
import type { Artifact } from "../../api/artifacts.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { sizeWords } from "../../ui/size-words.ts";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { shortDigest } from "../../widgets/PluginSummary/plugin-summary.ts";
import { kindWords, sayArrival } from "./artifact-words.ts";
import styles from "./ArtifactsPage.module.css";

export interface ArtifactTableProps {
  readonly artifacts: readonly Artifact[];
  readonly nameOf: (actor: string) => string;
  readonly opened: string | undefined;
  readonly onOpen: (artifact: Artifact) => void;
  /** Absent for whoever may not remove one. */
  readonly onRemove: ((artifact: Artifact) => void) | undefined;
}

/** The newest first, as the server gives them. */
export function ArtifactTable({ artifacts, nameOf, opened, onOpen, onRemove }: ArtifactTableProps) {
  const columns = useMemo(
    () => [...columnsOf(nameOf), ...(onRemove === undefined ? [] : [removal(onRemove)])],
    [nameOf, onRemove],
  );
  return (
    <Table
      label="Artifacts"
      columns={columns}
      rows={artifacts}
      rowKey={({ id }) => id}
      onRow={onOpen}
      selectedKey={opened}
      rowHeight={51}
    />
  );
}

const columnsOf = (nameOf: ArtifactTableProps["nameOf"]): readonly Column<Artifact>[] => [
  {
    key: "name",
    head: "Artifact",
    least: 170,
    cell: ({ kind, name, version, architecture }) => (
      <>
        <ShortText text={`${name} ${version}`} most={34} />
        <span className={styles.under}>
          {kindWords[kind].word} for {architecture}
        </span>
      </>
    ),
  },
  {
    key: "state",
    head: "State",
    least: 110,
    phone: "time",
    cell: (artifact) => (
      <span className={styles.line}>
        <StateMark {...sayArrival(artifact)} />
      </span>
    ),
  },
  {
    key: "size",
    head: "Size",
    least: 84,
    phoneLabel: true,
    cell: ({ size }) => <span className={styles.line}>{sizeWords(size)}</span>,
  },
  {
    key: "publisher",
    head: "Signed by",
    least: 130,
    drop: 2,
    phoneLabel: true,
    cell: ({ publisher, signature }) => (
      <>
        {publisher === undefined ? "The release key" : <ShortText text={publisher} most={22} />}{" "}
        <span className={styles.key}>
          key{" "}
          <code className={styles.line} title={signature.keyId}>
            {shortDigest(signature.keyId)}
          </code>
        </span>
      </>
    ),
  },
  {
    key: "digest",
    head: "Digest",
    least: 158,
    drop: 1,
    phoneLabel: true,
    cell: ({ name, version, sha256 }) => (
      <span className={styles.line}>
        <code title={sha256}>{shortDigest(sha256)}</code>{" "}
        <CopyButton text={sha256} label={`digest of ${name} ${version}`} />
      </span>
    ),
  },
  {
    key: "by",
    head: "Brought by",
    least: 110,
    drop: 3,
    phone: "hidden",
    cell: ({ by, createdAt }) => (
      <>
        <ShortText text={nameOf(by)} most={22} />
        <span className={styles.under}>
          <Time at={createdAt} />
        </span>
      </>
    ),
  },
];

const removal = (onRemove: (artifact: Artifact) => void): Column<Artifact> => ({
  key: "remove",
  head: "Action",
  width: "narrow",
  align: "end",
  phone: "act",
  cell: (artifact) => (
    <Button
      className={styles.line ?? ""}
      size="small"
      look="danger"
      onClick={() => onRemove(artifact)}
      aria-label={`Remove ${artifact.name} ${artifact.version}…`}
    >
      Remove…
    </Button>
  ),
});
