import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HEAP_FLAG } from '../src/server/bin/server-flags.mjs';
import type { Benchmark, Figure } from './benchmark.ts';
import { fillWithEvents } from './event-detail-folder.ts';
import { type DetailSizes, measureDetail } from './event-detail-load.ts';
import { liveLoad } from './live-load.ts';
import { percentile } from './percentile.ts';
import { median, spreadOf } from './runs.ts';
import { START_FLAGS, startServer } from './server.ts';
import { takenIn } from './ticked-folder.ts';
import type { TickedEvents } from './ticks.ts';

interface Sizes {
  readonly rounds: number;
  readonly detail: DetailSizes;
  readonly events: number;
  readonly records: number;
  readonly ticksASecond: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}
const FULL: Sizes = {
  rounds: 5,
  events: 50,
  records: 1000,
  ticksASecond: 500,
  warmUpSeconds: 10,
  seconds: 30,
  detail: { events: 5000, warm: 1000, warmRequests: 10_000, passes: 5 },
};
const QUICK: Sizes = {
  rounds: 2,
  events: 10,
  records: 20,
  ticksASecond: 50,
  warmUpSeconds: 0.5,
  seconds: 1,
  detail: { events: 100, warm: 20, warmRequests: 100, passes: 1 },
};

/** What V8 does where it is told nothing. */
const V8_HEAP = '--heap-growing-percent=0';

/** Ways to start the server: as users do, and with one flag left out. The launcher's own is left out by V8's. */
const WAYS: readonly { readonly without: string | undefined; readonly flags: readonly string[] }[] = [
  { without: undefined, flags: START_FLAGS },
  ...START_FLAGS.map((flag) => ({ without: flag, flags: START_FLAGS.filter((other) => other !== flag) })),
  { without: HEAP_FLAG, flags: [...START_FLAGS, V8_HEAP] },
];

/** What is looked at, and its unit. */
const LOOKED_AT = {
  'event detail, cold': 'answers/s',
  'event detail, asked again': 'answers/s',
  'live odds, acknowledged p99': 'ms',
  'live odds, reads p99': 'ms',
  'live odds, /healthz p99': 'ms',
  'live odds, memory at most': 'MB',
} as const;
type Looked = keyof typeof LOOKED_AT;

export const v8Flags: Benchmark = {
  name: 'v8-flags',
  summary: 'each flag of V8 that the server is started with, on and off, under event-detail and live-odds',
  // It runs several rounds itself, in turn, and compares their spreads.
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const events = join(folder, 'events');
    const live = join(folder, 'live');
    await fillWithEvents(events, sizes.detail.events + sizes.detail.warm);
    const ticked = await takenIn(live, { name: 'f', events: sizes.events, rounds: sizes.records, now: Date.now() });
    const seen = WAYS.map(() => new Map<Looked, number[]>());
    for (let round = 0; round < sizes.rounds; round++) {
      for (const [index, { without, flags }] of WAYS.entries()) {
        say(
          `round ${round + 1} of ${sizes.rounds}, ${without === undefined ? 'as users start it' : `without ${without}`}`,
        );
        const found = await measureOnce({ folder, events, live, ticked, flags, sizes });
        for (const [what, value] of Object.entries(found) as [Looked, number][]) {
          seen[index]!.set(what, [...(seen[index]!.get(what) ?? []), value]);
        }
      }
    }
    const [all, ...others] = seen;
    return others.flatMap((other, index) => compare(WAYS[index + 1]!.without!, all!, other));
  },
};

interface Once {
  readonly folder: string;
  readonly events: string;
  readonly live: string;
  readonly ticked: TickedEvents;
  readonly flags: readonly string[];
  readonly sizes: Sizes;
}

async function measureOnce({ folder, events, live, ticked, flags, sizes }: Once): Promise<Record<Looked, number>> {
  const { cold, kept } = await measureDetail(events, sizes.detail, '', flags);
  // Every way meets the same history.
  const copy = join(folder, 'copy');
  cpSync(live, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const server = await startServer({ folder: copy, flags });
  try {
    const { warmUpSeconds, seconds, ticksASecond } = sizes;
    const load = liveLoad(server, ticked);
    const times = await load.run({ warmUpSeconds, seconds, feed: ticksASecond });
    await load.check();
    return {
      'event detail, cold': cold,
      'event detail, asked again': kept,
      'live odds, acknowledged p99': percentile(times.acknowledgements, 0.99),
      'live odds, reads p99': percentile(times.reads, 0.99),
      'live odds, /healthz p99': percentile(times.health, 0.99),
      'live odds, memory at most': times.memory / 1e6,
    };
  } finally {
    await server.stop();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** An effect is larger than the spread where no run with the flag lies among those without. */
function compare(flag: string, on: ReadonlyMap<Looked, number[]>, off: ReadonlyMap<Looked, number[]>): Figure[] {
  return [...on].map(([what, values]) => {
    const others = off.get(what)!;
    const [ours, theirs] = [spreadOf(values), spreadOf(others)];
    const isApart = ours.least > theirs.most || ours.most < theirs.least;
    return {
      what: `${flag}: ${what}${isApart ? ', apart' : ''}`,
      value: median(values),
      unit: LOOKED_AT[what],
      spread: ours,
      floor: { what: `without, ${Math.round(theirs.least)}-${Math.round(theirs.most)}`, value: median(others) },
    };
  });
}
