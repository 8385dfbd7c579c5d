import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Benchmark } from './benchmark.ts';
import { launch, reportOf } from './launched.ts';
import { usageOf } from './process-usage.ts';
import { scheduleOf, type TickedEvents, tickOf } from './ticks.ts';

interface Sizes {
  readonly events: number;
  readonly bytes: number;
}
const FULL: Sizes = { events: 200, bytes: 1_000_000_000 };
const QUICK: Sizes = { events: 10, bytes: 4_000_000 };

const PLAYERS = 26;
const STATS = ['points', 'rebounds', 'assists', 'steals', 'blocks', 'turnovers', 'fouls', 'minutes'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LOOK_EVERY_MS = 50;
const MB = 1_000_000;

export const largeFile: Benchmark = {
  name: 'large-file',
  summary: 'ingest of 1 GB of box scores and odds, many versions of the same: how far its memory grows',
  runs: 1,
  async run({ folder, quick, say }) {
    const { events, bytes } = quick ? QUICK : FULL;
    const ticked: TickedEvents = { name: 'large', events, rounds: 100_000, now: Date.now() };
    const small = join(folder, 'small.ndjson');
    const large = join(folder, 'large.ndjson');
    await writeFile(small, ticked, 0);
    const messages = await writeFile(large, ticked, bytes);
    say(`${messages} messages in a file of ${(bytes / MB).toFixed(0)} MB`);
    const before = await ingested(join(folder, 'small'), small, events);
    const after = await ingested(join(folder, 'large'), large, messages);
    return [
      { what: 'rate', value: bytes / MB / after.seconds, unit: 'MB/s' },
      { what: 'messages', value: messages / after.seconds, unit: 'messages/s' },
      { what: 'memory at most', value: after.memory / MB, unit: 'MB' },
      {
        what: 'memory beyond that of the schedules alone',
        value: (after.memory - before.memory) / MB,
        unit: 'MB',
        goal: { of: 'value', bound: 'at most', number: 300 },
      },
    ];
  },
};

/** Schedules, then rounds of a tick and a whole box score of each event, until there are so many bytes. */
async function writeFile(file: string, ticked: TickedEvents, bytes: number): Promise<number> {
  let messages = 0;
  function* pieces() {
    const begin = ticked.now - 100 * 24 * HOUR;
    for (let event = 0; event < ticked.events; event++, messages++) {
      yield `${JSON.stringify(scheduleOf(ticked, event, begin))}\n`;
    }
    for (let round = 0, written = 0; written < bytes; round++) {
      for (let event = 0; event < ticked.events && written < bytes; event++, messages += 2) {
        const at = begin + round * MINUTE;
        const lines = `${tickOf(ticked, event, round, at)}\n${boxOf(ticked, event, round, at)}\n`;
        written += lines.length;
        yield lines;
      }
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(file));
  return messages;
}

/** Every player's figures grow from round to round, each at a pace of its own. */
function boxOf({ name }: TickedEvents, event: number, round: number, at: number): string {
  const statsOf = (player: number) =>
    Object.fromEntries(STATS.map((stat, index) => [stat, Math.floor((round * (1 + ((player + index) % 5))) / 7)]));
  const players = Array.from({ length: PLAYERS }, (_, player) => ({
    ref: `${name}${event}p${player}`,
    name: `Player ${player} of ${event}`,
    role: player % 2 === 0 ? 'home' : 'away',
    starter: player < 10,
    stats: statsOf(player),
  }));
  const teams = { home: statsOf(100), away: statsOf(101) };
  return JSON.stringify({
    kind: 'box',
    source: 'bench',
    at: new Date(at).toISOString(),
    ref: `${name}${event}`,
    teams,
    players,
  });
}

/** Seconds, and the most memory that was seen in bytes. @throws Error unless all messages were accepted */
async function ingested(folder: string, file: string, messages: number) {
  const began = performance.now();
  const child = launch('ingest', [file], { folder }, ['ignore', 'pipe', 'ignore']);
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  let memory = 0;
  const looking = setInterval(() => {
    try {
      memory = Math.max(memory, usageOf(child.pid!).memory || 0);
    } catch {
      // It has just ended.
    }
  }, LOOK_EVERY_MS);
  await once(child, 'close');
  clearInterval(looking);
  const { accepted } = reportOf(output);
  if (accepted !== messages) throw new Error(`not all ${messages} were accepted: ${output}`);
  return { seconds: (performance.now() - began) / 1000, memory };
}
