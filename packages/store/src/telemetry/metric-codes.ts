import { type MetricPrecision, metricNames, metrics } from "@gatehouse/contract/metrics";

/** How the values of one metric become whole numbers from 0 on, and values again. */
export interface MetricCode {
  readonly encode: (value: number, at: number) => number;
  /** Of a code up to `most`. */
  readonly decode: (code: number, at: number) => number;
  readonly most: number;
  /** Codes that are no farther apart mean the same: the one that is there already is taken again, and costs nothing. */
  readonly tolerance: number;
}

/** The least that is told from 0: less than a byte in a minute. */
const leastOfPart = 0.01;
const digits = 5;

/** In the order of the contract's table. */
export const metricCodes: readonly MetricCode[] = metricNames.map((name) => codeOf(metrics[name]));

function codeOf({ precision, most }: { readonly precision: MetricPrecision; readonly most: number }): MetricCode {
  const fit = (value: number): number => Math.min(Math.max(value, 0), most);
  if (precision.kind === "step") return stepCode(precision.step, fit, most);
  if (precision.kind === "part") return partCode(precision.part, fit, most);
  return ageCode(fit, most);
}

type Fit = (value: number) => number;

function stepCode(step: number, fit: Fit, most: number): MetricCode {
  // Divided by ten, 3 is 0.3; multiplied by a tenth it is 0.30000000000000004.
  const perUnit = step < 1 ? Math.round(1 / step) : undefined;
  const encode = (value: number): number =>
    Math.round(perUnit === undefined ? fit(value) / step : fit(value) * perUnit);
  const decode = (code: number): number => fit(perUnit === undefined ? code * step : code / perUnit);
  return { encode, decode, most: encode(most), tolerance: 0 };
}

/** 0 is 0; from code to code the value grows by the part, so that the next one is never farther than half of it. */
function partCode(part: number, fit: Fit, most: number): MetricCode {
  const growth = Math.log1p(part);
  const encode = (told: number): number => {
    const value = fit(told);
    return value < leastOfPart / 2 ? 0 : Math.max(1, 1 + Math.round(Math.log(value / leastOfPart) / growth));
  };
  const last = encode(most);
  let values: Float64Array | undefined;
  // Once for all codes: a year's curve decodes a million of them. Rounded, because nobody means the digits behind.
  const table = (): Float64Array =>
    Float64Array.from({ length: last + 1 }, (_, code) =>
      code === 0 ? 0 : fit(Number((leastOfPart * Math.exp((code - 1) * growth)).toPrecision(digits))),
    );
  const decode = (code: number): number => (values ??= table())[code] ?? 0;
  return { encode, decode, most: last, tolerance: 0 };
}

/**
 * The second at which it was zero, which stays while it grows. Clocks are set and minutes come late by a moment: within so many
 * seconds it is the one that is known already.
 */
function ageCode(fit: Fit, most: number): MetricCode {
  return {
    // Before 1970 for a host that has been running for longer than its clock says.
    encode: (value, at) => Math.round(at / 1000 - fit(value)) + most,
    decode: (code, at) => fit(at / 1000 - (code - most)),
    // Behind every time that a number can hold to the millisecond.
    most: 2 ** 44,
    tolerance: 5,
  };
}
