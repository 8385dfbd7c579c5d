import { once } from 'node:events';
import { join } from 'node:path';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { launch } from './launched.ts';
import { peakMemoryOf } from './process-usage.ts';
import { startServer } from './server.ts';
import { writeTicks } from './ticks.ts';

const EVENTS = { full: 250_000, quick: 2000 };
const MB = 1_000_000;
const LOOK_EVERY_MS = 200;

/** Each event has two teams of its own, which is more than any league brings. */
export const newEvents: Benchmark = {
  name: 'new-events',
  summary: '250,000 new events with their teams, from a file until they can be read',
  runs: 1,
  async run({ folder, quick, say }) {
    const events = quick ? EVENTS.quick : EVENTS.full;
    const data = join(folder, 'data');
    const file = join(folder, 'events.ndjson');
    await writeTicks(file, { name: 'new', events, rounds: 0, now: Date.now() });
    const begun = performance.now();
    const command = launch('ingest', [file], { folder: data }, ['ignore', 'ignore', 'inherit']);
    let ofCommand = 0;
    const looking = setInterval(() => {
      ofCommand = peakMemoryOf(command.pid!);
    }, LOOK_EVERY_MS);
    command.once('exit', () => clearInterval(looking));
    const [code] = await once(command, 'exit');
    if (code !== 0) throw new Error(`ingest ended with ${code}`);
    const taken = performance.now() - begun;
    say(`taken in after ${(taken / 1000).toFixed(1)} s; the first start`);
    const server = await startServer({ folder: data });
    try {
      const { json } = await askOver(server.port, server.key)(`/v1/events/${events}`);
      if (json.id !== events) throw new Error(`not event ${events}: ${JSON.stringify(json).slice(0, 300)}`);
      const seconds = (performance.now() - begun) / 1000;
      return [
        {
          what: `${events.toLocaleString('en')} new events, from a file until all can be read`,
          value: seconds,
          unit: 's',
          goal: { of: 'value', bound: 'at most', number: 90 },
        },
        { what: 'of it the command', value: taken / 1000, unit: 's' },
        {
          what: 'memory at its peak, of the command and of the server',
          value: Math.max(ofCommand, peakMemoryOf(server.pid)) / MB,
          unit: 'MB',
          goal: { of: 'value', bound: 'at most', number: 600 },
        },
      ] satisfies Figure[];
    } finally {
      await server.stop();
    }
  },
};
