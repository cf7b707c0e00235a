import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import styles from "./Diff.module.css";

export type DiffLine = { kind: "same" | "add" | "del" | "hunk"; text: string; before?: number; after?: number };

const signs = { same: "", add: "+", del: "-", hunk: "" } as const;
const words = { same: "", add: "Added: ", del: "Removed: ", hunk: "" } as const;

/** Lines before and after. Long lines wrap and hang: what is decided on is never cut. */
export function Diff({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  return (
    <ol className={styles.diff} aria-label={label}>
      {lines.map((line, at) => (
        <li key={at} className={cx(styles.line, styles[line.kind])}>
          <span className={styles.number} aria-hidden="true">
            {line.before}
          </span>
          <span className={styles.number} aria-hidden="true">
            {line.after}
          </span>
          <span className={styles.sign} aria-hidden="true">
            {signs[line.kind]}
          </span>
          <span className={styles.text}>
            {words[line.kind] && <VisuallyHidden>{words[line.kind]}</VisuallyHidden>}
            {line.text}
          </span>
        </li>
      ))}
    </ol>
  );
}

export type ListChange = { key: string; kind: "same" | "add" | "del"; value: ReactNode; note?: ReactNode };

export type SideBySideProps = { before: ReactNode; after: ReactNode; items: readonly ListChange[]; label: string };

/** Two lists next to each other. What is new stands on the waiting ground: a gain is a question, not good news. */
export function SideBySide({ before, after, items, label }: SideBySideProps) {
  return (
    <table className={styles.sides} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.key} className={styles[`side-${item.kind}`]}>
            <td>{item.kind === "add" ? <None /> : <Side item={item} mark={item.kind === "del"} />}</td>
            <td>{item.kind === "del" ? <None /> : <Side item={item} mark={item.kind === "add"} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ item, mark }: { item: ListChange; mark: boolean }) {
  return (
    <div className={styles.side}>
      <span className={styles.sideSign} aria-hidden="true">
        {mark ? signs[item.kind] : ""}
      </span>
      <div>
        {mark && <VisuallyHidden>{words[item.kind]}</VisuallyHidden>}
        <span className={styles.value}>{item.value}</span>
        {mark && item.kind === "add" && <span className={styles.new}> new</span>}
        {mark && item.kind === "del" && <span className={styles.gone}> removed</span>}
        {item.note && <div className={styles.note}>{item.note}</div>}
      </div>
    </div>
  );
}

function None() {
  return <VisuallyHidden>not there</VisuallyHidden>;
}
