import { describe, expect, it } from 'vitest';
import { type PlayerDocument, players } from '../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../projections/directory/teams.ts';
import { projections } from '../../projections/index.ts';
import { type OddsDocument, odds } from '../../projections/odds/odds.ts';
import { oddsMovements } from '../../projections/odds/odds-movements.ts';
import { splits } from '../../projections/odds/splits.ts';
import { type EventDocument, events, seasonIdOf } from '../../projections/sports-events/events.ts';
import { injuries } from '../../projections/sports-events/injuries.ts';
import { seasons } from '../../projections/sports-events/seasons.ts';
import { createFold } from '../../src/domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { unpackMovements } from '../../src/domain/odds/packed-movements.ts';
import { profileOfSide } from '../../src/domain/side-profiles.ts';
import { newSportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import {
  CURRENT_VERSIONS,
  type DomainEventData,
  type DomainEventType,
  type DomainRecord,
} from '../../src/domain/streams/domain-events.ts';

type Fact = { [T in DomainEventType]: [type: T, data: DomainEventData[T]] }[DomainEventType];

/** The document of `key` after these records, recorded a minute apart. */
function given<Doc>(projection: Projection<Doc>, key: string, ...facts: Fact[]): Doc | undefined {
  const records = facts.map(([type, data], revision): DomainRecord => {
    const recordedAt = `2026-09-02T00:0${revision}:00.000Z`;
    const record = { type, version: CURRENT_VERSIONS[type], data, meta: { partition: 'p' } };
    return { ...record, stream: 's', revision, position: BigInt(revision + 1), recordedAt } as DomainRecord;
  });
  const text = JSON.stringify(records, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  const documents = new Map<string, Doc>();
  for (const record of records) createFold(projection).applyInto(documents, record);
  // Folding must not change the records: they may be folded again.
  expect(JSON.stringify(records, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).toBe(text);
  return documents.get(key);
}

const identity = { eventId: 7, sport: 'nfl', league: 'nfl' };
const at = (hour: number) => `2026-09-01T0${hour}:00:00Z`;
const side = (id: number, name: string) => ({
  key: `team:${id}`,
  id,
  name,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});
const scheduled = (hour: number, starts_at = '2026-09-10T18:00:00Z'): Fact => [
  'EventScheduled',
  { ...identity, at: at(hour), source: 'a', content: { starts_at, sides: [side(1, 'Chiefs'), side(2, 'Bills')] } },
];
const described = (hour: number, name: string, rank: 'named' | 'described' = 'described'): Fact => [
  'ParticipantDescribed',
  {
    ...identity,
    at: at(hour),
    source: 'a',
    side: 'team:1',
    rank,
    profile: { name, abbreviation: 'KC', country_code: null, image_url: 'x' },
  },
];

describe('events', () => {
  const shown = (...facts: Fact[]) => profileOfSide(given(events, '7', scheduled(1), ...facts)!, 0)?.name;

  it('given a schedule and a score, then both show, with the time of recording', () => {
    const document = given(events, '7', scheduled(1), [
      'ScoreChanged',
      {
        ...identity,
        at: at(2),
        source: 'a',
        content: { status: 'inprogress', period: '1', sides: [{ score: '7' }, null] },
      },
    ]);
    expect(document).toMatchObject({
      id: 7,
      sport: 'nfl',
      event: { status: 'inprogress', period: '1', firstLive: at(2), sides: [{ score: '7' }, {}] },
      updatedAt: '2026-09-02T00:01:00.000Z',
    });
  });

  it('given a reconfirmation, then only the time of recording changes', () => {
    const [before, after] = [
      given(events, '7', scheduled(1))!,
      given(events, '7', scheduled(1), ['ScheduleReconfirmed', { ...identity, at: at(2), source: 'a', of: 0 }])!,
    ];
    expect(after).toEqual({ ...before, updatedAt: '2026-09-02T00:01:00.000Z' });
  });

  it('given a late record, then its state replaces the document, and later records are applied to it', () => {
    const late = {
      ...newSportsEvent(),
      status: 'final' as const,
      sides: [{ score: '1' }, { score: '2' }] as [object, object],
    };
    const document = given(
      events,
      '7',
      scheduled(1),
      ['ScoreChanged', { ...identity, at: at(2), source: 'a', content: { status: 'inprogress' }, late }],
      [
        'ScoreChanged',
        { ...identity, at: at(5), source: 'a', content: { status: 'final', sides: [{ score: '3' }, null] } },
      ],
    );
    expect(document!.event).toMatchObject({ status: 'final', sides: [{ score: '3' }, { score: '2' }] });
  });

  it('given checks, then they are sorted', () => {
    const check = (hour: number): Fact => ['InjuriesChecked', { ...identity, at: at(hour), source: 'a' }];
    expect(given(events, '7', scheduled(1), check(3), check(2))!.checks).toEqual([at(2), at(3)]);
  });

  it('given descriptions and mentions, then the newest description shows, else the earliest mention', () => {
    expect(shown()).toBe('Chiefs');
    expect(shown(described(3, 'New'), described(2, 'Old'))).toBe('New');
    expect(shown(described(3, 'New'), described(3, 'Newer'))).toBe('Newer');
    expect(shown(described(3, 'later', 'named'), described(2, 'earlier', 'named'))).toBe('earlier');
    expect(shown(described(2, 'earlier', 'named'), described(3, 'later', 'named'))).toBe('earlier');
    expect(shown(described(2, 'described'), described(3, 'named', 'named'))).toBe('described');
    expect(shown(described(3, 'named', 'named'), described(2, 'described'))).toBe('described');
  });

  it('has its season, start and teams for queries', () => {
    const document = given(events, '7', scheduled(1, '2027-01-10T18:00:00Z'))!;
    expect(seasonIdOf(document)).toBe(12026);
    const fields = Object.fromEntries(Object.entries(events.fields).map(([name, { of }]) => [name, of(document)]));
    expect(fields).toMatchObject({
      sport: 'nfl',
      league: 'nfl',
      status: 'scheduled',
      season_id: 12026,
      starts_at: Date.parse('2027-01-10T18:00:00Z'),
      team_ids: [1, 2],
      player_ids: [],
    });
    const named: EventDocument = {
      ...document,
      event: {
        ...document.event,
        schedule: { ...document.event.schedule!, season: { year: 2025, phase: 'playoffs' } },
      },
    };
    expect(seasonIdOf(named)).toBe(12025);
  });
});

describe('odds', () => {
  const content = (price: number) => ({
    bookmaker: 'b',
    markets: [
      {
        key: 'h2h',
        scope: 'match' as const,
        alternate: false,
        complete: true,
        outcomes: [{ outcome: 'home' as const, price }],
      },
    ],
  });
  const prices = (hour: number, price: number): Fact => [
    'PricesChanged',
    { ...identity, at: at(hour), source: 'a', content: content(price) },
  ];
  const reconfirmed: Fact = ['PricesReconfirmed', { ...identity, at: at(5), source: 'a', of: 0, bookmaker: 'b' }];

  it('given prices and a reconfirmation, then only the time changes', () => {
    const document: OddsDocument = given(odds, '7', scheduled(1), prices(2, -110), reconfirmed)!;
    expect(document.books).toEqual({
      b: { capturedAt: at(5), repeated: { h2h: true }, markets: { h2h: [{ outcome: 'home', price: -110 }] } },
    });
    expect(document.sides?.[0].name).toBe('Chiefs');
  });

  it('given a player with a source id, then the source is stored with it, per bookmaker and source', () => {
    const over = (player_ref: string) => ({ outcome: 'over' as const, price: -110, point: 20.5, player_ref });
    const props = (hour: number, source: string, complete: boolean): Fact => [
      'PricesChanged',
      {
        ...identity,
        at: at(hour),
        source,
        content: {
          bookmaker: 'b',
          markets: [{ key: 'points', scope: 'match', alternate: false, complete, outcomes: [over('9')] }],
        },
      },
    ];
    const document = given(odds, '7', scheduled(1), props(2, 'a', true), props(3, 'c', false))!;
    expect(document.books['b']!.markets['points']).toEqual([
      { ...over('9'), player_source: 'a' },
      { ...over('9'), player_source: 'c' },
    ]);
  });

  it('given changed prices, then there is a movement; a reconfirmation makes none', () => {
    const document = given(oddsMovements, '7:b', prices(2, -110), reconfirmed, prices(6, -120))!;
    expect(unpackMovements(document)).toEqual([
      { market: 'h2h', outcome: 'home', from: -110, to: -120, pointFrom: null, pointTo: null, at: at(6) },
    ]);
    expect(given(oddsMovements, '7:other', prices(2, -110))).toBeUndefined();
  });
});

describe('splits', () => {
  it('given splits and a reconfirmation, then only the time changes', () => {
    const share = { bets_pct: 60, handle_pct: 55 };
    const changed: Fact = [
      'SplitsChanged',
      { ...identity, at: at(1), source: 'a', content: { bookmaker: null, markets: { total: { over: share } } } },
    ];
    const document = given(splits, '7', changed, ['SplitsReconfirmed', { ...identity, at: at(3), source: 'a', of: 0 }]);
    expect(document).toEqual({ capturedAt: at(3), consensus: { total: { over: share } }, books: {} });
  });
});

describe('injuries', () => {
  it('given reports, then each player has one document, with his id', () => {
    const reported = (hour: number, status: 'out' | 'available'): Fact => [
      'InjuryReported',
      {
        at: at(hour),
        source: 'a',
        teamId: 1,
        sport: 'nfl',
        player: 'n:jodoe',
        content: { player: 'Jo Doe', status },
        origin: { league: 'nfl' },
      },
    ];
    const document = given(
      injuries,
      '1:n:jodoe',
      reported(3, 'out'),
      reported(1, 'available'),
      ['InjuryReconfirmed', { at: at(4), source: 'a', of: 0, teamId: 1, sport: 'nfl', player: 'n:jodoe' }],
      ['InjuredPlayerIdentified', { at: at(4), source: 'a', teamId: 1, player: 'n:jodoe', playerId: 9 }],
    )!;
    expect(document).toMatchObject({ teamId: 1, playerId: 9 });
    expect(document.reports.map(({ at: time, status }) => [time, status])).toEqual([
      [at(1), 'available'],
      [at(3), 'out'],
      [at(4), 'out'],
    ]);
    expect(injuries.streams!('1:n:jodoe')).toEqual(['injuries-1']);
  });
});

describe('the directory', () => {
  it('given a team, then it is found by each of its names, ignoring accents and case', () => {
    const facts = { name: 'Málaga C.F.', short_name: 'Málaga', aliases: ['MCF'], country_code: 'esp' };
    const document: TeamDocument = given(teams, '1', [
      'TeamChanged',
      { at: at(1), source: 'a', teamId: 1, sport: 'soccer', content: { rank: 'described', league: 'la_liga', facts } },
    ])!;
    expect(teams.fields['search']!.of(document)).toBe('malaga c.f.\nmalaga\nmcf');
    expect(teams.fields['country']!.of(document)).toBe('ESP');
    expect(teams.fields['active']!.of(document)).toBe(true);
  });

  it('given a retired player, then he is inactive, unless a source states otherwise', () => {
    const player = (facts: object): PlayerDocument =>
      given(players, '1', [
        'PlayerChanged',
        {
          at: at(1),
          source: 'a',
          playerId: 1,
          sport: 'tennis',
          content: { rank: 'described', facts: { full_name: 'Jo Doe', ...facts } },
        },
      ])!;
    const isActive = (facts: object) => players.fields['active']!.of(player(facts));
    expect(
      [{}, { retired_at: '2020' }, { is_active: false }, { retired_at: '2020', is_active: true }].map(isActive),
    ).toEqual([true, false, false, true]);
    expect(players.fields['ranked']!.of(player({ tennis_ranking: 3 }))).toBe(true);
  });

  it('given a season, then its reported data are stored', () => {
    const document = given(seasons, '12026', [
      'SeasonDescribed',
      { at: at(1), source: 'a', seasonId: 12026, season: { name: '2026' } },
    ])!;
    expect(document).toMatchObject({ id: 12026, given: { name: '2026' } });
    expect(seasons.fields['sport']!.of(document)).toBe('nfl');
  });
});

it('uses only declared fields in its indexes, and can answer as of a moment', () => {
  for (const projection of projections as readonly Projection[]) {
    for (const field of projection.indexes.flat()) expect(projection.fields).toHaveProperty(field);
    // Usage is stored per call and per day: it has no earlier state.
    if (!projection.name.startsWith('usage')) expect(projection.streams).toBeTypeOf('function');
  }
});
