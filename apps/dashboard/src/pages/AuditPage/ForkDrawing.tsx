import styles from "./ChainDrawing.module.css";

export interface ForkDrawingProps {
  readonly begins: number;
  /** The newest head that a host which knows better holds, and in words who. */
  readonly held: number;
  readonly holders: string;
  /** The end of what this server shows. */
  readonly shown: number;
}

const [middle, upper, lower] = [64, 34, 98];
const parts = { from: 40, to: 54, apart: 62 };

/** The log that parts: what hosts saw, and what this server shows now. Where it parts is between two heads, and not to scale. */
export function ForkDrawing({ begins, held, holders, shown }: ForkDrawingProps) {
  const isShorter = shown < held;
  const [heldEnd, shownEnd] = isShorter ? [99, 80] : [88, 99];
  const words = `What ${holders} saw, to #${said(held)}`;
  const now = `What this server shows now, to #${said(shown)}`;
  return (
    <svg
      className={styles.chain}
      height="132"
      role="img"
      aria-label={`The log parts. ${words}. ${now}.`}
      data-fork={isShorter ? "shorter" : "other"}
    >
      <line className={styles.walked} x1="0" x2={`${parts.from}%`} y1={middle} y2={middle} />
      <line className={styles.unsure} x1={`${parts.from}%`} x2={`${parts.to}%`} y1={middle} y2={middle} />
      <Bend className={styles.walked} to={upper} />
      <Bend className={styles.shown} to={lower} />
      <line className={styles.walked} x1={`${parts.apart}%`} x2={`${heldEnd}%`} y1={upper} y2={upper} />
      <line className={styles.shown} x1={`${parts.apart}%`} x2={`${shownEnd}%`} y1={lower} y2={lower} />
      <text x="0" y="86">
        #{said(begins)}
      </text>
      <text x={`${parts.to}%`} y="50" textAnchor="end">
        parts somewhere here
      </text>
      <circle className={styles.ring} cx={`${heldEnd}%`} cy={upper} r="4.5" />
      <text className={styles.firm} x={`${heldEnd}%`} y="16" textAnchor="end">
        {words}
      </text>
      <circle className={styles.end} cx={`${shownEnd}%`} cy={lower} r="4.5" />
      <text className={styles.loud} x={`${shownEnd}%`} y="122" textAnchor="end">
        {now}
      </text>
    </svg>
  );
}

/** A curve cannot be measured in hundredths of the line, so it is a picture of its own that is drawn as wide as its part. */
function Bend({ className, to }: { readonly className: string | undefined; readonly to: number }) {
  return (
    <svg
      x={`${parts.to}%`}
      y="0"
      width={`${parts.apart - parts.to}%`}
      height="132"
      viewBox="0 0 100 132"
      preserveAspectRatio="none"
      overflow="visible"
    >
      <path className={`${className ?? ""} ${styles.bend ?? ""}`} d={`M0 ${middle}C50 ${middle} 50 ${to} 100 ${to}`} />
    </svg>
  );
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
