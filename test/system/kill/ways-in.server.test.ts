import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { reportOf, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { differences, dumpFolder } from './dump.ts';
import { seeded } from './generated-feed.ts';
import { shuffledHistories } from './shuffled-histories.ts';

/** RUNS and SEED set how often, and from which seed on. */
const RUNS = Number(process.env['RUNS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const GAMES = 60;
const MINUTES = 60_000;
const env = { INGEST_KEY: 'an-ingest-key-of-the-tests' };

type Server = Awaited<ReturnType<typeof startServer>>;
type Message = Record<string, unknown>;
const linesOf = (messages: readonly Message[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** @returns the report; undefined where the server has not answered */
async function send(url: string, messages: readonly Message[]): Promise<Record<string, number> | undefined> {
  const headers = { authorization: `Bearer ${env.INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
  try {
    const response = await fetch(`${url}/ingest/v1/messages`, { method: 'POST', headers, body: linesOf(messages) });
    return response.status === 200 ? ((await response.json()) as Record<string, number>) : undefined;
  } catch {
    return undefined;
  }
}

/** Two feeders and the command send their thirds, and repeat what was not acknowledged, while the server is killed. */
async function playDoors(folder: string, messages: readonly Message[], random: () => number) {
  let server: Server | undefined = await startServer(folder, env);
  let isOver = false;
  let kills = 0;
  /** Called when a feeder sends: a kill comes while something is being taken in. */
  let sending = () => {};

  async function killing(): Promise<void> {
    for (;;) {
      for (let left = 1000 + random() * 2000; left > 0 && !isOver; left -= 50) await delay(50);
      if (isOver) return;
      await new Promise<void>((resolve) => {
        sending = resolve;
        setTimeout(resolve, 500);
      });
      await delay(random() * 25);
      const victim = server!;
      server = undefined;
      victim.child.kill('SIGKILL');
      await victim.ended;
      kills++;
      server = await startServer(folder, env);
    }
  }

  async function feeding(own: readonly Message[]): Promise<void> {
    for (let from = 0; from < own.length; ) {
      const part = own.slice(from, from + 1 + Math.floor(random() * 30));
      do {
        while (!server) await delay(20);
        sending();
      } while (!(await send(server.url, part)));
      from += part.length;
      await delay(random() * 300);
    }
  }

  async function commanding(own: readonly Message[]): Promise<void> {
    for (let from = 0; from < own.length; from += 120) {
      const input = linesOf(own.slice(from, from + 120));
      while ((await run(['ingest', '--data-dir', folder, '-'], { input })).code !== 0) await delay(20);
      await delay(random() * 500);
    }
  }

  const third = (n: number) => messages.filter((_, index) => index % 3 === n);
  const killed = killing();
  await Promise.all([feeding(third(0)), feeding(third(1)), commanding(third(2))]);
  isOver = true;
  await killed;
  server!.child.kill('SIGTERM');
  await server!.ended;
  return kills;
}

/** All of it, by one command. */
async function ingestAll(folder: string, messages: readonly Message[]) {
  const ended = await run(['ingest', '--data-dir', folder, '-'], { input: linesOf(messages) });
  expect(ended.code, ended.stderr).toBe(0);
  return reportOf(ended);
}

const project = async (folder: string): Promise<void> => {
  const server = await startServer(folder);
  server.child.kill('SIGTERM');
  await server.ended;
};

/** How many documents each read model has. */
const sizes = (documents: ReadonlyMap<string, string>) => {
  const numbers: Record<string, number> = {};
  for (const place of documents.keys()) {
    const [projection] = place.split('/') as [string];
    numbers[projection] = (numbers[projection] ?? 0) + 1;
  }
  return numbers;
};

describe(`two feeders and the command, while the server is killed each 1 to 3 s, ${RUNS} times (SEED ${SEED})`, () => {
  it('fault 22: everything that was acknowledged is in the log, in the documents, or waits as it should', {
    timeout: (1 + RUNS * 2) * MINUTES,
  }, async () => {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const messages = shuffledHistories(seed, GAMES);
      const clean = temporaryFolder();
      await ingestAll(clean, messages);
      await project(clean);
      const undisturbed = await dumpFolder(clean);
      // An injury whose player nobody knows is in the log, and waits for him.
      expect(undisturbed.waiting).toHaveLength(4 * GAMES);

      const folder = temporaryFolder();
      const kills = await playDoors(folder, messages, seeded(seed));
      await project(folder);
      const { documents, facts, waiting } = await dumpFolder(folder);
      // Sent once more, what the log lacks is taken up: because it waits for ever, or because it is nowhere.
      const again = await ingestAll(folder, messages);
      const lost = differences(facts, (await dumpFolder(folder)).facts);
      expect(lost, `lacking after ${kills} kills; ${waiting.length} wait (SEED ${seed})`).toEqual([]);
      expect(again, `(SEED ${seed})`).toMatchObject({ accepted: 0, quarantined: 0, unchanged: messages.length });
      expect(waiting, `waiting (SEED ${seed})`).toEqual(undisturbed.waiting);
      expect(sizes(documents), `documents (SEED ${seed})`).toEqual(sizes(undisturbed.documents));
      expect(await run(['verify', '--data-dir', folder]), `(SEED ${seed})`).toMatchObject({ code: 0 });
      console.log(JSON.stringify({ seed, kills, messages: messages.length }));
    }
  });
});
