import type { Node } from "@gatehouse/contract/routes";
import { hostLogLimits } from "@gatehouse/contract";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type LogFilter, logCountsQuery } from "../../api/host-logs.ts";
import type { Stretch } from "../../api/metrics.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckboxGroup, RadioGroup } from "../../ui/Choices.tsx";
import input from "../../ui/input.module.css";
import { truncateMiddle } from "../../ui/middle.ts";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { leastLevels, type LogsAddress, mostLogNodes } from "../../widgets/HostLogs/logs-address.ts";
import { NodeInput } from "../../widgets/NodeChooser/NodeInput.tsx";
import { type Facet, facetsOf } from "./log-facets.ts";
import { sumBars } from "./log-bars.ts";
import styles from "./LogsPage.module.css";
import { shortSource } from "./say-logs.ts";

export interface LogFiltersProps {
  readonly address: LogsAddress;
  readonly filter: LogFilter;
  /** None for whoever may not see nodes. */
  readonly fleet: readonly Node[] | undefined;
  readonly nameOf: (id: string) => string;
  /** What is counted: the time of the list. */
  readonly stretch: Stretch;
  /** Counted again so often, while lines are followed. */
  readonly everyMs: number | undefined;
  readonly onShow: (change: Partial<LogsAddress>) => void;
}

/** What each condition would leave is counted as if it were not set. */
export function LogFilters({ address, filter, fleet, nameOf, stretch, everyMs, onShow }: LogFiltersProps) {
  const byNode = useQuery(logCountsQuery({ ...filter, nodes: [] }, stretch, everyMs)).data?.byNode;
  const bySource = useQuery(logCountsQuery({ ...filter, sources: [] }, stretch, everyMs)).data?.bySource;
  const byLevel = useQuery(logCountsQuery({ ...filter, level: undefined }, stretch, everyMs)).data;
  const { nodes, sources, level } = address;
  const set = (change: Partial<LogsAddress>): void => onShow({ ...change, line: undefined });
  const sums = byLevel === undefined ? undefined : sumBars(byLevel.bars);
  return (
    <div className={styles.facets}>
      <FacetGroup
        legend="Node"
        kind="nodes"
        facets={facetsOf(
          byNode?.map(({ node, lines }) => ({ value: node, lines })),
          nodes,
        )}
        chosen={nodes}
        most={mostLogNodes}
        say={(id) => truncateMiddle(nameOf(id), 16)}
        onChoose={(next) => set({ nodes: next })}
      />
      {fleet !== undefined && fleet.length > 0 && (
        <AddNode fleet={fleet} chosen={nodes} onChoose={(next) => set({ nodes: next })} />
      )}
      <FacetGroup
        legend="Unit or file"
        kind="units and files"
        facets={facetsOf(
          bySource?.map(({ source, lines }) => ({ value: source, lines })),
          sources,
        )}
        chosen={sources}
        most={hostLogLimits.sources}
        say={(source) => truncateMiddle(shortSource(source), 16)}
        onChoose={(next) => set({ sources: next })}
      />
      <RadioGroup
        legend="Level"
        value={level ?? "all"}
        options={[
          { value: "all", label: <Counted words="all" lines={sums?.lines} /> },
          {
            value: "warning",
            label: <Counted words="warning, error" lines={sums && sums.warning + sums.error} />,
          },
          { value: "error", label: <Counted words="error" lines={sums?.error} /> },
        ]}
        onChange={(value) => set({ level: leastLevels.find((one) => one === value) })}
      />
      <p className={styles.fine}>What a host sends is named in its ceiling, not here.</p>
    </div>
  );
}

interface FacetGroupProps {
  readonly legend: string;
  /** Of which there are more: "nodes". */
  readonly kind: string;
  readonly facets: readonly Facet[];
  readonly chosen: readonly string[];
  readonly most: number;
  readonly say: (value: string) => string;
  readonly onChoose: (values: readonly string[]) => void;
}

/** More than so many are shown when somebody asks. */
const shownFacets = 6;

function FacetGroup({ legend, kind, facets, chosen, most, say, onChoose }: FacetGroupProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? facets : facets.filter(({ value }, at) => at < shownFacets || chosen.includes(value));
  const rest = facets.length - shown.length;
  return (
    <div>
      <CheckboxGroup
        legend={legend}
        value={chosen}
        options={shown.map(({ value, lines }) => ({
          value,
          label: (
            <span title={value}>
              <Counted words={<code>{say(value)}</code>} lines={lines} />
            </span>
          ),
          disabled: chosen.length >= most && !chosen.includes(value),
        }))}
        onChange={onChoose}
      />
      {facets.length === 0 && <p className={styles.fine}>None has lines then.</p>}
      {(rest > 0 || isOpen) && (
        <Button look="bare" size="small" className={styles.more} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Fewer" : `${rest.toLocaleString("en-GB")} more ${kind}`}
        </Button>
      )}
    </div>
  );
}

function Counted({ words, lines }: { readonly words: React.ReactNode; readonly lines: number | undefined }) {
  return (
    <span className={styles.counted}>
      <span>{words}</span>
      {lines !== undefined && (
        <span className={styles.count}>
          {lines.toLocaleString("en-GB")}
          <VisuallyHidden> lines</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

function AddNode(props: {
  readonly fleet: readonly Node[];
  readonly chosen: readonly string[];
  readonly onChoose: (nodes: readonly string[]) => void;
}) {
  const saidId = useId();
  const [said, setSaid] = useState("");
  return (
    <div className={styles.addNode}>
      <NodeInput
        nodes={props.fleet}
        chosen={props.chosen}
        most={mostLogNodes}
        className={input.input}
        saidId={saidId}
        onSaid={setSaid}
        onChoose={props.onChoose}
      />
      <p id={saidId} className={styles.fine} role="status">
        {said}
      </p>
    </div>
  );
}
