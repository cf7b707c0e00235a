import type { PlanState } from "@gatehouse/contract";
import type { PlanWave } from "@gatehouse/contract/routes";
import { type ReactNode, useId } from "react";
import { cx } from "../../ui/cx.ts";
import { nameWave, sayWave, sayWaveHosts, type WallState, wallOf } from "../../widgets/Plans/wave-words.ts";
import styles from "./Waves.module.css";

export interface WavesProps {
  readonly waves: readonly PlanWave[];
  readonly plan: PlanState;
  /** What stands behind the wall of a wave: its hosts. */
  readonly children: (wave: PlanWave, says: string) => ReactNode;
}

/** The plan walks down through its waves, each a wall with one leaf: open where its hosts were sent it, hatched where a halt shut it. */
export function Waves({ waves, plan, children }: WavesProps) {
  return (
    <ol className={styles.waves} aria-label="Waves">
      {waves.map((wave) => {
        const says = sayWave(wave, waves, plan);
        return (
          <Wave key={wave.index} wave={wave} wall={wallOf(wave, plan)} says={says}>
            {children(wave, says)}
          </Wave>
        );
      })}
    </ol>
  );
}

interface WaveProps {
  readonly wave: PlanWave;
  readonly wall: WallState;
  readonly says: string;
  readonly children: ReactNode;
}

function Wave({ wave, wall, says, children }: WaveProps) {
  const id = useId();
  return (
    <li className={cx(styles.wave, styles[wall])} aria-labelledby={id}>
      <Wall state={wall} />
      <div className={styles.head}>
        <h3 id={id}>{nameWave(wave)}</h3>
        <span>{sayWaveHosts(wave)}</span>
        <span className={styles.says}>{says}</span>
      </div>
      {children}
    </li>
  );
}

/** One wall from above, with its leaf: swung open, or across the way. */
function Wall({ state }: { readonly state: WallState }) {
  const isOpen = state === "passed" || state === "open";
  return (
    <svg className={styles.wall} width="44" height="40" viewBox="0 -4 44 40" aria-hidden="true">
      <path className={styles.stone} d={isOpen ? "M0 1h7M34 1h10" : "M0 1h6M34 1h10"} />
      {isOpen && <path className={styles.leaf} d="M7.5 0v29" />}
      {isOpen && <path className={styles.swing} d="M7.5 29A27 27 0 0 0 34 3" />}
      {!isOpen && <rect className={styles.bar} x="5" y="-3.5" width="30" height="9" />}
      {state === "barred" && <path className={styles.hatch} d="M8 5.5l9-9M15 5.5l9-9M22 5.5l9-9M29 5.5l6-6" />}
    </svg>
  );
}
