import type { openApiRoute } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { addressOf } from "../../api/client.ts";
import { versionQuery } from "../../api/version.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import styles from "./AboutPage.module.css";

const Licences = lazy(async () => ({ default: (await import("./Licences.tsx")).Licences }));

/** The documents come with the source, not with the server: here they are named, so that one finds them. */
const documents = [
  ["docs/operate/install.md", "Install, upgrade, put behind a proxy or a CDN"],
  ["docs/operate/settings.md", "Every setting of the server"],
  ["docs/operate/data.md", "The data directory: back up, restore, verify"],
  ["docs/operate/plugins.md", "Accept, activate and watch plugins"],
  ["docs/operate/trust-policy.md", "Whom the server trusts to publish plugins"],
  ["docs/operate/cli.md", "The command line, gatehouse"],
  ["docs/errors.md", "Every code a refusal can carry, and what to do"],
] as const;

const apiDescription = addressOf<typeof openApiRoute>("/api/openapi.json");

export function AboutPage() {
  return (
    <div className={styles.page}>
      <PageHead title="About" meta="What runs here, where it is written down, and whose work it contains." />
      <div className={styles.columns}>
        <Section title="This server">
          <VersionFacts />
        </Section>
        <Section title="Documents">
          <ul className={styles.documents}>
            {documents.map(([path, says]) => (
              <li key={path}>
                {says} <code>{path}</code>
              </li>
            ))}
            <li>
              Every route of the API, as this server answers it{" "}
              <Link href={apiDescription} target="_blank" rel="noreferrer">
                {apiDescription}
              </Link>
            </li>
          </ul>
          <p className={styles.note}>The documents lie in the source of the version that runs.</p>
        </Section>
      </div>
      <Section title="Licences">
        <p className={styles.note}>
          Gatehouse is under the Apache License 2.0. This page also contains the work of others:
        </p>
        <Suspense fallback={<Skeleton shape="rows" count={8} columns={3} label="Reading licences" />}>
          <Licences />
        </Suspense>
      </Section>
    </div>
  );
}

function VersionFacts() {
  const { data, error, isPending, isError, refetch, isFetching } = useQuery(versionQuery);
  if (isPending) return <Skeleton count={6} label="Reading the version" />;
  if (isError) {
    return (
      <ApiErrorView
        error={error}
        title="The version could not be read"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const { version, commit, builtAt, channel, node, api } = data;
  return (
    <>
      <Facts
        items={[
          { label: "Version", value: <CopyText text={version} label="version" whole />, note: `Channel ${channel}` },
          { label: "Commit", value: <CopyText text={commit} label="commit" whole /> },
          { label: "Built", value: <Time at={builtAt} />, note: <Time at={builtAt} absolute /> },
          { label: "Node.js", value: <code>{node}</code> },
          { label: "API", value: <code>{api}</code> },
          { label: "Address", value: <CopyText text={location.origin} label="address" whole /> },
        ]}
      />
      <p className={styles.all}>
        All of it, for a report <CopyButton text={JSON.stringify(data, null, 2)} label="all as JSON" />
      </p>
    </>
  );
}
