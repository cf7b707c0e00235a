import styles from "./SignInPage.module.css";

const gates = [
  { name: "Publish", by: "Signed by its maker" },
  { name: "Verify", by: "Checked by this server" },
  { name: "Activate", by: "Accepted by an operator" },
  { name: "Apply", by: "Approved, host by host" },
] as const;

/** The plan of a gatehouse: one passage, four walls, every leaf shut. */
export function GatePlan() {
  return (
    <aside className={styles.plan} aria-label="What signing in does not do">
      <ol className={styles.hall}>
        {gates.map(({ name, by }) => (
          <li key={name}>
            <svg className={styles.leaf} viewBox="-6 -2 90 84" aria-hidden="true">
              <path className={styles.swing} d="M80 0A80 80 0 0 1 0 80" />
              <rect className={styles.wood} x="-5" y="-1" width="10" height="82" />
            </svg>
            <b>{name}</b>
            <span>{by}</span>
          </li>
        ))}
      </ol>
      <div className={styles.promise}>
        <p>
          <b>Signing in opens no gate.</b> Each of the four is a decision of its own, and passing one never implies the
          next.
        </p>
        <p>
          <b>Every decision is kept.</b> Who opened which gate, when and for which bytes stands in the audit log, and
          the log can be checked.
        </p>
      </div>
    </aside>
  );
}
