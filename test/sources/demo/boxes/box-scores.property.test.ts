import { describe, expect, it } from 'vitest';
import { findLeague, type SportSlug } from '../../../../src/domain/catalogue/catalogue.ts';
import { cases } from '../../../support/cases.ts';
import { byEvent, runOf, smallDay } from '../demo-days.ts';
import { type BoxMessage, boxesIn, type Message, pointsOf, propsIn, type Row, resultOf } from './read-box-scores.ts';

/** Of fewer not every sport has games with props. */
const SEEDS = Math.max(20, cases(200));
const GAMES = 4;

interface Game {
  readonly name: string;
  readonly sport: SportSlug;
  readonly said: readonly Message[];
  readonly boxes: readonly BoxMessage[];
}
const games: Game[] = Array.from({ length: SEEDS }, (_, seed) =>
  [...byEvent(smallDay(runOf(seed), GAMES))].map(([ref, said]) => ({
    name: `seed ${seed}, ${ref}`,
    sport: findLeague(String(said[0]!['league']))!.sport,
    said,
    boxes: boxesIn(said),
  })),
).flat();
const last = <T>(list: readonly T[]): T => list.at(-1)!;
const statusOf = ({ said }: Game): unknown => last(said.filter(({ kind }) => kind === 'score'))['status'];
const played = games.filter((game) => statusOf(game) === 'final');

/** The score as told last before a message. */
function scoreAt(said: readonly Message[], until: Message): readonly number[] {
  let score: readonly number[] = [0, 0];
  for (const message of said) {
    if (message === until) return score;
    const sides = message['kind'] === 'score' && (message['scores'] as { score: string }[] | undefined);
    if (sides) score = sides.map((side) => side.score.split(' ').reduce((sum, part) => sum + Number(part), 0));
  }
  return score;
}
/** Goals that decide a shootout belong to no player. */
const shootoutGoals = (said: readonly Message[], side: number): number =>
  Math.max(
    0,
    ...said
      .filter(({ kind }) => kind === 'score')
      .flatMap((message) => (message['scores'] as { period_scores?: { period: string; score: number }[] }[]) ?? [])
      .filter((_, index) => index % 2 === side)
      .flatMap(({ period_scores = [] }) => period_scores)
      .filter(({ period }) => period === 'SO')
      .map(({ score }) => score),
  );

describe('the boxes of the demo', () => {
  it('add up to the score of their moment', () => {
    expect(played.length).toBeGreaterThan(SEEDS);
    for (const { name, sport, said, boxes } of played) {
      for (const box of boxes) {
        const score = scoreAt(said, box);
        for (const [side, role] of (['home', 'away'] as const).entries()) {
          const points = pointsOf(sport, box, role);
          if (points === null) continue;
          const apart = sport === 'nhl' && box.final ? shootoutGoals(said, side) : 0;
          expect(points + apart, `${name} at ${box.at}, ${role}`).toBe(score[side]);
        }
      }
    }
  });

  it('hold sides that are the sums of their players, and no more hits than shots', () => {
    for (const { name, sport, boxes } of played) {
      for (const { at, players, teams } of boxes) {
        for (const role of ['home', 'away'] as const) {
          const rows = players.filter((row) => row.role === role);
          const sum = (stat: string) => rows.reduce((all, { stats }) => all + (stats[stat] ?? 0), 0);
          const team = teams[role];
          for (const stat of SUMS[sport] ?? []) expect(sum(stat), `${name} at ${at}, ${role} ${stat}`).toBe(team[stat]);
          for (const [more, less] of ORDER[sport] ?? []) {
            for (const counts of [team, ...rows.map(({ stats }) => stats)]) {
              if ((counts[more] ?? 0) < (counts[less] ?? 0)) expect.fail(`${name} at ${at}: ${less} above ${more}`);
            }
          }
        }
      }
    }
  });

  it('only grow, and the last one is final, behind the final score', () => {
    for (const { name, said, boxes } of played) {
      expect(boxes.length, name).toBeGreaterThan(3);
      expect(boxes.filter(({ final }) => final)).toEqual([last(boxes)]);
      expect(last(said)['kind'], name).toBe('box');
      for (const [index, box] of boxes.entries()) {
        for (const row of boxes[index - 1]?.players ?? []) {
          const now = box.players.find(({ ref }) => ref === row.ref)!;
          for (const [stat, value] of Object.entries(row.stats)) {
            if ((now.stats[stat] ?? 0) < value && !/_yards$/.test(stat))
              expect.fail(`${name}: ${stat} of ${row.name} falls`);
          }
        }
      }
    }
  });

  it('come of no game that was not played', () => {
    const others = games.filter((game) => !played.includes(game));

    expect(others.length).toBeGreaterThan(0);
    for (const { name, boxes } of others) expect(boxes, name).toEqual([]);
  });

  it('have a row for everyone who was named to start, and say who did not play', () => {
    let missed = 0;
    for (const { name, sport, said, boxes } of played) {
      if (sport === 'tennis') continue;
      const lineup = last(said.filter(({ kind }) => kind === 'lineup'));
      const start = said.find((message) => message['kind'] === 'score' && message['status'] === 'inprogress')!;
      expect(String(lineup['at']) < String(start['at']), name).toBe(true);
      const rows = new Map<string, Row>(last(boxes).players.map((row) => [row.ref, row]));
      const teams = lineup['teams'] as Record<string, { players: { ref: string; starter: boolean }[] }>;
      for (const { ref, starter } of Object.values(teams).flatMap(({ players }) => players)) {
        if (starter) expect(rows.get(ref)?.starter, `${name} ${ref}`).toBe(true);
        expect(rows.get(ref)?.dnp, `${name} ${ref}`).toBeUndefined();
      }
      missed += [...rows.values()].filter(({ dnp }) => dnp).length;
    }
    expect(missed).toBeGreaterThan(0);
  });
});

describe('the player props of the demo', () => {
  it('are all settled by the box', () => {
    let settled = 0;
    for (const { name, said, boxes } of played) {
      for (const prop of propsIn(said)) {
        const result = resultOf(prop, last(boxes));
        if (!['over', 'under', 'push'].includes(result)) expect.fail(`${name}: ${JSON.stringify(prop)} is ${result}`);
        settled++;
      }
    }
    expect(settled).toBeGreaterThan(10 * SEEDS);
  });

  it('have lines near what the players make, in every sport that has them', () => {
    const tried = new Map<string, { over: number; expected: number; all: number }>();
    for (const { sport, said, boxes } of played) {
      const props = propsIn(said, 'before the start');
      for (const prop of props) {
        const key = `${sport} ${prop.market}`;
        const sums = tried.get(key) ?? { over: 0, expected: 0, all: 0 };
        // What a player makes is one trial, however many books have a line for it.
        const share = 1 / props.filter(({ ref, market }) => ref === prop.ref && market === prop.market).length;
        sums.all += share;
        sums.expected += prop.chance * share;
        if (resultOf(prop, last(boxes)) === 'over') sums.over += share;
        tried.set(key, sums);
      }
    }
    for (const sport of ['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl', 'soccer']) {
      const own = [...tried].filter(([key]) => key.startsWith(`${sport} `));
      expect(own.length, sport).toBeGreaterThan(1);
      for (const [key, { over, expected, all }] of own) {
        if (all >= 100) expect(Math.abs(over - expected) / all, key).toBeLessThan(0.15);
      }
    }
    expect([...tried.keys()].some((key) => key.startsWith('tennis'))).toBe(false);
  });

  it('are offered of nobody who does not play', () => {
    for (const { name, said, boxes } of played) {
      const absent = new Set(
        last(boxes)
          .players.filter(({ dnp }) => dnp)
          .map(({ ref }) => ref),
      );
      for (const { ref } of propsIn(said)) expect(absent.has(ref), name).toBe(false);
    }
  });
});

describe('the lines of periods and sides', () => {
  it('are those that the sport has, of several bookmakers', () => {
    const scopes = new Map<SportSlug, Set<unknown>>();
    const books = new Map<SportSlug, Set<unknown>>();
    for (const { sport, said } of played) {
      for (const message of said.filter(({ kind }) => kind === 'odds')) {
        for (const { key, scope } of message['markets'] as { key: string; scope?: string }[]) {
          if (scope === undefined && key !== 'team_totals') continue;
          scopes.set(sport, (scopes.get(sport) ?? new Set()).add(scope ?? key));
          books.set(sport, (books.get(sport) ?? new Set()).add(message['bookmaker']));
        }
      }
    }
    const shown = Object.fromEntries([...scopes].map(([sport, names]) => [sport, [...names].sort()]));
    expect(shown).toEqual({
      nfl: ['1H', 'team_totals'],
      ncaaf: ['1H', 'team_totals'],
      nba: ['1H'],
      ncaab: ['1H'],
      mlb: ['F5', 'team_totals'],
      soccer: ['1H', 'team_totals'],
      tennis: ['S1'],
    });
    for (const names of books.values()) expect(names.size).toBeGreaterThanOrEqual(3);
  });
});

const BASKETBALL_SUMS = ['points', 'rebounds', 'assists', 'steals', 'blocks', 'turnovers', 'field_goals_made'];
const FOOTBALL_SUMS = ['passing_completions', 'passing_attempts', 'rushing_attempts', 'rushing_yards', 'sacks_taken'];
const SUMS: Partial<Record<SportSlug, readonly string[]>> = {
  nba: BASKETBALL_SUMS,
  ncaab: BASKETBALL_SUMS,
  nfl: FOOTBALL_SUMS,
  ncaaf: FOOTBALL_SUMS,
  mlb: ['runs', 'hits', 'doubles', 'home_runs', 'rbis', 'walks', 'strikeouts', 'at_bats'],
  nhl: ['goals', 'shots_on_goal', 'hits', 'blocked_shots', 'penalty_minutes'],
  soccer: ['shots', 'shots_on_target', 'assists', 'fouls', 'yellow_cards', 'saves'],
};
const BASKETBALL_ORDER = [
  ['field_goals_attempted', 'field_goals_made'],
  ['field_goals_made', 'three_pointers_made'],
  ['free_throws_attempted', 'free_throws_made'],
] as const;
const FOOTBALL_ORDER = [
  ['passing_attempts', 'passing_completions'],
  ['third_down_attempts', 'third_down_conversions'],
  ['red_zone_attempts', 'red_zone_conversions'],
  ['targets', 'receptions'],
] as const;
const ORDER: Partial<Record<SportSlug, readonly (readonly [more: string, less: string])[]>> = {
  nba: BASKETBALL_ORDER,
  ncaab: BASKETBALL_ORDER,
  nfl: FOOTBALL_ORDER,
  ncaaf: FOOTBALL_ORDER,
  mlb: [
    ['at_bats', 'hits'],
    ['hits', 'home_runs'],
    ['runs_allowed', 'earned_runs'],
  ],
  nhl: [
    ['shots_on_goal', 'goals'],
    ['power_play_opportunities', 'power_play_goals'],
  ],
  soccer: [
    ['shots', 'shots_on_target'],
    ['shots_on_target', 'goals'],
  ],
};
