import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** One line over the times of its chart; null is a gap, undefined is no point of its own. */
export interface PlotLine {
  readonly key: string;
  readonly values: readonly (number | null | undefined)[];
  /** The least and the most of what each point is the mean of: a pale band behind a picked line. */
  readonly band?: Readonly<Record<"least" | "most", readonly (number | null | undefined)[]>> | undefined;
}

export interface PlotInput {
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
  /** Drawn last and strongly. A line alone is ink. */
  readonly picked: string | undefined;
  readonly from: number;
  readonly to: number;
  /** The upper end, in the unit of the values; the lower is 0. */
  readonly most: number;
}

/** As the canvas takes them, in the colours of now. */
export interface PlotColours {
  readonly picked: string;
  readonly alone: string;
  readonly quiet: string;
  readonly band: string;
}

export interface PlotEvents {
  /** The pointer is over another point. */
  readonly onMove: (at: number) => void;
  /** Pressed at a moment, near a line or near none. */
  readonly onPress: (at: number, line: string | undefined) => void;
  /** Dragged from one moment to another. */
  readonly onDrag: (from: number, to: number) => void;
}

export interface Plot {
  readonly close: () => void;
}

/** Nearer than this somebody meant a line. */
const nearPx = 14;
/** Less is a press with an unsteady hand. */
const dragPx = 6;

/**
 * Draws lines on a canvas as wide and as high as a box, and again when the box changes. Times, names and signs are words of the page
 * around it: a canvas can be neither read nor marked.
 */
export function openPlot(box: HTMLElement, input: PlotInput, colours: PlotColours, events: PlotEvents): Plot {
  const lines = inOrder(input);
  const { series, columns, bands } = columnsOf(lines, input, colours);
  const times = [...input.times];
  let over: number | null | undefined;
  const plot = new uPlot(
    {
      width: Math.max(1, box.clientWidth),
      height: Math.max(1, box.clientHeight),
      ms: 1,
      legend: { show: false },
      padding: [1, 0, 1, 0],
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: false, range: () => [input.from, input.to] },
        y: { range: () => [0, input.most] },
      },
      series: [{}, ...series],
      bands,
      cursor: {
        x: false,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: dragPx },
        // A double press would forget the range, which the address holds.
        bind: { dblclick: () => null },
      },
      hooks: {
        setCursor: [
          ({ cursor }) => {
            if (cursor.idx === over) return;
            over = cursor.idx;
            const at = times[over ?? -1];
            if (at !== undefined) events.onMove(at);
          },
        ],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select;
            if (width < dragPx) return;
            drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            events.onDrag(drawn.posToVal(left, "x"), drawn.posToVal(left + width, "x"));
          },
        ],
      },
    },
    [times, ...columns],
    box,
  );
  plot.over.addEventListener("click", ({ offsetX, offsetY }) => {
    const point = plot.posToIdx(offsetX);
    const at = times[point];
    if (at !== undefined) events.onPress(at, nearestLine(plot, lines, point, offsetY));
  });
  const watch = new ResizeObserver(() => {
    const size = { width: Math.max(1, box.clientWidth), height: Math.max(1, box.clientHeight) };
    if (size.width !== plot.width || size.height !== plot.height) plot.setSize(size);
  });
  watch.observe(box);
  return {
    close: () => {
      watch.disconnect();
      plot.destroy();
    },
  };
}

/** The picked one last, so that it lies over the others. */
function inOrder({ lines, picked }: PlotInput): readonly PlotLine[] {
  return [...lines.filter(({ key }) => key !== picked), ...lines.filter(({ key }) => key === picked)];
}

type Column = (number | null | undefined)[];

function columnsOf(lines: readonly PlotLine[], { picked }: PlotInput, colours: PlotColours) {
  const series: uPlot.Series[] = [];
  const columns: Column[] = [];
  const bands: uPlot.Band[] = [];
  const add = (values: PlotLine["values"], one: uPlot.Series): number => {
    series.push(one);
    return columns.push([...values]);
  };
  const alone = lines.length === 1;
  for (const { key, values, band } of lines) {
    const isPicked = key === picked;
    if (band !== undefined && (isPicked || alone)) {
      const most = add(band.most, { points: { show: false } });
      const least = add(band.least, { points: { show: false } });
      bands.push({ series: [most, least], fill: colours.band });
    }
    const stroke = isPicked ? colours.picked : alone ? colours.alone : colours.quiet;
    const width = isPicked ? 2 : alone ? 1.5 : 1;
    add(values, {
      stroke,
      width,
      // A minute between two gaps is no line, and is there.
      points: { size: width + 2, width: 0, fill: stroke, show: true, filter: (_, at) => lonely(columns[at - 1] ?? []) },
    });
  }
  return { series, columns, bands };
}

function lonely(values: Column): number[] {
  const own = values.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]));
  return own
    .filter(
      ({ value }, nth) =>
        value !== null && (own[nth - 1]?.value ?? null) === null && (own[nth + 1]?.value ?? null) === null,
    )
    .map(({ at }) => at);
}

function nearestLine(plot: uPlot, lines: readonly PlotLine[], point: number, top: number): string | undefined {
  const found = lines
    .flatMap(({ key, values }) => {
      const value = values[point];
      return value === null || value === undefined ? [] : [{ key, far: Math.abs(plot.valToPos(value, "y") - top) }];
    })
    .toSorted((a, b) => a.far - b.far)[0];
  return found !== undefined && found.far <= nearPx ? found.key : undefined;
}
