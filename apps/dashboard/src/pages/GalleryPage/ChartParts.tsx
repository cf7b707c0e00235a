import { useState } from "react";
import { Section } from "../../ui/Section.tsx";
import { axisTicks, utcClock } from "../../ui/time-axis.ts";
import { TimeChart, type TimeChartMark } from "../../ui/TimeChart.tsx";
import styles from "./GalleryPage.module.css";

const from = Date.UTC(2026, 10, 17, 2, 12);
const to = from + 60 * 60_000;
const times = Array.from({ length: 61 }, (_, at) => from + at * 60_000);

/** The same hills in every picture. */
const hills = (height: number, seed: number) =>
  times.map((_, at) => height + (height / 5) * Math.sin(at / 7 + seed) + (height / 9) * Math.sin(at * seed));
const gap = (values: readonly number[], first: number, last: number) =>
  values.map((value, at) => (at >= first && at <= last && at !== first + 3 ? null : value));
const names = ["fra1-edge-03", "fra1-edge-01", "ams1-edge-04", "lhr2-edge-02", "nyc3-edge-01"];
const lines = names.map((name, at) => ({
  key: name,
  name,
  values: at === 2 ? gap(hills(100, 3), 20, 28) : hills([250, 190, 100, 112, 60][at] ?? 50, at + 1),
}));
const first = lines.slice(0, 1).map((line) => ({
  ...line,
  band: {
    least: line.values.map((value) => (value ?? 0) * 0.8),
    most: line.values.map((value) => (value ?? 0) * 1.25),
  },
}));
const marks: readonly TimeChartMark[] = [
  { key: "plan", at: from + 36 * 60_000, state: "back", words: "QUIC rate limit, rolled back 02:48" },
  { key: "restart", at: from + 12 * 60_000, state: undefined, words: "host restarted, 02:24" },
];

export function ChartParts() {
  const [cursor, setCursor] = useState(from + 36 * 60_000);
  const [picked, setPicked] = useState("fra1-edge-03");
  const shared = {
    times,
    from,
    to,
    ticks: axisTicks(from, to, 5),
    marks,
    cursor,
    cursorWords: utcClock(cursor),
    onCursor: setCursor,
    onPress: (_at: number | undefined, line: string | undefined) => line !== undefined && setPicked(line),
  };
  return (
    <>
      <div className={styles.all}>
        <Section title="Lines over time" aside="one is picked, the others are quiet">
          <TimeChart
            {...shared}
            label="Network out"
            summary="Five nodes over one hour."
            isLarge
            isNamed
            lines={lines}
            picked={picked}
            most={400}
            scale={["400", "200"]}
          />
        </Section>
      </div>
      <Section title="A line alone, with least and most">
        <TimeChart {...shared} label="CPU" summary="One node over one hour." lines={first} most={400} />
      </Section>
      <Section title="Nothing yet">
        <TimeChart {...shared} label="Disk" summary="Being read." lines={[]} times={[]} marks={[]} most={100} />
      </Section>
    </>
  );
}
