import { enrolLine } from "@gatehouse/channel";
import { type AgentArchitecture, agentArchitectures } from "@gatehouse/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type AgentBinaries, agentBinariesQuery, type NewEnrolment } from "../../api/enrolments.ts";
import { Banner } from "../../ui/Banner.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { groups } from "../../ui/middle.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { CeilingWord } from "../Fleet/CeilingBadge.tsx";
import styles from "./Enrol.module.css";
import { urlOfCode } from "./url-of-code.ts";

export interface EnrolStepsProps {
  readonly made: readonly NewEnrolment[];
  /** Whether the codes can no longer be used. */
  readonly isSpent: boolean;
}

/** Run, compare, choose: the line of each host, where its digest also stands, and what is decided on the host alone. */
export function EnrolSteps({ made, isSpent }: EnrolStepsProps) {
  const [arch, setArch] = useState<AgentArchitecture>("x64");
  const binaries = useQuery(agentBinariesQuery);
  if (binaries.isPending) return <Skeleton count={6} label="Reading the agent's digest" />;
  if (binaries.data === undefined) {
    return (
      <ApiErrorView
        error={binaries.error}
        title="The agent's digest could not be read"
        onRetry={() => void binaries.refetch()}
      />
    );
  }
  const { version, items } = binaries.data;
  const sha256 = digestFor(items, arch);
  return (
    <div>
      <Part title="Run" hint="once, on the host">
        <Tabs
          label="Processor of the host"
          value={arch}
          onChange={(next) => setArch(next as AgentArchitecture)}
          tabs={agentArchitectures.map((one) => ({
            key: one,
            label: one,
            panel: <Lines made={made} arch={one} sha256={digestFor(items, one)} isSpent={isSpent} />,
          }))}
        />
      </Part>
      {sha256 !== undefined && (
        <Part title="Compare" hint="before you run it">
          <p>
            This page comes from the server, so it cannot vouch for itself: the marked digest of agent {version}, {arch}
            , is the server’s own word until you have seen it elsewhere.
          </p>
          <EightGroups value={sha256} />
          <ul className={styles.sources}>
            <li>
              <span>either</span>
              <span>
                <code>gatehouse node enrol</code> of a command line that you did not get from this server: a released
                one knows the digest and prints the same line
              </span>
            </li>
            <li>
              <span>or</span>
              <span>the release notes of {version}</span>
            </li>
          </ul>
        </Part>
      )}
      <Part title="Choose" hint="on the host, not here">
        <p>Only root there can raise the ceiling; this server can read it, and not change it.</p>
        <ul className={styles.ceilings}>
          <li>
            <span>
              <CeilingWord level="monitor" /> default
            </span>
            <span>Look at the host’s facts. No change, ever.</span>
          </li>
          <li>
            <span>
              <CeilingWord level="managed" />
            </span>
            <span>Root names what may change, and whose word counts.</span>
          </li>
        </ul>
      </Part>
    </div>
  );
}

function Part({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.part}>
      <h3>
        {title} <small>{hint}</small>
      </h3>
      <div>{children}</div>
    </section>
  );
}

interface LinesProps extends EnrolStepsProps {
  readonly arch: AgentArchitecture;
  readonly sha256: string | undefined;
}

function Lines({ made, arch, sha256, isSpent }: LinesProps) {
  if (sha256 === undefined) {
    return (
      <Banner state="warn" title={`This server has no agent for ${arch}.`}>
        Whoever runs it builds it with <code>npm run agent:build</code>, or uses a released image.
      </Banner>
    );
  }
  const lines = made.map(({ id, code }) => ({ id, line: lineOf(code, arch, sha256) }));
  return (
    <>
      {lines.map(({ id, line }, at) => (
        <div key={id} className={styles.command} data-spent={isSpent || undefined}>
          <code>
            {line.slice(0, line.indexOf(sha256))}
            <mark>{sha256}</mark>
            {line.slice(line.indexOf(sha256) + sha256.length)}
          </code>
          <CopyButton text={line} label={lines.length === 1 ? "the line" : `line ${at + 1}`} />
        </div>
      ))}
      {lines.length > 1 && (
        <p className={styles.all}>
          All {lines.length} <CopyButton text={lines.map(({ line }) => line).join("\n")} label="all lines" />
        </p>
      )}
      <p>
        {isSpent
          ? "No code here can be used any more; running a line enrols nothing."
          : `${lines.length === 1 ? "It" : "Each line"} fetches the agent, checks the marked digest before anything runs, then enrols one host. No script of the server runs as root. Whoever has a line can use it once: keep it to yourself.`}
      </p>
    </>
  );
}

/** A code names its server; one that this page cannot read is still right, and the page's own address the best guess. */
function lineOf(code: string, arch: AgentArchitecture, sha256: string): string {
  return enrolLine({ url: urlOfCode(code) ?? window.location.origin, arch, sha256, code });
}

function digestFor(items: AgentBinaries["items"], arch: AgentArchitecture): string | undefined {
  return items.find((one) => one.arch === arch)?.sha256;
}

/** In groups of eight, as people compare what stands on two screens. Selecting it selects no spaces. */
function EightGroups({ value }: { readonly value: string }) {
  return (
    <p className={styles.digest}>
      <VisuallyHidden>{value}</VisuallyHidden>
      <code aria-hidden="true">
        {groups(value, 8).map((part, at) => (
          <span key={at}>
            {part}
            <wbr />
          </span>
        ))}
      </code>
      <CopyButton text={value} label="digest" />
    </p>
  );
}
