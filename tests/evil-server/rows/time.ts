import { setBack, shifted } from "./clocks.ts";
import type { Found } from "./found.ts";
import { newTask, orderFor, signedTask, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, serverCeiling } from "./row-host.ts";
import { withApprovals } from "./statements.ts";

const minute = 60_000;
/** Far from every limit: however busy the machine is, no row ends on its other side. */
const hour = 60 * minute;
const day = 24 * hour;

interface Times {
  readonly issuedAt?: number;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** Ada signs with these times, each counted from now. */
async function at({ open }: RowGround, wish: HostWish, ...all: readonly Times[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const times of all) {
    const host = await open(wish);
    const now = Date.now();
    const moved = Object.fromEntries(
      Object.entries(times as Record<string, number>).map(([name, ms]) => [name, now + ms]),
    );
    found.push(await host.change(await signedTask(host, moved)));
  }
  return found;
}

/** The same of an order, where the server counts. */
const ordered = (
  ground: RowGround,
  times: { readonly notBefore: number; readonly notAfter: number },
): Promise<Found[]> =>
  withApprovals(ground, { ceiling: serverCeiling }, (host, plan) =>
    orderFor(host, plan, { notBefore: Date.now() + times.notBefore, notAfter: Date.now() + times.notAfter }),
  );

export const time: RowFamily = {
  name: "time",
  control: {
    does: "approvals at the very ends of their time, and a clock that was set back by four minutes",
    expects: "applied",
    mayChange: usualChange,
    attack: async (ground) => [
      ...(await at(
        ground,
        {},
        { issuedAt: 4 * minute },
        { notBefore: minute },
        { issuedAt: -20 * day, notBefore: -20 * day, notAfter: 10 * day },
      )),
      ...(await at(ground, { before: setBack(4 * minute) }, { notAfter: 6 * minute })),
    ],
  },
  rows: [
    {
      row: 121,
      does: "an approval after its end, and an order after its own",
      expects: "time.expired",
      attack: async (ground) => [
        ...(await at(ground, {}, { issuedAt: -day, notBefore: -day, notAfter: -1 })),
        ...(await ordered(ground, { notBefore: -day, notAfter: -1 })),
      ],
    },
    {
      row: 122,
      does: "an approval before its beginning, and an order before its own",
      expects: "time.early",
      attack: async (ground) => [
        ...(await at(ground, {}, { notBefore: hour, notAfter: day })),
        ...(await ordered(ground, { notBefore: hour, notAfter: day })),
      ],
    },
    {
      row: 123,
      does: "a clock that was set back by more than five minutes",
      expects: "time.clock_behind",
      attack: (ground) => at(ground, { before: setBack(hour) }, {}),
    },
    {
      row: 124,
      does: "a clock that was set back by four minutes, to a time when the approval still held",
      expects: "time.expired",
      attack: (ground) => at(ground, { before: setBack(4 * minute) }, { notAfter: 2 * minute }),
    },
    {
      row: 126,
      does: "a clock that was set two hours ahead, to open a window early: what was approved, once",
      expects: ["applied", "use.spent"],
      mayChange: usualChange,
      attack: async ({ open }) => {
        const host = await open({ before: shifted("+2h") });
        const made = await signedTask(host, { notBefore: Date.now() + hour, notAfter: Date.now() + 3 * hour });
        return [await host.change(made), await host.change({ ...made, task: newTask(host) })];
      },
    },
    {
      row: 128,
      does: "a clock that was never set",
      expects: "time.clock_unset",
      attack: (ground) => at(ground, { before: shifted("-20y") }, {}),
    },
    {
      row: 127,
      does: "a clock that was set far ahead, and back again",
      expects: "time.clock_behind",
      attack: (ground) => at(ground, { before: setBack(3_650 * day) }, { notAfter: day }),
    },
    {
      row: 129,
      does: "an approval that says it was issued in a year",
      expects: "time.issued_in_future",
      attack: (ground) =>
        at(ground, {}, { issuedAt: 365 * day, notAfter: 390 * day }, { issuedAt: hour, notAfter: day }),
    },
    {
      row: 130,
      does: "an approval for a year, and an order for a year",
      expects: "time.too_long",
      attack: async (ground) => [
        ...(await at(ground, {}, { notAfter: 365 * day }, { notAfter: 31 * day + hour })),
        ...(await ordered(ground, { notBefore: 0, notAfter: 365 * day })),
      ],
    },
  ],
};
