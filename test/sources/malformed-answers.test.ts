import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionNetworkImporter } from '../../src/sources/action-network/importer.ts';
import { espnImporter } from '../../src/sources/espn/importer.ts';
import type { Importer } from '../../src/sources/importing/importer.ts';
import { doublesPair, event, lines, match, player, scoreboard, status, tournament } from './espn/espn-answers.ts';

const game = event(status('FINAL', 'post', { period: 4, detail: 'Final' }), {
  home: { score: '10', winner: true, linescores: lines(3, 7) },
  away: { score: '3', winner: false, linescores: lines(0, 3) },
  venue: { fullName: 'Hall', address: { city: 'Town' }, indoor: true },
  broadcasts: [{ market: 'national', names: ['ABC'] }],
  notes: [{ headline: 'Final' }],
  odds: [
    {
      provider: { id: '58', name: 'ESPN BET' },
      overUnder: 41,
      overOdds: -110,
      underOdds: -110,
      spread: -3,
      homeTeamOdds: { moneyLine: -150, spreadOdds: -110, open: { moneyLine: { american: '-140' } } },
      awayTeamOdds: { moneyLine: 130, spreadOdds: -110, open: { moneyLine: { american: '+120' } } },
    },
  ],
});
const matches = tournament({
  'mens-singles': [
    match('1', status('FINAL', 'post', { period: 1 }), [
      player('home', '8', 'Abe', { winner: true, linescores: [{ value: 7, tiebreak: 7 }] }),
      player('away', '9', 'Bob', { winner: false, linescores: [{ value: 6, tiebreak: 3 }] }),
    ]),
  ],
  'mens-doubles': [
    match('2', status('SCHEDULED', 'pre'), [
      doublesPair('home', '1-2', ['A', 'B']),
      doublesPair('away', '3-4', ['C', 'D']),
    ]),
  ],
});
const summary = {
  header: { ...game, league: { slug: 'nfl' }, week: 2 },
  boxscore: {
    teams: [{ team: { id: '1' }, statistics: [{ name: 'sacksYardsLost', displayValue: '1-11' }] }],
    players: [
      {
        team: { id: '1' },
        statistics: [
          {
            name: 'passing',
            keys: ['a/b', 'c'],
            athletes: [{ athlete: { id: '5', displayName: 'P' }, stats: ['1/2', '3'] }],
          },
        ],
      },
    ],
  },
  injuries: [
    {
      team: { id: '1', displayName: 'Hawks' },
      injuries: [
        {
          date: '2025-02-11T03:06Z',
          status: 'Out',
          type: { name: 'INJURY_STATUS_OUT' },
          athlete: { id: '5', displayName: 'Pat' },
          details: { type: 'Knee', detail: 'Strain', side: 'Left', returnDate: '2025-03-01' },
        },
      ],
    },
  ],
};
const roster = {
  timestamp: '2025-05-29T23:02:25Z',
  season: { year: 2025 },
  team: { id: '21', uid: 's:70~l:90~t:21', displayName: 'Leafs', abbreviation: 'TOR', logo: 'http://example.test' },
  athletes: [
    {
      items: [
        {
          id: '9',
          fullName: 'Nick',
          height: 70,
          weight: 174,
          dateOfBirth: '1999-06-04T07:00Z',
          hand: { type: 'LEFT' },
        },
      ],
    },
  ],
};
const percent = { bet_info: { tickets: { percent: 40 }, money: { percent: 60 } } };
const board = {
  games: [
    {
      id: 5,
      league_name: 'nfl',
      season: 2025,
      week: 3,
      type: 'reg',
      start_time: '2025-09-13T16:00:00.000Z',
      status: 'complete',
      home_team_id: 1,
      away_team_id: 2,
      winning_team_id: 1,
      teams: [
        { id: 1, full_name: 'Hawks', abbr: 'HAW' },
        { id: 2, full_name: 'Owls', abbr: 'OWL' },
      ],
      boxscore: {
        period: 4,
        total_home_points: 7,
        total_away_points: 0,
        linescore: [{ id: 1, home_points: 7, away_points: 0 }],
      },
      markets: {
        '15': {
          event: {
            spread: [
              { side: 'home', value: -3, odds: -110, team_id: 1, ...percent },
              { side: 'away', value: 3, odds: -110, team_id: 2, ...percent },
            ],
          },
        },
      },
    },
  ],
};

type Path = readonly (string | number)[];
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}
function replaced(value: unknown, [key, ...rest]: Path, odd: unknown): unknown {
  if (key === undefined) return odd;
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[key] = replaced(copy[key], rest, odd);
  return copy;
}

const odd = fc.oneof(
  fc.constantFrom(null, '', ' ', 0, -1, 1e300, 0.5, true, [], {}, '2025-02-30T00:00Z', 'x'.repeat(500), '1e9', '-0'),
  fc.string(),
  fc.double(),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
);

/** A provider may change any member of its answers at any time; a broken message is refused by itself, at the door. */
describe('an answer with one odd member is read to its end', () => {
  it.each<[string, Importer, object]>([
    ['ESPN scoreboard', espnImporter, scoreboard('nfl', game)],
    ['ESPN tournament', espnImporter, scoreboard('atp', matches)],
    ['ESPN summary', espnImporter, summary],
    ['ESPN roster', espnImporter, roster],
    ['Action Network scoreboard', actionNetworkImporter, board],
  ])('%s', async (_, importer, answer) => {
    const paths = pathsOf(answer);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), odd, async (path, value) => {
        const text = JSON.stringify(replaced(answer, path, value)) ?? 'null';
        const file = { name: 'answer.json', open: () => Readable.from([Buffer.from(text)]) };
        try {
          for await (const item of importer.translate(file, {})) JSON.stringify(item);
        } catch (error) {
          if ((error as { code?: string }).code !== 'unknown_file_shape') throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('a file of Action Network that is a quote and nothing else is refused for its shape, as any other is', async () => {
  for (const content of ['"', '"\\""', 'x"']) {
    const file = { name: 'answer.json', open: () => Readable.from([Buffer.from(content)]) };
    const reading = (async () => {
      for await (const _ of actionNetworkImporter.translate(file, {}));
    })();
    await expect(reading).rejects.toMatchObject({ code: 'unknown_file_shape' });
  }
});
