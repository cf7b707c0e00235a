import { capabilities } from "@gatehouse/contract";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/auth.ts";
import { type MarketplaceEntry, marketplaceQuery } from "../../api/plugins.ts";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { WithIds } from "../../widgets/WithIds/WithIds.tsx";
import styles from "./MarketplacePage.module.css";

const example = `{
  "entries": [
    {
      "id": "acme-hello",
      "name": "Hello",
      "publisher": "acme",
      "version": "1.2.0",
      "summary": "Greets every node.",
      "capabilities": ["log:write"]
    }
  ]
}`;

/** Plugins that exist, in the operator's own words. Nothing here downloads or installs. */
export function MarketplacePage() {
  const marketplace = useQuery(marketplaceQuery);
  return (
    <>
      <PageHead
        title="Marketplace"
        meta="Plugins that exist, as a file of this server says. There is no remote install: a bundle is placed by hand, and an entry gives it no trust."
      />
      {marketplace.isPending && <Skeleton shape="list" count={4} label="Reading the marketplace" />}
      {marketplace.isError && (
        <ApiErrorView
          error={marketplace.error}
          title="The marketplace could not be read"
          onRetry={() => void marketplace.refetch()}
          retrying={marketplace.isFetching}
        />
      )}
      {marketplace.data?.items.length === 0 && (
        <Empty
          title="No entries"
          command={example}
          commandLabel={
            <>
              A file such as this one, named by <code>SERVICE_MARKETPLACE_FILE</code> and read at the next start
            </>
          }
        >
          The list is a file of the operator&apos;s own. Unset, or without entries, there is nothing to show; plugins
          work without it.
        </Empty>
      )}
      {marketplace.data !== undefined && (
        <ul className={styles.entries}>
          {marketplace.data.items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </>
  );
}

function Entry({ entry }: { entry: MarketplaceEntry }) {
  const { id, name, publisher, version, summary, homepage, artifactSha256, placed, steps } = entry;
  const mayAdmin = useMay("plugin:admin");
  return (
    <li className={styles.entry}>
      <div className={styles.about}>
        <h2>
          {name} <span className={styles.version}>{version}</span>
        </h2>
        <p className={styles.meta}>
          <CopyText text={id} label="plugin id" /> <span>{publisher}</span>{" "}
          <StateMark state={placed ? "ok" : "idle"} word={placed ? "Placed here" : "Not placed here"} />
        </p>
        <p>{summary}</p>
        <p className={styles.links}>
          {placed && mayAdmin && <Link href={`/plugins/${id}`}>Its gates on this server</Link>}
          {homepage !== null && (
            <a href={homepage} target="_blank" rel="noreferrer noopener">
              {homepage}
            </a>
          )}
        </p>
      </div>
      <div className={styles.about}>
        <ul className={styles.capabilities} aria-label={`What ${name} declares`}>
          {entry.capabilities.map(({ name: capability }) => (
            <li key={capability}>
              <code>{capability}</code> <span>{capabilities[capability].says}</span>
            </li>
          ))}
        </ul>
        {artifactSha256 !== null && <Digest value={artifactSha256} label={`digest of ${name} ${version}`} />}
      </div>
      <details className={styles.place}>
        <summary>How to place {version} by hand</summary>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>
              <span>
                <WithIds text={step} />
              </span>
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}
