import type { Artifact, Node } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { artifactsQuery } from "../../api/artifacts.ts";
import { useMay } from "../../api/auth.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { type CountedBuild, countBuilds, isLater, newestRelease } from "../../widgets/Fleet/agent-builds.ts";
import { type NodeFilter, nodesHref } from "../../widgets/Fleet/nodes-href.ts";
import { updateHref } from "../../widgets/Fleet/update-href.ts";
import { filterNodes } from "../../widgets/Fleet/node-filter.ts";
import styles from "./NodesPage.module.css";

export interface AgentVersionsProps {
  readonly nodes: readonly Node[];
  readonly filter: NodeFilter;
}

/** A fleet has few versions at a time; the earlier ones are a press away. */
const mostShown = 4;

/** Which agents the hosts run, of a tag where one is chosen, and which could become a later one that is here. */
export function AgentVersions({ nodes, filter: { tag } }: AgentVersionsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const mayRead = useMay("plan:read");
  const mayPlan = useMay("plan:create");
  const artifacts = useQuery({ ...artifactsQuery, enabled: mayRead });
  const builds = useMemo(() => countBuilds(filterNodes(nodes, tag === undefined ? {} : { tag })), [nodes, tag]);
  const releases = mayRead ? artifacts.data : undefined;
  const columns = useMemo(() => columnsOf({ tag, releases, mayPlan }), [tag, releases, mayPlan]);
  if (builds.length === 0) return null;
  const shown = showsAll ? builds : builds.slice(0, mostShown);
  return (
    <Section title="Agents" aside={tag === undefined ? undefined : `of hosts with the tag ${tag}`}>
      <Table label="Agents by version" columns={columns} rows={shown} rowKey={keyOf} />
      {shown.length < builds.length && (
        <Button look="bare" size="small" onClick={() => setShowsAll(true)}>
          {builds.length - shown.length} earlier
        </Button>
      )}
    </Section>
  );
}

interface Around {
  readonly tag: string | undefined;
  /** Unknown while they are read, and to whoever may not. */
  readonly releases: readonly Artifact[] | undefined;
  readonly mayPlan: boolean;
}

const keyOf = ({ version, architecture }: CountedBuild): string => `${version} ${architecture}`;

const columnsOf = ({ tag, releases, mayPlan }: Around): readonly Column<CountedBuild>[] => [
  {
    key: "version",
    head: "Version",
    least: 220,
    cell: ({ version, architecture }) => (
      <span className={styles.build}>
        <ShortText text={version} most={24} /> <span className={styles.arch}>for {architecture}</span>
      </span>
    ),
  },
  {
    key: "nodes",
    head: "Nodes",
    least: 80,
    phone: "time",
    cell: ({ version, architecture, nodes }) => (
      <Link href={nodesHref({ version, architecture, ...(tag !== undefined && { tag }) })} look="count">
        {nodes.toLocaleString("en-GB")} {nodes === 1 ? "node" : "nodes"}
      </Link>
    ),
  },
  ...(releases === undefined
    ? []
    : [
        {
          key: "newest",
          head: "Release here",
          least: 150,
          width: "wide",
          phoneLabel: true,
          cell: (build: CountedBuild) => <NewestHere build={build} releases={releases} />,
        } satisfies Column<CountedBuild>,
      ]),
  ...(releases === undefined || !mayPlan
    ? []
    : [
        {
          key: "update",
          head: "Action",
          width: "narrow",
          align: "end",
          phone: "act",
          cell: ({ version, architecture }: CountedBuild) => {
            const newest = newestRelease(releases, architecture);
            if (newest === undefined || !isLater(newest.version, version)) return null;
            const href = updateHref({ version, architecture, ...(tag !== undefined && { tag }) });
            return (
              <ButtonLink href={href} size="small" className={styles.line ?? ""}>
                Update these…
                <VisuallyHidden>
                  {" "}
                  with {version} for {architecture}
                </VisuallyHidden>
              </ButtonLink>
            );
          },
        } satisfies Column<CountedBuild>,
      ]),
];

function NewestHere({ build, releases }: { readonly build: CountedBuild; readonly releases: readonly Artifact[] }) {
  const newest = newestRelease(releases, build.architecture);
  if (newest === undefined) return <span className={styles.quiet}>none for {build.architecture}</span>;
  if (!isLater(newest.version, build.version)) return <span className={styles.quiet}>none that is later</span>;
  return (
    <Link href={`/artifacts?artifact=${newest.id}`} look="quiet">
      <ShortText text={newest.version} most={24} />
    </Link>
  );
}
