import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { archiveFile, databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { ConfigError } from '../../../src/platform/settings/config-error.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { type OddsRetention, openOddsRetention } from '../../../src/server/embedded/odds-retention.ts';
import { market, NBA, odds, schedule, score } from '../../api/spec/messages.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { type Composed, composed, START } from '../../support/composed.ts';

let folder: string;
let server: Composed | undefined;
let retention: OddsRetention | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-retention-'));
});
async function close(): Promise<void> {
  await retention?.stop();
  await server?.close();
  [server, retention] = [undefined, undefined];
}
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
const BOOKS = ['pinnacle', 'bet365'];
const TICKS = 120;

/** A server on a folder, and what moves its odds after 90 days. */
async function open(time = START) {
  const { core, ...opened } = await composed({ folder, time });
  server = { ...opened, core };
  await core.runner.start();
  const timers = createTimers();
  const lines: Record<string, unknown>[] = [];
  const note = (fields: Record<string, unknown>) => void lines.push(fields);
  retention = await openOddsRetention({
    file: databaseFile(folder),
    archive: archiveFile(folder),
    newId: () => 'the-archive',
    days: 90,
    ports: opened.ports,
    environment: {
      flush: async () => {},
      logger: { info: note, warn: note, error: note },
      pace: timers,
    },
    delay: async () => {},
  });
  let line = 0;
  const accept = async (...messages: unknown[]) => {
    const { outcomes } = await core.intake.accept(messages.map((value) => ({ line: ++line, value })));
    expect(outcomes.filter(({ status }) => status !== 'accepted')).toEqual([]);
    await core.projected();
  };
  const { key } = await opened.newKey({ plan: 'growth' });
  const get = async (path: string) => {
    const answer = await fetch(opened.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  return { ...opened, core, retention, timers, lines, accept, get };
}

const price = (ref: string, n: number, at: number) =>
  odds(
    ref,
    BOOKS[n % 2]!,
    [
      market('h2h', [
        ['home', -110 - n],
        ['away', 100 + n],
      ]),
    ],
    { at: iso(at) },
  );

/** A game with its prices, a minute apart; the clock goes with them. */
async function play({ clock, accept }: Awaited<ReturnType<typeof open>>, ref: string, sides: [string, string]) {
  const start = clock.time + 3 * HOUR;
  await accept(schedule(NBA, ref, sides, iso(start), { at: iso(clock.time) }));
  for (let n = 0; n < TICKS; n++) {
    clock.time += MINUTE;
    await accept(price(ref, n, clock.time));
  }
}

/** How many odds hold their content in the log's own file. */
function left(): number {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  const [count] = database
    .prepare(
      "SELECT count(*) FROM records r JOIN streams s ON s.id = r.stream_id WHERE s.name LIKE 'odds-%' AND r.data <> ''",
    )
    .raw()
    .get() as [number];
  database.close();
  return count;
}

describe('odds of events that are long over', () => {
  it('go into the archive after RETAIN_ODDS, and every answer stays what it was, byte for byte', async () => {
    const world = await open();
    const { clock, retention, accept, ports, lines } = world;
    await play(world, 'g1', ['Boston Celtics', 'New York Knicks']);
    const { id } = (await ports.identities.findEvent('feed', 'g1'))!;
    clock.time += 4 * HOUR;
    await accept(score('g1', 'final', ['101', '99'], { at: iso(clock.time) }));
    const end = clock.time;
    const moments = [5 * HOUR, 4.5 * HOUR, 0].map((before) => iso(end - before));
    const asOf = moments.flatMap((at) => ['recorded', 'observed'].map((basis) => `?as_of=${at}&as_of_basis=${basis}`));
    const paths = ['', ...asOf].flatMap((query) =>
      ['odds', 'odds/history'].map((what) => `/v1/events/${id}/${what}${query}`),
    );
    const answersNow = async ({ get }: typeof world) => Promise.all(paths.map(get));
    const records = await ports.log.readStream(`odds-${id}`);

    await retention.run();
    expect(left()).toBe(TICKS);
    clock.time += 91 * DAY;
    const before = await answersNow(world);
    await retention.run();
    expect(left()).toBe(0);
    expect(lines).toMatchObject([{ streams: 1, records: TICKS }]);
    expect(await ports.log.readStream(`odds-${id}`)).toEqual(records);
    expect(await answersNow(world)).toEqual(before);

    // A message that comes late is taken as ever, and goes with the others when its time has come.
    await accept(price('g1', 40, end - 5 * HOUR - 30_000));
    expect(left()).toBe(1);
    const withLate = await answersNow(world);
    await retention.run();
    expect(left()).toBe(1);
    clock.time += 91 * DAY;
    await retention.run();
    expect(left()).toBe(0);

    // Another server, which has nothing in memory.
    const { time } = clock;
    await close();
    const next = await open(time);
    expect(await answersNow(next)).toEqual(withLate);
    const reading = await openForReading({ dataDir: folder });
    expect(await reading.log.readStream(`odds-${id}`)).toHaveLength(TICKS + 1);
    await reading.close();
  });

  it('stay where the event is not over, until its start is as long past', async () => {
    const world = await open();
    const { clock, retention, accept } = world;
    await play(world, 'g1', ['Boston Celtics', 'New York Knicks']);
    await accept(schedule(NBA, 'g2', ['Miami Heat', 'Chicago Bulls'], iso(START + 120 * DAY), { at: iso(clock.time) }));
    await accept(price('g2', 1, clock.time));
    clock.time += 91 * DAY;
    await retention.run();
    // Nobody has told the end of the first one.
    expect(left()).toBe(1);
    clock.time = START + 209 * DAY;
    await retention.run();
    expect(left()).toBe(1);
    clock.time = START + 211 * DAY;
    await retention.run();
    expect(left()).toBe(0);
  });

  it('are looked for some minutes after the start and each hour, and never while the clock is doubted', async () => {
    const world = await open();
    const { clock, retention, timers, ports } = world;
    await play(world, 'g1', ['Boston Celtics', 'New York Knicks']);
    clock.time += 100 * DAY;
    clock.uptime = clock.time - 100 * DAY;
    expect(ports.clock.isOpen).toBe(false);
    retention.start();
    timers.advance(5 * MINUTE);
    await settled();
    expect(left()).toBe(TICKS);
    delete clock.uptime;
    timers.advance(HOUR - 1000);
    await settled();
    expect(left()).toBe(TICKS);
    timers.advance(1000);
    await settled();
    expect(left()).toBe(0);
  });
});

async function settled(): Promise<void> {
  for (let n = 0; n < 200; n++) await setImmediate();
}

describe('RETAIN_ODDS', () => {
  it('is a number of days, and unset by itself', () => {
    expect(readConfig({}).retainOdds).toBeUndefined();
    expect(readConfig({ RETAIN_ODDS: '90d' }).retainOdds).toBe(90);
  });

  it.each(['90', '0d', '-1d', '1.5d', '90 d', '90h', 'd', '1234567d'])('is refused where it is %s', (RETAIN_ODDS) => {
    expect(() => readConfig({ RETAIN_ODDS })).toThrow(ConfigError);
    expect(() => readConfig({ RETAIN_ODDS })).toThrow('RETAIN_ODDS: must be days, such as 90d');
  });
});
