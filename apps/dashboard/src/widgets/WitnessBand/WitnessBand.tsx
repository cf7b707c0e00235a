import { useLocation } from "@tanstack/react-router";
import type { AuditWitnesses } from "../../api/witnesses.ts";
import { Link } from "../../ui/Link.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { findDisbelief } from "../disbelief.ts";
import styles from "./WitnessBand.module.css";

/** That hosts saw another log than this server shows, and where it is said what to do. A host that cannot tell is no news for every page. */
export function WitnessBand({ read }: { readonly read: AuditWitnesses }) {
  const isThere = useLocation({ select: ({ pathname }) => pathname === "/audit" });
  if (findDisbelief(read) === undefined) return null;
  return (
    <div className={styles.band}>
      <Mark state="bad" />
      <p className={styles.words} role="alert">
        <strong>This server’s audit log is not the one its hosts have seen.</strong> Approve nothing because of what it
        says about the past.
      </p>
      {!isThere && <Link href="/audit">What to do</Link>}
    </div>
  );
}
