import { metricNames, type MetricName, type MetricValues } from "@gatehouse/contract";
import { Random } from "../support/random.ts";

const day = 24 * 60;
const gigabyte = 10 ** 9;

/** One host's signals, minute by minute: the same seed gives the same values. */
export class SimulatedHost {
  readonly #random: Random;
  readonly #cores: number;
  readonly #memoryTotal: number;
  readonly #diskTotal: number;
  /** Hosts work at different hours of the day, some not at all. */
  readonly #rhythm: { readonly share: number; readonly peak: number };
  readonly #traffic: number;
  #cpu: number;
  #load = 0;
  #memory: number;
  #disk: number;
  #bootedAt: number;
  /** Minutes for which nothing is measured any more. */
  #away = 0;

  constructor(seed: number, number: number, startedAt: number) {
    const random = new Random(seed, number);
    this.#random = random;
    this.#cores = 2 ** random.below(6);
    this.#memoryTotal = this.#cores * 4 * gigabyte;
    this.#diskTotal = (20 + random.below(2_000)) * gigabyte;
    this.#rhythm = { share: random.next(), peak: random.below(day) };
    this.#traffic = Math.exp(4 + 10 * random.next());
    this.#cpu = 1 + 30 * random.next() ** 2;
    this.#memory = 10 + random.below(70);
    this.#disk = 5 + random.below(60);
    this.#bootedAt = startedAt - random.below(90 * day) * 60_000;
  }

  /** What it measures at this minute; undefined while it is away. Minutes come in their order. */
  measure(at: number): MetricValues | undefined {
    const random = this.#random;
    if (this.#away > 0) {
      this.#away -= 1;
      if (this.#away === 0 && random.chance(0.5)) this.#bootedAt = at - random.below(40_000);
      return undefined;
    }
    // About one a week, from a minute to half a day.
    if (random.chance(1 / (7 * day))) this.#away = Math.ceil(Math.exp(random.next() * 6.5));
    const hours = (2 * Math.PI * ((at / 60_000 + this.#rhythm.peak) % day)) / day;
    const busy = 1 + this.#rhythm.share * Math.sin(hours);
    const cpu = clip(
      this.#cpu * busy * Math.exp(0.25 * noise(random)) + (random.chance(0.02) ? 40 * random.next() : 0),
    );
    this.#load += (((cpu / 100) * this.#cores * (1 + 0.2 * noise(random)) - this.#load) * 2) / 3;
    this.#memory = clip(this.#memory + 0.08 * noise(random) + (random.chance(0.003) ? 5 * noise(random) : 0), 5, 95);
    this.#disk = clip(this.#disk + (random.chance(1 / (3 * day)) ? -2 : 0.0007 * random.next()), 2, 97);
    const net = this.#traffic * busy;
    const netIn = net * Math.exp(0.6 * noise(random));
    const netOut = net * 0.4 * Math.exp(0.6 * noise(random));
    // Read a moment after the minute, as a busy host does.
    const uptime = Math.max(0, (at - this.#bootedAt) / 1000 + random.next() * 1.5);
    const [memory, memoryTotal, disk, diskTotal] = [this.#memory, this.#memoryTotal, this.#disk, this.#diskTotal];
    // As `order` says.
    return [cpu, this.#load, memory, memoryTotal, disk, diskTotal, netIn, netOut, uptime, this.#cores];
  }
}

const order: readonly MetricName[] = [
  "cpu",
  "load",
  "memory",
  "memoryTotal",
  "disk",
  "diskTotal",
  "netIn",
  "netOut",
  "uptime",
  "cores",
];
if (order.join() !== metricNames.join()) throw new Error("a simulated host does not measure what the contract names");

/** Around 0, with a deviation of 1. */
function noise(random: Random): number {
  return (random.next() + random.next() - 1) * Math.sqrt(6);
}

function clip(value: number, least = 0, most = 100): number {
  return Math.min(Math.max(value, least), most);
}
