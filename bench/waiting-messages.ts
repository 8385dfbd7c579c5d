import { once } from 'node:events';
import { join } from 'node:path';
import { askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { launch, reportOf, runLaunched } from './launched.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';
import { writeTicks } from './ticks.ts';

const FULL = { messages: 1_000_000, events: 1000 };
const QUICK = { messages: 5000, events: 10 };
const MB = 1_000_000;
const LOOKS = 100;

export const waitingMessages: Benchmark = {
  name: 'waiting',
  summary: '1,000,000 messages that wait for their events: the start, memory, and what tells of them',
  runs: 1,
  async run({ folder, quick, say }) {
    const { messages, events } = quick ? QUICK : FULL;
    const data = join(folder, 'waiting');
    const file = join(folder, 'waiting.ndjson');
    // Odds of events that nobody has told of.
    await writeTicks(file, { name: 'waiting', events, rounds: messages / events, now: Date.now() }, false);
    const ingest = await runLaunched('ingest', [file], { folder: data });
    if (reportOf(ingest.output).quarantined !== messages) throw new Error(`not all ${messages} wait: ${ingest.output}`);
    say(`${messages} messages wait since ${ingest.seconds.toFixed(0)} s`);

    const began = performance.now();
    const server = await startServer({ folder: data });
    const start = (performance.now() - began) / 1000;
    try {
      const ask = askOver(server.port, server.key);
      const looks: number[] = [];
      for (let n = 0; n < LOOKS; n++) {
        const { ms, json } = await ask('/v1/health');
        const told = JSON.stringify(json);
        if (!told.includes(String(messages))) throw new Error(`health tells of other messages: ${told}`);
        looks.push(ms);
      }
      const audit = await audited(data, messages);
      return [
        { what: 'taken in by the command', value: messages / ingest.seconds, unit: 'messages/s' },
        {
          what: 'the start, until it is ready',
          value: start,
          unit: 's',
          goal: { of: 'value', bound: 'at most', number: 5 },
        },
        { what: '/v1/health, p50', value: percentile(looks, 0.5), unit: 'ms' },
        { what: '/v1/health, the longest', value: Math.max(...looks), unit: 'ms' },
        {
          what: 'memory of the server after it',
          value: (await server.memory()) / MB,
          unit: 'MB',
          goal: { of: 'value', bound: 'at most', number: 400 },
        },
        { what: 'audit quarantine, until it says what they wait for', value: audit.firstSeconds, unit: 's' },
        { what: 'audit quarantine, all of them', value: audit.seconds, unit: 's' },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** @throws Error unless it tells how many wait, and lists them all */
async function audited(folder: string, messages: number) {
  const began = performance.now();
  const child = launch('audit', ['quarantine'], { folder }, ['ignore', 'pipe', 'inherit']);
  let firstSeconds = 0;
  let head = '';
  let lines = 0;
  child.stdout!.on('data', (chunk: Buffer) => {
    if (head.length < 2000) head += chunk;
    firstSeconds ||= (performance.now() - began) / 1000;
    for (const byte of chunk) if (byte === 0x0a) lines++;
  });
  const [code] = await once(child, 'close');
  if (code !== 0 || !head.startsWith(`${messages} messages wait`) || lines < messages) {
    throw new Error(`audit quarantine ended with ${code} after ${lines} lines: ${head.slice(0, 500)}`);
  }
  return { firstSeconds, seconds: (performance.now() - began) / 1000 };
}
