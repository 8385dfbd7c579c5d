import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { ingestFile } from './launched.ts';
import { type Paced, runOpenLoop } from './open-loop.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';
import { scheduleOf, type TickedEvents, tickOf } from './ticks.ts';

const FULL = 100_000;
const QUICK = 2000;
const HEALTH_A_SECOND = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The same game as two sources have it; their starts are too far apart to be one at first. */
const SOURCES = ['one', 'other'] as const;

export const merge: Benchmark = {
  name: 'merge',
  summary:
    'two events of 100,000 records each that an operator makes one, and undoes it: how long, and the loop beside it',
  runs: 1,
  async run({ folder, quick, say }) {
    const records = quick ? QUICK : FULL;
    const data = join(folder, 'data');
    const file = join(folder, 'both.ndjson');
    await writeBoth(file, records);
    const ingested = await ingestFile(data, file, 2 * (records + 1));
    say(`${2 * records} records in the folder after ${ingested.toFixed(1)} s`);
    const server = await startServer({ folder: data });
    try {
      const ask = askOver(server.port, server.ingestKey);
      const read = askOver(server.port, server.key);
      /** Until event 2 answers as the event of this id. */
      const act = async (more: object, answering: number): Promise<number> => {
        const began = performance.now();
        const message = { kind: 'identity', source: 'operator', at: new Date().toISOString(), ...more };
        const { json } = await ask('/ingest/v1/messages?wait=projected', [message]);
        if (json.accepted !== 1) throw new Error(JSON.stringify(json));
        // A wait ends after some seconds.
        while (!json.projected) {
          const { projections } = (await read('/v1/health')).json as { projections: readonly { lag_events: number }[] };
          if (projections.every(({ lag_events }) => lag_events === 0)) break;
          await setTimeout(100);
        }
        const { json: event } = await read('/v1/events/2');
        if (event.id !== answering) throw new Error(`event 2 answers as ${event.id}, not as ${answering}`);
        return (performance.now() - began) / 1000;
      };
      const paced: Paced = { name: 'health', rate: HEALTH_A_SECOND, ask: () => ({ method: 'GET', path: '/healthz' }) };
      const times: Record<string, number> = {};
      const beside = async () => {
        times['merge'] = await act({ action: 'merge', what: 'event', from: 2, into: 1 }, 1);
        say(`merged after ${times['merge']} s`);
        times['undo'] = await act({ action: 'undo', act: 1 }, 2);
      };
      const looking = { port: server.port, paced: [paced], warmUpSeconds: 0, seconds: 0.5, beside };
      const { health } = await runOpenLoop(looking);
      const floor = { what: 'ingest of the same messages from a file', value: ingested };
      return [
        {
          what: `merge of ${records} and ${records} records, until it can be read`,
          value: times['merge']!,
          unit: 's',
          floor,
          goal: { of: 'value', bound: 'at most', number: 60 },
        },
        { what: 'its undo', value: times['undo']!, unit: 's', floor },
        {
          what: '/healthz beside both, p99',
          value: percentile(health!, 0.99),
          unit: 'ms',
          goal: { of: 'value', bound: 'at most', number: 50 },
        },
        { what: '/healthz beside both, the longest', value: percentile(health!, 1), unit: 'ms' },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Both sources tell prices in turn, as two live feeds do. */
async function writeBoth(file: string, records: number): Promise<void> {
  const ticked: TickedEvents = { name: 'm', events: 1, rounds: records, now: Date.now() };
  const begin = ticked.now - HOUR - records * MINUTE;
  function* lines() {
    for (const [index, source] of SOURCES.entries()) {
      const schedule = scheduleOf(ticked, 0, begin);
      const starts_at = new Date(ticked.now + (1 + 7 * index) * HOUR).toISOString();
      yield `${JSON.stringify({ ...schedule, source, starts_at })}\n`;
    }
    for (let round = 0; round < records; round++) {
      for (const [index, source] of SOURCES.entries()) {
        const tick = JSON.parse(tickOf(ticked, index, round, begin + round * MINUTE + index * 1000));
        yield `${JSON.stringify({ ...tick, source, ref: 'm0' })}\n`;
      }
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
