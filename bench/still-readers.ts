import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, Figure } from './benchmark.ts';
import { feedMessages } from './feed-messages.ts';
import { schedule, score } from './score-feed.ts';
import { type Server, startServer } from './server.ts';

interface Sizes {
  readonly readers: number;
  readonly changes: number;
}
const FULL: Sizes = { readers: 30, changes: 50_000 };
const QUICK: Sizes = { readers: 5, changes: 1000 };

const EVENTS = 10;
const MB = 1_000_000;
const LOOK_EVERY_MS = 200;

/** Each kind has readers that open a stream and never read, while as many changes happen as no reader would miss. */
const KINDS = [
  { what: 'score streams', path: (n: number) => `/v1/events/${1 + (n % EVENTS)}/stream`, goal: 64 },
  { what: 'streams of all changes', path: () => '/v1/stream', goal: undefined },
] as const;

export const stillReaders: Benchmark = {
  name: 'still-readers',
  summary: '30 readers of streams that stand still while there are 50,000 changes: what the server keeps for them',
  runs: 1,
  async run({ folder, quick, say }) {
    const sizes = quick ? QUICK : FULL;
    const server = await startServer({ folder: join(folder, 'data') });
    try {
      const ids = Array.from({ length: EVENTS }, (_, n) => n + 1);
      await feedMessages(server, [...ids.map(schedule), ...ids.map((id) => score(id, 0))]);
      const figures: Figure[] = [];
      let points = 0;
      const grow = async () => {
        const before = await server.memory();
        let most = before;
        let isOver = false;
        const looking = (async () => {
          for (; !isOver; await delay(LOOK_EVERY_MS)) most = Math.max(most, await server.memory());
        })();
        const messages = Array.from({ length: sizes.changes }, (_, n) => score(1 + (n % EVENTS), ++points));
        await feedMessages(server, messages);
        isOver = true;
        await looking;
        return (most - before) / MB;
      };
      say('changes that nobody follows');
      // Twice: the first fills the heap, as any work does.
      await grow();
      const without = await grow();
      for (const { what, path, goal } of KINDS) {
        say(what);
        const readers = await Promise.all(Array.from({ length: sizes.readers }, (_, n) => standStill(server, path(n))));
        const grown = await grow();
        for (const reader of readers) reader.destroy();
        figures.push({
          what: `${sizes.readers} ${what} that nobody reads, ${sizes.changes.toLocaleString('en')} changes: growth`,
          value: grown,
          unit: 'MB',
          floor: { what: 'without readers', value: without },
          ...(goal && { goal: { of: 'value', bound: 'at most', number: goal } as const }),
        });
      }
      return figures;
    } finally {
      await server.stop();
    }
  },
};

/** Opens a stream, and reads nothing of it. */
function standStill({ port, key }: Server, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
