import type { TaskState } from "@gatehouse/contract";
import type { PlanWave } from "@gatehouse/contract/routes";
import { Mark } from "../../ui/StateMark.tsx";
import { usePhone } from "../../ui/use-phone.ts";
import { sayTask } from "../../widgets/Plans/task-words.ts";
import { cellsOf } from "../../widgets/Plans/wave-words.ts";
import styles from "./Waves.module.css";

export interface WaveCellsProps {
  readonly wave: PlanWave;
  /** For how many hosts one cell stands. */
  readonly hosts: number;
  /** What the cells say, for whoever does not see them. */
  readonly says: string;
}

const step = 10;
const side = 7.5;

/** The hosts of a wave, a cell for each. What is quiet is a square; what somebody may have to look at has its mark. */
export function WaveCells({ wave, hosts, says }: WaveCellsProps) {
  const across = usePhone() ? 31 : 74;
  const cells = cellsOf(wave, hosts);
  const width = Math.min(cells.length, across) * step;
  const height = Math.ceil(cells.length / across) * step;
  const placed = cells.map((state, at) => ({ state, x: (at % across) * step, y: Math.floor(at / across) * step }));
  const marked = placed.filter(({ state }) => !isSquare(state));
  return (
    <svg
      className={styles.cells}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={says}
    >
      <path className={styles.kept} d={squares(placed.filter(({ state }) => state === "applied"))} />
      <path className={styles.unsent} d={squares(placed.filter(({ state }) => state === null || state === "queued"))} />
      {marked.map(({ state, x, y }) => (
        <g key={`${x} ${y}`} transform={`translate(${x - 0.75} ${y - 0.75})`}>
          <Mark state={sayTask({ state: state ?? "queued", code: null }).state} size={9} />
        </g>
      ))}
    </svg>
  );
}

function isSquare(state: TaskState | null): boolean {
  return state === null || state === "queued" || state === "applied";
}

/** One path for all of them: ten thousand elements would be slow to lay out. */
function squares(places: readonly { readonly x: number; readonly y: number }[]): string {
  return places.map(({ x, y }) => `M${x} ${y}h${side}v${side}h-${side}z`).join("");
}
