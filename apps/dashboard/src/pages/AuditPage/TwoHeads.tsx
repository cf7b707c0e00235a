import type { AuditWitnessView } from "@gatehouse/contract/routes";
import type { SignedEnd } from "../../api/witnesses.ts";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { whyOf } from "../../widgets/disbelief.ts";
import styles from "./DisbeliefView.module.css";

export interface TwoHeadsProps {
  readonly first: AuditWitnessView;
  /** Hosts that hold the same head, the first among them. */
  readonly alike: number;
  readonly end: SignedEnd | undefined;
}

/** The head of the first host that knows better, and the end of what this server shows: both whole. */
export function TwoHeads({ first, alike, end }: TwoHeadsProps) {
  return (
    <Section
      title="The two heads"
      aside={
        end !== undefined && (
          <>
            both signed by this server’s key <CopyText text={end.server} label="server key" tail={8} />
          </>
        )
      }
    >
      <div className={styles.heads}>
        <div>
          <h3>
            {first.name} {alike > 1 ? `and ${said(alike - 1)} more hold` : "holds"} #{said(first.position ?? 0)}
          </h3>
          {first.link !== null && <Digest value={first.link} label="link that the host holds" />}
          {first.at !== null && (
            <p>
              Signed <Time at={first.at} absolute />
              {first.n !== null && `, head ${said(first.n)}`}
            </p>
          )}
        </div>
        <div>
          <h3 className={styles.loud}>This server shows #{said(end?.position ?? 0)}</h3>
          {end === undefined ? (
            <Skeleton count={2} label="Reading the end of this log" />
          ) : (
            <>
              <Digest value={end.link} label="link at the end of this log" />
              <p>
                Signed <Time at={end.at} absolute />, when this page asked
              </p>
            </>
          )}
        </div>
      </div>
      <p className={styles.detail}>{whyOf(first)}</p>
    </Section>
  );
}

function said(count: number): string {
  return count.toLocaleString("en-GB");
}
