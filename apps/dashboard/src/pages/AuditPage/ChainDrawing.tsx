import { truncateMiddle } from "../../ui/middle.ts";
import { useAtMost } from "../../ui/use-at-most.ts";
import { usePhone } from "../../ui/use-phone.ts";
import styles from "./ChainDrawing.module.css";
import { countHosts, drawChain } from "./chain-drawing.ts";
import type { ChainEnds } from "./chain-ends.ts";
import type { HeldHead } from "./held-heads.ts";

export interface ChainDrawingProps {
  /** Undefined while nobody knows: the line alone is drawn. */
  readonly ends: ChainEnds | undefined;
  readonly heads: readonly HeldHead[];
}

const line = 46;

/** The log as a line, with a ring where hosts hold a head of it. Not to scale: what is new takes the most room. */
export function ChainDrawing({ ends, heads }: ChainDrawingProps) {
  const isPhone = usePhone();
  const isNarrow = useAtMost(1080);
  if (ends === undefined) {
    return (
      <svg className={styles.chain} height="86" aria-hidden="true">
        <line className={styles.newer} x1="0" x2="99%" y1={line} y2={line} />
      </svg>
    );
  }
  const gap = isPhone ? 34 : isNarrow ? 24 : 14;
  const { begin, checked, end, rings } = drawChain(ends, heads, gap);
  const isEndTold = end - checked >= (isPhone ? 24 : isNarrow ? 12 : 7);
  return (
    <svg className={styles.chain} height="86" role="img" aria-label={describe(ends, heads)}>
      {begin > 0 && <line className={styles.gone} x1="0" x2={`${begin}%`} y1={line} y2={line} />}
      <line className={styles.walked} x1={`${begin}%`} x2={`${checked}%`} y1={line} y2={line} />
      <line className={styles.newer} x1={`${checked}%`} x2={`${end}%`} y1={line} y2={line} />
      {[...new Set([begin, checked, end])].map((x) => (
        <line key={x} className={styles.tick} x1={`${x}%`} x2={`${x}%`} y1="36" y2="56" />
      ))}
      {(checked > 30 || !isPhone) && (
        <text x={`${begin}%`} y="74">
          #{said(ends.begins)}
        </text>
      )}
      <text className={styles.firm} x={`${checked}%`} y="74" textAnchor="end">
        checked to #{said(ends.checked)}
      </text>
      {isEndTold && (
        <text x={`${end}%`} y="74" textAnchor="end">
          #{said(ends.head)}
        </text>
      )}
      {rings.map(({ x, label }, at) => (
        <g key={x}>
          <circle className={styles.ring} cx={`${x}%`} cy={line} r="4.5" />
          <text className={at === 0 ? styles.firm : undefined} x={`${x}%`} y="28" textAnchor={anchor(x)}>
            {truncateMiddle(label, 18)}
          </text>
        </g>
      ))}
    </svg>
  );
}

function anchor(x: number): "start" | "middle" | "end" {
  return x > 90 ? "end" : x < 18 ? "start" : "middle";
}

function describe({ begins, checked, head }: ChainEnds, heads: readonly HeldHead[]): string {
  const held = heads.map(({ position, hosts }) => `${countHosts(hosts.length)} at ${said(position)}`);
  const more = held.length > 5 ? `, and ${held.length - 5} older heads` : "";
  const witnesses = held.length === 0 ? "no host holds a head of it" : `held by ${held.slice(0, 5).join(", ")}${more}`;
  return `The log from ${said(begins)} to ${said(head)}, checked to ${said(checked)}; ${witnesses}`;
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
