import { join } from 'node:path';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { bodyOf } from './event-requests.ts';
import { ingestFile } from './launched.ts';
import { type LiveRun, type LiveTimes, liveLoad } from './live-load.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';
import { takenIn } from './ticked-folder.ts';
import { messagesOf, type TickedEvents, writeTicks } from './ticks.ts';

interface Sizes {
  readonly events: number;
  /** Odds records of each event that are there before the feed begins. */
  readonly records: number;
  readonly ticksASecond: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Odds records of each event in a file that is imported beside, which has as many events again. */
  readonly imported: number;
}
const FULL: Sizes = {
  events: 200,
  records: 5000,
  ticksASecond: 500,
  imported: 500,
  warmUpSeconds: 15,
  seconds: 120,
};
const QUICK: Sizes = { events: 20, records: 100, ticksASecond: 100, warmUpSeconds: 2, seconds: 4, imported: 100 };

const MB = 1_000_000;

export const liveOdds: Benchmark = {
  name: 'live-odds',
  summary: '500 ticks a second over 200 events with 5,000 odds records each, readers beside; the same under an import',
  // Long, and of many samples: all after the warm-up count.
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const now = Date.now();
    const data = join(folder, 'data');
    const ticked = await takenIn(data, { name: 'live', events: sizes.events, rounds: sizes.records, now });
    say(`${messagesOf(ticked)} messages in the folder after ${ticked.seconds.toFixed(0)} s`);
    const files: { readonly file: string; readonly messages: number }[] = [];
    for (const name of ['first', 'second']) {
      const other = { name, events: sizes.events, rounds: sizes.imported, now };
      const file = join(folder, `${name}.ndjson`);
      await writeTicks(file, other);
      files.push({ file, messages: messagesOf(other) });
    }
    const server = await startServer({ folder: data });
    const burner = { stop: async () => {} };
    try {
      const { warmUpSeconds, seconds, ticksASecond } = sizes;
      const load = liveLoad(server, ticked);
      const run = (what: string, more: Pick<LiveRun, 'feed'>) => {
        say(what);
        return load.run({ warmUpSeconds, seconds, ...more });
      };
      const alone = await run('reads alone', { feed: 0 });
      const fed = await run('reads and the feed', { feed: ticksASecond });
      Object.assign(burner, await startChild('core-burner', {}));
      const burnt = await run('reads beside a process that burns a core', { feed: 0 });
      await burner.stop();
      const imports: { readonly times: LiveTimes; readonly rate: number }[] = [];
      for (const [index, { file, messages }] of files.entries()) {
        const feed = index === 0 ? 0 : ticksASecond;
        say(`reads${feed > 0 ? ', the feed' : ''} and an import of ${messages} messages`);
        let taken = 0;
        const beside = async () => {
          taken = await ingestFile(data, file, messages);
        };
        const times = await load.run({ warmUpSeconds, seconds: 0, feed, beside });
        imports.push({ times, rate: messages / taken });
      }
      await load.check();
      say('the floor');
      const floor = await measureFloor(folder, await bodyOf(server.port, server.key, '/v1/events/1/odds'), ticked, {
        warmUpSeconds,
        seconds,
        feed: ticksASecond,
      });
      const taking = { what: 'the command that takes them in', value: messagesOf(ticked) / ticked.seconds };
      return [
        { what: 'ingest into an empty folder', value: taking.value, unit: 'messages/s' },
        ...feedFigures('the feed', fed, floor, 50),
        readsFigure('reads alone', alone, { what: 'bare node:http beside its feed', value: p99(floor.reads) }),
        {
          ...readsFigure('reads and the feed', fed, {
            what: 'alone, 8 at least',
            value: Math.max(8, p99(alone.reads)),
          }),
          goal: { of: 'ratio', bound: 'at most', number: 3 },
        },
        readsFigure('reads beside a process that burns a core', burnt, { what: 'alone', value: p99(alone.reads) }),
        ...imports.flatMap(({ times, rate }, index) => {
          const what = index === 0 ? 'an import' : 'an import and the feed';
          const reads = readsFigure(`reads beside ${what}`, times, {
            what: 'beside the burner',
            value: p99(burnt.reads),
          });
          const bound = Math.max(100, 3 * p99(burnt.reads));
          return [
            index === 0 ? { ...reads, goal: { of: 'value', bound: 'at most', number: bound } as const } : reads,
            ...(index === 0 ? [] : feedFigures('the feed beside an import', times, floor)),
            {
              what: `the import, beside reads${index === 0 ? '' : ' and the feed'}`,
              value: rate,
              unit: 'messages/s',
              floor: taking,
            },
          ];
        }),
        ...[
          ['alone', alone],
          ['with the feed', fed],
          ['with an import', imports[0]!.times],
          ['with an import and the feed', imports[1]!.times],
        ].flatMap(([what, times]) => loopFigures(what as string, times as LiveTimes)),
      ] satisfies Figure[];
    } finally {
      await burner.stop();
      await server.stop();
    }
  },
};

/** The same load on a server that has nothing to find out. */
async function measureFloor(folder: string, body: Buffer, ticked: TickedEvents, run: LiveRun): Promise<LiveTimes> {
  const bare = await startChild('bare-live', { folder, body });
  try {
    return await liveLoad({ ...bare, key: 'none', ingestKey: 'none' }, ticked).run(run);
  } finally {
    await bare.stop();
  }
}

const p99 = (times: readonly number[]): number => percentile([...times], 0.99);

function feedFigures(what: string, times: LiveTimes, floor: LiveTimes, most?: number): Figure[] {
  return [0.5, 0.99, 0.999].map((share) => ({
    what: `${what}, due to acknowledged, p${share * 100}`,
    value: percentile(times.acknowledgements, share),
    unit: 'ms',
    floor: { what: 'node:http that writes and flushes', value: percentile(floor.acknowledgements, share) },
    ...(share === 0.99 && most !== undefined ? { goal: { of: 'value', bound: 'at most', number: most } as const } : {}),
  }));
}

const readsFigure = (what: string, times: LiveTimes, floor: Figure['floor']): Figure => ({
  what: `${what}, p99`,
  value: p99(times.reads),
  unit: 'ms',
  floor,
});

function loopFigures(what: string, times: LiveTimes): Figure[] {
  const most = what === 'with an import' ? { goal: { of: 'value', bound: 'at most', number: 600 } as const } : {};
  return [
    { what: `/healthz ${what}, p99`, value: p99(times.health), unit: 'ms' },
    { what: `/healthz ${what}, the longest`, value: percentile(times.health, 1), unit: 'ms' },
    { what: `memory of the server ${what}, at most`, value: times.memory / MB, unit: 'MB', ...most },
  ];
}
