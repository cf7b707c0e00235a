import type { MetricValues } from "@gatehouse/contract/metrics";
import type { Curve } from "./telemetry.ts";

/** Draws the values of each point together while they come. */
export class CurveSums {
  readonly #points: number;
  /** One per column; they cross from the thread as they are. */
  readonly columns: readonly PointSums[];

  constructor(points: number, columns: number) {
    this.#points = points;
    this.columns = Array.from({ length: columns }, () => ({
      count: new Uint32Array(points),
      sum: new Float64Array(points),
      least: new Float64Array(points).fill(Number.POSITIVE_INFINITY),
      most: new Float64Array(points).fill(Number.NEGATIVE_INFINITY),
    }));
  }

  add(column: number, point: number, value: number): void {
    const sums = this.columns[column];
    if (sums === undefined) return;
    const { count, sum, least, most } = sums;
    count[point] = (count[point] ?? 0) + 1;
    sum[point] = (sum[point] ?? 0) + value;
    least[point] = Math.min(least[point] ?? value, value);
    most[point] = Math.max(most[point] ?? value, value);
  }

  /** Adds what others have drawn of some points, from this one on. */
  join(first: number, columns: readonly PointSums[]): void {
    for (const [column, more] of columns.entries()) {
      const sums = this.columns[column];
      if (sums === undefined) continue;
      for (const [n, count] of more.count.entries()) {
        if (count === 0) continue;
        const point = first + n;
        sums.count[point] = (sums.count[point] ?? 0) + count;
        sums.sum[point] = (sums.sum[point] ?? 0) + (more.sum[n] ?? 0);
        sums.least[point] = Math.min(sums.least[point] ?? 0, more.least[n] ?? 0);
        sums.most[point] = Math.max(sums.most[point] ?? 0, more.most[n] ?? 0);
      }
    }
  }

  curves(): Curve[] {
    return this.columns.map(({ count, sum, least, most }) => {
      const drawn = (value: (point: number, of: number) => number): MetricValues =>
        Array.from({ length: this.#points }, (_, point) => {
          const of = count[point] ?? 0;
          return of === 0 ? null : value(point, of);
        });
      return {
        least: drawn((point) => least[point] ?? 0),
        // Rounding must not lead it beyond the values that it is the mean of.
        mean: drawn((point, of) =>
          Math.min(Math.max((sum[point] ?? 0) / of, least[point] ?? 0), most[point] ?? Number.POSITIVE_INFINITY),
        ),
        most: drawn((point) => most[point] ?? 0),
      };
    });
  }
}

export interface PointSums {
  readonly count: Uint32Array;
  readonly sum: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
}
