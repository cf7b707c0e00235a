import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { Fragment } from "react";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Section } from "../../ui/Section.tsx";
import styles from "./DisbeliefView.module.css";

/** What to do about a log that hosts refuse, in order; and how to be sure that it is harmless. */
export function WhatToDo({ first }: { readonly first: AuditWitnessView }) {
  const isSignature = first.code === "witness.signature";
  return (
    <>
      <Section title="What to do, in this order">
        <ol className={styles.todo}>
          <li>
            Approve nothing.
            <small>Hosts in signed mode still refuse whatever no approver has signed.</small>
          </li>
          {isSignature && (
            <li>
              Look what stands between {first.name} and this server.
              <small>It was sent a head that another key signed. It has kept nothing of it.</small>
            </li>
          )}
          <li>
            Take the heads from a host that knows better, as root on {first.name}:
            <CommandToRun text={takeHeads} />
          </li>
          <li>
            Stop the server, copy its data directory, and check the copy on your own machine.
            <CommandToRun text={checkCopy} />
            <small>It names the first head that does not lie on this log, and so where the two part.</small>
          </li>
          <li>
            Check your backups in the same way.
            <small>The newest that all older heads fit is the last that you can trust.</small>
          </li>
          <li>
            Keep the disk as it is; change who can reach it.
            <small>To make this log, somebody could write to the data directory, or put back an older one.</small>
          </li>
        </ol>
      </Section>
      <Section title="Could it be harmless?">
        <p className={styles.plain}>
          Only if somebody restored a backup or put back a snapshot. Ask who did, and when. If nobody did, it is not
          harmless.
        </p>
        <p className={styles.plain}>
          To be sure, check as above: every head up to the moment of the backup lies on this log, and only newer ones do
          not. Then root runs this on each host that refuses:
        </p>
        <CommandToRun text={acceptHead} />
        <p className={styles.plain}>This page is well again by itself when the last of them has.</p>
      </Section>
    </>
  );
}

export const takeHeads = "sudo gatehouse-agent witness show --json > head.json";
export const checkCopy = "gatehouse audit verify --data-dir copy --witness head.json";
export const acceptHead = "sudo gatehouse-agent witness accept";

/** A command that wraps before its options, and never within one. */
export function CommandToRun({ text }: { readonly text: string }) {
  return (
    <div className={styles.command}>
      <code>
        {text.split(/ (?=--|>)/).map((part, at) => (
          <Fragment key={part}>
            {at > 0 && " "}
            <span>{part}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={text} label="command" />
    </div>
  );
}
