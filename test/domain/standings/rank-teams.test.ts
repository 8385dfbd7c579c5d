import { describe, expect, it } from 'vitest';
import { findLeague } from '../../../src/domain/catalogue/catalogue.ts';
import { buildTable, type TableTeam } from '../../../src/domain/standings/build-table.ts';
import { rankingRulesOf } from '../../../src/domain/standings/ranking-rules.ts';
import type { CountedGame } from '../../../src/domain/statistics/counted-game.ts';

/** `A B 2-1`: A at home. */
function games(...lines: string[]): CountedGame[] {
  return lines.map((line, index) => {
    const [home, away, score] = line.split(' ') as [string, string, string];
    const [first, second] = score.split('-').map(Number) as [number, number];
    return {
      eventId: index + 1,
      seasonId: 1,
      startsAt: index,
      endedAt: index,
      sides: [home.charCodeAt(0), away.charCodeAt(0)],
      scores: [first, second],
      games: null,
      winner: first === second ? null : first > second ? 0 : 1,
      beyond: null,
      neutral: false,
      surface: null,
    };
  });
}

function placesOf(slug: string, year: number, all: readonly CountedGame[], teams = new Map<number, TableTeam>()) {
  const league = findLeague(slug)!;
  return buildTable({ league, year, games: all, teams, deducted: new Map() }).map(({ rows }) =>
    rows.map(({ rank, team_id }) => `${rank}${String.fromCharCode(team_id)}`).join(' '),
  );
}

describe('teams that are level', () => {
  it('given two meetings, La Liga goes by them before all goals; England goes by all goals', () => {
    const all = games('A B 1-0', 'B A 2-0', 'A C 9-0', 'C A 0-1', 'B C 1-0', 'C B 0-1');
    expect(placesOf('epl', 2020, all)).toEqual(['1A 2B 3C']);
    expect(placesOf('la_liga', 2020, all)).toEqual(['1B 2A 3C']);
  });

  it('given one meeting only, La Liga goes by all goals until the second one', () => {
    const once = games('A B 0-1', 'A C 9-0');
    expect(placesOf('la_liga', 2020, once)).toEqual(['1A 2B 3C']);
    expect(placesOf('la_liga', 2020, games('A B 0-1', 'A C 9-0', 'B A 0-0'))).toEqual(['1B 2A 3C']);
  });

  it('given equal differences, Ligue 1 counts away goals between the teams from 2017 to 2024', () => {
    const all = games('A B 2-1', 'B A 1-0', 'A C 5-4', 'C A 0-0', 'B C 1-0', 'C B 0-0');
    expect(placesOf('ligue_1', 2016, all)).toEqual(['1A 2B 3C']);
    expect(placesOf('ligue_1', 2017, all)).toEqual(['1B 2A 3C']);
    expect(placesOf('ligue_1', 2024, all)).toEqual(['1B 2A 3C']);
    expect(placesOf('ligue_1', 2025, all)).toEqual(['1A 2B 3C']);
  });

  it('given three NFL teams that are level, then those that a step leaves begin again', () => {
    // Among the three A has won two of two, B one and C none; B has beaten C.
    const all = games(
      'A B 3-0',
      'A C 3-0',
      'B C 3-0',
      'D A 3-0',
      'D A 6-0',
      'B D 3-0',
      'D B 3-0',
      'C D 9-0',
      'C D 9-0',
      'D C 1-0',
    );
    expect(placesOf('nfl', 2020, all)).toEqual(['1D 2A 3B 4C']);
  });

  it('given nothing that separates them, then they share the rank', () => {
    expect(placesOf('epl', 2020, games('A B 1-1', 'B A 1-1'))).toEqual(['1A 1B']);
  });

  it('given a league without rules of its own, then it has those of its sport', () => {
    const league = { slug: 'second_league', sport: 'soccer' } as const;
    expect(rankingRulesOf(league, 2020).criteria).toEqual(['points', 'difference', 'for']);
  });
});
