import { describe, expect, it } from 'vitest';
import { oddsDecider, type PricesCommand } from '../../../commands/odds-decider.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMemoryStateSnapshots } from '../../../src/ingest/states/memory-state-snapshots.ts';
import { StreamStates, type StreamStatesOptions } from '../../../src/ingest/states/stream-states.ts';

const identity = { eventId: 1, sport: 'nba', league: 'nba' };
const START = Date.UTC(2026, 10, 1);
const time = (second: number) => new Date(START + second * 1000).toISOString().replace('.000Z', 'Z');
/** One of three bookmakers says so, second by second another one. */
const prices = (second: number, price = 101 + second, bookmaker = `book_${second % 3}`): PricesCommand => ({
  identity,
  at: time(second),
  source: 's',
  content: {
    bookmaker,
    markets: [{ key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes: [{ outcome: 'home', price }] }],
  },
});

/** A log that counts the records that are read. */
function countingLog() {
  const log = createMemoryLog({ now: () => START });
  const counted = { read: 0 };
  const reading: EventLog = {
    ...log,
    async readStream(stream, options) {
      const records = await log.readStream(stream, options);
      counted.read += records.length;
      return records;
    },
  };
  return { log: reading, counted };
}

/** Decides and appends facts, so many at once. */
async function take(states: StreamStates, log: EventLog, facts: readonly PricesCommand[], atOnce = 50): Promise<void> {
  for (let first = 0; first < facts.length; first += atOnce) {
    for (const fact of facts.slice(first, first + atOnce)) await states.decide(oddsDecider, 1, fact);
    const appends = states.takeStaged();
    await states.saveSnapshots(appends, await log.appendAll(appends));
  }
}

const RECORDS = 2000;
const many = Array.from({ length: RECORDS }, (_, second) => prices(second));

async function world(options: StreamStatesOptions = {}) {
  const { log, counted } = countingLog();
  const snapshots = createMemoryStateSnapshots();
  const open = () => new StreamStates(log, { snapshots, ...options });
  const states = open();
  await take(states, log, many);
  counted.read = 0;
  return { log, counted, snapshots, states, open };
}

describe('states of long streams', () => {
  it('given a long stream, when its state is held, then nothing is read for what is newer', async () => {
    const { log, counted, states } = await world();
    await take(states, log, [prices(RECORDS), prices(RECORDS + 1)]);
    expect(counted.read).toBe(0);
  });

  it('given a long stream, when it is loaded after a restart, then only what came after its snapshot is read', async () => {
    const { log, counted, open } = await world({ snapshotEvery: 256 });
    await take(open(), log, [prices(RECORDS)]);
    expect(counted.read).toBeLessThan(256 + 60);
  });

  it('given a long stream, then its state takes as much memory as that of a short one', async () => {
    const { log, states } = await world();
    const short = new StreamStates(log);
    const before = states.bytes.states;
    expect(before).toBeGreaterThan(0);
    await take(
      states,
      log,
      Array.from({ length: 300 }, (_, more) => prices(RECORDS + more)),
    );
    expect(states.bytes.states).toBe(before);
    expect(short.bytes.states).toBe(0);
  });

  it('given a long stream, when a late message comes, then the history decides, and is let go of by its bytes', async () => {
    const { log, counted, states } = await world({ historyBytes: 10_000 });
    const late = await states.decide(oddsDecider, 1, prices(10.5 as number, 500, 'book_1'));
    expect(late).toMatchObject([{ type: 'PricesChanged', data: { late: { prices: { capturedAt: time(1999) } } } }]);
    expect(counted.read).toBe(RECORDS);
    // The next late one of the same batch finds it still there.
    await states.decide(oddsDecider, 1, prices(11.5 as number, 500, 'book_2'));
    expect(counted.read).toBe(RECORDS);
    await log.appendAll(states.takeStaged());
    expect(states.bytes.histories).toBeLessThanOrEqual(10_000);
  });

  it('given a message that is known since long, when it comes again, then nothing follows', async () => {
    const { states } = await world();
    expect(await states.decide(oddsDecider, 1, many[3]!)).toEqual([]);
  });

  it('given a snapshot of another log, when the stream is loaded, then it is not believed', async () => {
    const { snapshots } = await world();
    const { log } = countingLog();
    const states = new StreamStates(log, { snapshots });
    expect(await states.decide(oddsDecider, 1, many[0]!)).toMatchObject([{ type: 'PricesChanged' }]);
    expect(states.takeStaged()).toMatchObject([{ expected: 'none' }]);
  });

  it.each(['another version', 'bytes that cannot be read'])(
    'given a snapshot of %s, then the stream is folded',
    async (what) => {
      const { log, counted, snapshots, open } = await world();
      const [known] = (await snapshots.load(['odds-1'])).values();
      const spoiled = what === 'another version' ? { version: 99 } : { state: Buffer.from('nonsense') };
      await snapshots.save([{ ...known!, ...spoiled }]);
      const states = open();
      expect(await states.decide(oddsDecider, 1, { ...many[RECORDS - 1]!, at: time(RECORDS) })).toMatchObject([
        { type: 'PricesReconfirmed', data: { of: RECORDS - 1 } },
      ]);
      expect(counted.read).toBeGreaterThanOrEqual(RECORDS);
      expect(log).toBeDefined();
    },
  );
});
