import type { BundleRejection } from "@gatehouse/contract/routes";
import { useMutation } from "@tanstack/react-query";
import { verifyPlugin } from "../../api/plugins.ts";
import { Button } from "../../ui/Button.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { BundleChecks } from "../BundleChecks/BundleChecks.tsx";
import { splitExpectation } from "../PluginSummary/plugin-summary.ts";
import { WithIds } from "../WithIds/WithIds.tsx";
import styles from "./Rejections.module.css";

/** Bundles that the loader turned away at the last start, each with its whole reason: nothing here is ever cut. */
export function Rejections({ rejections }: { readonly rejections: readonly BundleRejection[] }) {
  return (
    <ul className={styles.list}>
      {rejections.map((rejection) => (
        <li key={`${rejection.name} ${rejection.code}`} id={`rejected-${rejection.name}`}>
          <RejectionItem rejection={rejection} />
        </li>
      ))}
    </ul>
  );
}

const isId = /^[a-z0-9][a-z0-9-]{1,62}$/;

export interface RejectionItemProps {
  readonly rejection: BundleRejection;
  /** h2 where nothing stands between it and the title of the page. */
  readonly heading?: "h2" | "h3";
}

export function RejectionItem({ rejection, heading: Heading = "h3" }: RejectionItemProps) {
  const { name, title, detail, code, todo, rejectedAt } = rejection;
  const check = useMutation({ mutationFn: () => verifyPlugin(name) });
  const parts = splitExpectation(detail);
  return (
    <article className={styles.item} aria-label={`${name}, rejected`}>
      <span className={styles.mark}>
        <Mark state="refused" />
      </span>
      <Heading>
        <code>{name}</code> rejected: {title}
      </Heading>
      <Time at={rejectedAt} className={styles.time ?? ""} />
      <div className={styles.body}>
        {parts === null ? (
          <p>
            <WithIds text={detail} />
          </p>
        ) : (
          <>
            {parts.lead !== null && <p className={styles.lead}>{parts.lead}</p>}
            <dl className={styles.parts}>
              <dt>Expected</dt>
              <dd>
                <WithIds text={parts.expected} />
              </dd>
              <dt>Found</dt>
              <dd>
                <WithIds text={parts.found} />
              </dd>
            </dl>
          </>
        )}
        <p className={styles.todo}>{todo}</p>
        <p className={styles.foot}>
          <code>{code}</code>
          {isId.test(name) && (
            <Button size="small" busy={check.isPending} onClick={() => check.mutate()}>
              Check {name} on disk now
            </Button>
          )}
        </p>
        {check.isError && <ApiErrorView error={check.error} size="inline" />}
        {check.data !== undefined && <BundleChecks verdict={check.data} at={check.submittedAt} told={code} />}
        {check.data?.accepted === true && (
          <p className={styles.todo}>Restart the server: bundles are loaded at a start only.</p>
        )}
      </div>
    </article>
  );
}
