import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isReplayed } from '../../../src/domain/event-sourcing/record.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { replayedMessagesOf } from '../../../src/ingest/subjects/subjects.ts';
import { LATER, type Message, minute, pricesOf, scheduleOf, scoreOf } from '../feed-messages.ts';
import { type ForcedIntake, openForcedIntake } from './forced-intake.ts';
import { readLog, replayLog, saidOf } from './replayed-log.ts';

const ONE = 7;
const TURNED = [
  { role: 'home', name: 'Bills' },
  { role: 'away', name: 'Chiefs' },
];
const MATCH = { sport: 'nfl', league: 'nfl', starts_at: '2026-09-10T18:00:00Z', home: 'Chiefs', away: 'Bills' };
const splitsOf = (source: string, n: number): Message => ({
  kind: 'splits',
  source,
  at: minute(n),
  ref: `${source}-1`,
  markets: { moneyline: { home: { bets_pct: 70, handle_pct: 60 } } },
});

let world: ForcedIntake;
let clock = LATER;
beforeEach(async () => {
  clock = LATER;
  world = await openForcedIntake(() => (clock += 1000));
});
afterEach(() => world.close());

async function tell(...messages: readonly Message[]): Promise<void> {
  for (const message of messages) expect(await world.tell(message)).toBe('accepted');
}

const kindsOf = (records: readonly DomainRecord[]) => records.map(({ type }) => type);
const without = (records: readonly DomainRecord[], type: string) => records.filter((record) => record.type !== type);
/** All that was told, as one event. */
async function asOne(): Promise<DomainRecord[]> {
  const { log } = await replayLog(await readLog(world.log), () => ONE);
  return without(await readLog(log), 'ParticipantDescribed');
}

describe('telling again', () => {
  it('given two events that have the sides either way round, when told as one, then the first recorded decides', async () => {
    await tell(
      scheduleOf('a'),
      scheduleOf('b', { starts_at: '2026-09-14T18:00:00Z', participants: TURNED }),
      scoreOf('b', 5, 21),
    );
    const records = await asOne();
    expect(kindsOf(records)).toEqual(['EventScheduled', 'EventScheduled', 'ScoreChanged']);
    // `b` reports 21 for its home side, which is the away side of `a`.
    expect(records[2]!.data).toMatchObject({
      eventId: ONE,
      content: { sides: [null, { score: '21' }] },
      origin: { ref: 'b-1', turned: true },
    });
  });

  it('given splits that came before the start of a later game, when the game is told as an earlier one, then they are refused', async () => {
    await tell(scheduleOf('a'), scheduleOf('b', { starts_at: '2026-09-14T18:00:00Z', at: '2026-08-30T00:00:00Z' }));
    await tell(splitsOf('b', -5), splitsOf('b', 5));
    const records = await asOne();
    const splits = records.filter(({ stream }) => stream === `splits-${ONE}`);
    expect(splits.map(({ data }) => Date.parse(data.at))).toEqual([Date.parse(minute(-5))]);
  });

  it('given a ref that only prices used, when it is split off, then they wait for a schedule', async () => {
    await tell(scheduleOf('a'), { ...pricesOf('b', 1, -110), match: MATCH }, pricesOf('b', 2, -120));
    const ownerOf = ({ sourceRef }: { sourceRef?: { source: string } }) => (sourceRef?.source === 'b' ? ONE : 1);
    const { log, waiting } = await replayLog(await readLog(world.log), ownerOf);
    expect((await readLog(log)).filter(({ stream }) => stream.endsWith(`-${ONE}`))).toEqual([]);
    expect(kindsOf(waiting.get(ONE)!)).toEqual(['PricesChanged', 'EventBound', 'PricesChanged']);
  });

  it('given prices before the schedule of their event, when told again, then they follow it at its time', async () => {
    await tell(scheduleOf('a'), { ...pricesOf('b', 1, -110), match: MATCH }, scheduleOf('b', { at: minute(0) }));
    const ownerOf = ({ sourceRef }: { sourceRef?: { source: string } }) => (sourceRef?.source === 'b' ? ONE : 1);
    const { log } = await replayLog(await readLog(world.log), ownerOf);
    const records = without(await readLog(log), 'ParticipantDescribed').filter(({ stream }) =>
      stream.endsWith(`-${ONE}`),
    );
    expect(kindsOf(records).toSorted()).toEqual(['EventScheduled', 'PricesChanged']);
    expect(new Set(records.map(({ recordedAt }) => recordedAt)).size).toBe(1);
  });

  it('given a schedule that names its sides otherwise than before, when told again, then it describes as it did', async () => {
    const named = (country: string) => [
      { role: 'home', name: 'Chiefs', country_code: country },
      { role: 'away', name: 'Bills', country_code: country },
    ];
    await tell(scheduleOf('a', { at: '2026-08-31T00:00:00Z' }));
    await tell(scheduleOf('a', { at: '2026-08-30T00:00:00Z', participants: named('ESP') }));
    const { log } = await replayLog(await readLog(world.log), () => ONE);
    const { id } = (await world.identities.findEvent('a', 'a-1'))!;
    expect(await saidOf(ONE, log)).toEqual(await saidOf(id, world.log));
  });

  it('given records that are told again, then they show when they were first recorded, and are not replayed', async () => {
    await tell(scheduleOf('a'), scoreOf('a', 1, 7));
    const first = (await readLog(world.log)).filter(({ type }) => type === 'EventScheduled' || type === 'ScoreChanged');
    const records = await asOne();
    expect(records.map(({ recordedAt }) => recordedAt)).toEqual(first.map(({ recordedAt }) => recordedAt));
    for (const record of records) {
      expect(isReplayed(record)).toBe(true);
      expect(await replayedMessagesOf(record, async () => undefined)).toEqual([]);
    }
  });
});
