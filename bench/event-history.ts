import { teams } from '../projections/directory/teams.ts';
import { events } from '../projections/sports-events/events.ts';
import { type League, SPORTS } from '../src/domain/catalogue/catalogue.ts';
import { ONE_PARTITION } from '../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../src/domain/event-sourcing/projection.ts';
import { DAY, formatTime, HOUR } from '../src/domain/primitives/time.ts';
import type { EventSide, SportsEvent } from '../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../src/domain/streams/domain-events.ts';
import type { DocumentPut, ReadStore } from '../src/read-models/store/read-store.ts';

/** Where the events lie in time, and who plays. */
export interface EventHistory {
  readonly from: number;
  readonly to: number;
  /** In the middle of the last tenth: what starts later is scheduled. */
  readonly now: number;
}

export const LEAGUES: readonly League[] = SPORTS.flatMap(({ leagues }) => leagues);
const LARGE: Readonly<Record<string, number>> = { ncaab: 360, ncaaf: 130, atp: 500, wta: 500 };
export const sizeOf = ({ slug }: League): number => LARGE[slug] ?? 30;
/** Teams, or tennis players. */
export const sideId = (league: League, index: number): number => league.id * 1000 + index + 1;

const BATCH = 20_000;
const LAST = Date.parse('2027-01-01T00:00:00Z');

/** From 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Fills a store with so many events over so many years, as the projection makes them of a schedule and, where they are
 * over or running, a score. They come league by league, as when files of many years are imported.
 */
export async function fillStore(store: ReadStore, count: number, years: number): Promise<EventHistory> {
  const to = LAST;
  const from = to - years * 365 * DAY;
  const history = { from, to, now: to - ((to - from) * 5) / 100 };
  const random = seeded(count);
  await put(store, teams, teamRecords());
  await put(store, events, eventRecords(count, history, random));
  return history;
}

/** Folds records, each document's in a row, and commits the documents in batches. */
async function put(store: ReadStore, projection: Projection, records: Iterable<DomainRecord>): Promise<void> {
  await store.prepare(projection, 'v1');
  let writes: DocumentPut[] = [];
  let expected: bigint | null = null;
  const commit = async () => {
    const checkpoint = writes.at(-1)?.position;
    if (checkpoint === undefined) return;
    await store.commit([
      { projection: projection.name, generation: 'v1', partition: ONE_PARTITION, writes, expected, checkpoint },
    ]);
    expected = checkpoint;
    writes = [];
  };
  for (const record of records) {
    const key = projection.key(record)!;
    const last = writes.at(-1);
    const document = projection.apply(last?.key === key ? last.document : undefined, record);
    if (last?.key === key) writes.pop();
    else if (writes.length === BATCH) await commit();
    writes.push({ key, document, position: record.position, isNew: true });
  }
  await commit();
}

const AT = '2026-01-01T00:00:00.000Z';
const record = (position: number, stream: string, type: string, data: object): DomainRecord =>
  ({
    position: BigInt(position),
    stream,
    revision: 0,
    type,
    version: 1,
    data,
    meta: { partition: stream },
    recordedAt: AT,
  }) as never;

function* teamRecords(): Generator<DomainRecord> {
  let position = 0;
  for (const league of LEAGUES) {
    if (league.sport === 'tennis') continue;
    for (let index = 0; index < sizeOf(league); index++) {
      const teamId = sideId(league, index);
      const content = { rank: 'described', league: league.slug, facts: { name: nameOf(league, index) } };
      const data = { teamId, sport: league.sport, at: AT, source: 'bench', content };
      yield record(++position, streams.team(teamId), 'TeamChanged', data);
    }
  }
}

function* eventRecords(count: number, history: EventHistory, random: () => number): Generator<DomainRecord> {
  const { from, to, now } = history;
  let position = 0;
  for (let eventId = 1; eventId <= count; eventId++) {
    const place = ((eventId - 1) / count) * LEAGUES.length;
    const league = LEAGUES[Math.floor(place)]!;
    const start = Math.floor(from + (place % 1) * (to - from) + random() * DAY);
    const first = Math.floor(random() * sizeOf(league));
    const second = (first + 1 + Math.floor(random() * (sizeOf(league) - 1))) % sizeOf(league);
    const identity = { eventId, sport: league.sport, league: league.slug, source: 'bench' };
    const stream = streams.event(eventId);
    const schedule = {
      starts_at: formatTime(start),
      sides: [side(league, first), side(league, second)],
      venue: {
        id: league.id * 100 + (first % 30),
        name: `Arena ${first}`,
        city: 'Springfield',
        timezone: 'America/New_York',
      },
      broadcast: 'Channel 5',
    };
    yield record(++position, stream, 'EventScheduled', { ...identity, at: AT, content: schedule });
    const status = statusOf(start, now, random());
    if (status === 'scheduled') continue;
    const content = { status, ...(status === 'final' || status === 'inprogress' ? played(league, random) : {}) };
    yield record(++position, stream, 'ScoreChanged', { ...identity, at: formatTime(start + 2 * HOUR), content });
  }
}

function statusOf(start: number, now: number, chance: number): SportsEvent['status'] {
  if (chance < 0.01) return 'cancelled';
  if (chance < 0.02) return 'postponed';
  if (start > now) return chance < 0.04 ? 'delayed' : 'scheduled';
  if (start > now - 3 * HOUR) return chance < 0.06 ? 'suspended' : 'inprogress';
  return 'final';
}

const nameOf = (league: League, index: number): string => `${league.abbreviation} Competitors No. ${index + 1}`;

function side(league: League, index: number): EventSide {
  const id = sideId(league, index);
  const key = `${league.sport === 'tennis' ? 'player' : 'team'}:${id}`;
  const country_code = league.country_code;
  return { key, id, name: nameOf(league, index), abbreviation: `T${index}`, country_code, placeholder: false };
}

function played({ sport }: League, random: () => number) {
  const periods = sport === 'tennis' ? ['S1', 'S2', 'S3'] : sport === 'soccer' ? ['1H', '2H'] : ['1', '2', '3', '4'];
  const sides = [0, 1].map(() => {
    const period_scores = periods.map((period) => ({ period, score: Math.floor(random() * 8) }));
    return { score: String(period_scores.reduce((sum, { score }) => sum + score, 0)), period_scores };
  });
  return { period: periods.at(-1)!, clock: '0:00', sides };
}
