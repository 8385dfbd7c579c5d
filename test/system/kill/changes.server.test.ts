import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Change, createClient } from '../../../src/api/client/index.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { decodeChange, encodeChanges } from '../../../src/read-models/change-feed/encoded-change.ts';
import { createRecordMapper } from '../../../src/read-models/change-feed/record-mapper.ts';
import { recordsAfter } from '../../../src/server/cli/replay.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { freePort, launch, run, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { seeded } from './generated-feed.ts';

const KILLS = Number(process.env['KILL_CHANGES'] ?? 4);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const INGEST_KEY = 'an-ingest-key-of-the-tests';
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;
const EVENTS = 6;

/** A server on one port and one folder, which is killed and started again. */
class World {
  readonly folder = temporaryFolder();
  readonly random = seeded(SEED);
  readonly url: string;
  readonly #port: number;
  #launched: ReturnType<typeof launch> | undefined;
  #facts = 0;

  constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const env = { BOOTSTRAP_KEY, INGEST_KEY, FEEDS: 'none', LOG_LEVEL: 'error', PORT: String(this.#port) };
    this.#launched = launch(['start', '--data-dir', this.folder], env);
    await this.#launched.has('\nready');
  }

  async kill(): Promise<void> {
    this.#launched!.child.kill('SIGKILL');
    const { stderr } = await this.#launched!.ended;
    expect(stderr, 'errors in the log').toBe('');
  }

  async feed(messages: readonly object[], query = ''): Promise<void> {
    const response = await fetch(`${this.url}/ingest/v1/messages${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    expect(response.status, await response.text()).toBe(200);
  }

  schedules(): object[] {
    return Array.from({ length: EVENTS }, (_, n) => ({
      kind: 'schedule',
      source: 'kill',
      at: new Date().toISOString(),
      sport: 'nba',
      league: 'nba',
      ref: `g${n}`,
      starts_at: new Date(Date.now() - 60_000).toISOString(),
      participants: [
        { role: 'home', name: `Home ${n}` },
        { role: 'away', name: `Away ${n}` },
      ],
    }));
  }

  /** Some facts, each another than those before. */
  facts(): object[] {
    const at = new Date().toISOString();
    return Array.from({ length: 1 + Math.floor(this.random() * 8) }, () => {
      const n = ++this.#facts;
      const event = Math.floor(this.random() * EVENTS);
      const base = { source: 'kill', at };
      const draw = this.random();
      if (draw < 0.1) {
        const player = { player: `Player ${n}`, status: 'out' };
        return { ...base, kind: 'injury', sport: 'nba', league: 'nba', team: `Home ${event}`, ...player };
      }
      const ref = `g${event}`;
      if (draw < 0.5) {
        const prices = [
          { outcome: 'home', price: -100 - n },
          { outcome: 'away', price: 100 + n },
        ];
        return { ...base, ref, kind: 'odds', bookmaker: 'pinnacle', markets: [{ key: 'h2h', outcomes: prices }] };
      }
      const scores = [
        { role: 'home', score: String(n) },
        { role: 'away', score: '0' },
      ];
      return { ...base, ref, kind: 'score', status: 'inprogress', period: '1', scores };
    });
  }

  /** Feeds until the server is gone. */
  async feedUntilGone(): Promise<void> {
    for (;;) {
      try {
        await this.feed(this.facts());
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }
}

/** All that the log has to tell. */
async function toldByLog(folder: string): Promise<readonly object[]> {
  const parts = await openForReading(readConfig({}, folder));
  try {
    const toldOf = createRecordMapper(parts);
    const records: LogRecord[] = [];
    for await (const record of recordsAfter(parts.log, null)) records.push(record);
    return encodeChanges(await toldOf(records, () => true)).map(decodeChange);
  } finally {
    await parts.close();
  }
}

/** Asks for page after page, over all restarts. */
async function poll(world: World, got: Change[], isOver: () => boolean): Promise<void> {
  const client = createClient({ baseUrl: world.url, apiKey: BOOTSTRAP_KEY, maxRetries: 0 });
  for (let after = '0'; !isOver(); ) {
    try {
      const page = await client.listChanges({ after, limit: 20 });
      got.push(...page.changes);
      after = page.next_after;
      if (!page.has_more) await delay(20);
    } catch {
      await delay(100);
    }
  }
}

/** Follows the stream, which opens itself again. */
async function follow(world: World, got: Change[], signal: AbortSignal, only: object = {}): Promise<void> {
  const client = createClient({ baseUrl: world.url, apiKey: BOOTSTRAP_KEY, maxRetries: 1000 });
  try {
    for await (const change of client.streamChanges({ after: '0', ...only }, { signal })) got.push(change);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

it(
  `killed ${KILLS} times: pages and streams give each change once, in order, and those of the log (seed ${SEED})`,
  async () => {
    const world = new World(await freePort());
    await world.start();
    await world.feed(world.schedules());
    const [paged, streamed, lines]: [Change[], Change[], Change[]] = [[], [], []];
    const over = new AbortController();
    const { signal } = over;
    const reading = Promise.all([
      poll(world, paged, () => signal.aborted),
      follow(world, streamed, signal),
      follow(world, lines, signal, { types: 'line_move' }),
    ]);
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const feeding = world.feedUntilGone();
        await delay(300 + world.random() * 900);
        await world.kill();
        await feeding;
        await world.start();
      }
      await world.feed(world.facts(), '?wait=projected');
      const expected = await toldByLog(world.folder);
      const ofLines = expected.filter((change) => (change as Change).type === 'line_move');
      const counts = () => [paged.length, streamed.length, lines.length];
      await expect
        .poll(counts, { timeout: patientTimeout(60_000) })
        .toEqual([expected.length, expected.length, ofLines.length]);
      expect(paged).toEqual(expected);
      expect(streamed).toEqual(expected);
      expect(lines).toEqual(ofLines);
      expect(new Set(paged.map(({ type }) => type))).toEqual(new Set(['status', 'score', 'line_move', 'injury']));
      console.log(JSON.stringify({ kills: KILLS, seed: SEED, changes: expected.length }));
    } finally {
      over.abort();
      await reading;
    }
    await world.kill();
    const rebuilt = await run(['rebuild', '--data-dir', world.folder]);
    expect(rebuilt.code, rebuilt.stdout + rebuilt.stderr).toBe(0);
    expect(await toldByLog(world.folder)).toEqual(paged);
    const verified = await run(['verify', '--data-dir', world.folder]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  },
  120_000 + KILLS * 15_000,
);
