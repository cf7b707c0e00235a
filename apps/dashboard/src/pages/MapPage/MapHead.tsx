import { useMemo } from "react";
import type { Node } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { Link } from "../../ui/Link.tsx";
import { Select } from "../../ui/Select.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { type MapAddress, mapHref } from "../../widgets/Fleet/map-address.ts";
import { choicesOf } from "../../widgets/Fleet/node-filter.ts";
import type { NodeFilter } from "../../widgets/Fleet/nodes-href.ts";
import { type StandingCounts, standings, standingWords } from "../../widgets/Fleet/standing.ts";
import { LaterInput } from "../../widgets/LaterInput/LaterInput.tsx";
import styles from "./MapPage.module.css";

export interface MapHeadProps {
  readonly address: MapAddress;
  readonly all: readonly Node[];
  /** Of the nodes in view that the other conditions leave. */
  readonly counts: StandingCounts;
  readonly placeless: number;
  readonly onShow: (change: Partial<MapAddress>) => void;
}

/** What is shown: by words, by tag, by state; and who is on no map. */
export function MapHead({ address, all, counts, placeless, onShow }: MapHeadProps) {
  const { filter, isPlaceless } = address;
  const tags = useMemo(() => choicesOf(all).tags, [all]);
  const { state, ...others } = filter;
  const set = (name: keyof NodeFilter, value: string): void => {
    const { [name]: _before, ...rest } = filter;
    onShow({ filter: value === "" ? rest : { ...rest, [name]: value } });
  };
  const inView = standings.reduce((sum, standing) => sum + counts[standing], 0);
  const known = filter.tag === undefined || tags.includes(filter.tag) ? tags : [filter.tag, ...tags];
  return (
    <header className={styles.head}>
      <div className={styles.bar}>
        <h1>Map</h1>
        <search className={styles.search}>
          <LaterInput
            type="search"
            aria-label="Search"
            placeholder="Name, address, tag, note"
            value={filter.text ?? ""}
            onValue={(text) => set("text", text)}
          />
          <Select
            aria-label="Tag"
            value={filter.tag ?? ""}
            options={[{ value: "", label: "Any tag" }, ...known.map((tag) => ({ value: tag, label: tag }))]}
            onChange={(event) => set("tag", event.target.value)}
          />
        </search>
        <Button
          className={isPlaceless ? styles.pressed : undefined}
          aria-pressed={isPlaceless}
          onClick={() => onShow({ isPlaceless: !isPlaceless })}
        >
          Nodes without a place <span className={styles.count}>{placeless.toLocaleString("en-GB")}</span>
        </Button>
      </div>
      <nav className={styles.states} aria-label="Filter by state">
        <Link
          href={mapHref({ ...address, filter: others })}
          look="bare"
          aria-current={state === undefined ? "true" : undefined}
        >
          <b>{inView.toLocaleString("en-GB")}</b> in view
        </Link>
        {standings
          .filter((standing) => counts[standing] > 0 || state === standing)
          .map((standing) => (
            <Link
              key={standing}
              href={mapHref({ ...address, filter: { ...others, state: standing } })}
              look="bare"
              aria-current={state === standing ? "true" : undefined}
            >
              <Mark state={standingWords[standing].state} /> <b>{counts[standing].toLocaleString("en-GB")}</b>{" "}
              {standingWords[standing].word.toLowerCase()}
            </Link>
          ))}
      </nav>
    </header>
  );
}
