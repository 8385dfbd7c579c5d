import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Leg } from '../../../src/domain/grading/leg.ts';
import type { LegScope } from '../../../src/domain/grading/leg-scope.ts';
import { payoutFactor } from '../../../src/domain/grading/payout.ts';
import { RULE_SET_NAMES, sportRulesOf } from '../../../src/domain/grading/rules/rule-sets.ts';
import { settleLeg } from '../../../src/domain/grading/settle-leg.ts';
import { cases } from '../../support/cases.ts';
import { factsOf, legOf, type Story } from './game-story.ts';

/**
 * A second settlement, written from the words of docs/rules.md: it knows a game as a story and not as facts of the log,
 * reads the files of the rules itself, and settles in money and not in results.
 */

const FOLDER = join(import.meta.dirname, '../../../docs/rules');
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));

const ruleOf = (book: string, sport: string, topic: string): any =>
  files.find((file) => file.book === book)[sport][topic] ?? files.find((file) => file.book === 'spec')[sport][topic];

type Pair = readonly [number, number];
const add = (pairs: readonly Pair[]): [number, number] =>
  pairs.reduce<[number, number]>(([home, away], [h, a]) => [home + h, away + a], [0, 0]);

const FULL_MINUTES: Readonly<Record<string, number>> = { nfl: 60, ncaaf: 60, nba: 48, ncaab: 40, nhl: 60 };
const EVEN = 2;

/** What one unit at evens comes back as. */
function moneyBack(story: Story, leg: Leg, book: string): number {
  const rule = (topic: string) => ruleOf(book, story.sport, topic);
  if ((story.hoursLate ?? 0) > (rule('postponement_hours') ?? Number.POSITIVE_INFINITY)) return 1;
  if (rule('listed_pitchers') && story.hasOtherPitcher) return 1;
  const lines = leg.line === null ? [0] : (leg.line * 4) % 2 === 0 ? [leg.line] : [leg.line - 0.25, leg.line + 0.25];
  return lines.reduce((money, line) => money + onLine(story, leg, line, rule) / lines.length, 0);
}

function onLine(story: Story, leg: Leg, line: number, rule: (topic: string) => any): number {
  const { sport, periods, overtime = [0, 0], shootout, status = 'final', retiredFor } = story;
  if (leg.scope !== undefined) return onPart(story, leg, leg.scope, line, rule);
  const extra: Pair[] = rule('overtime') ? [overtime, [Number(shootout === 0), Number(shootout === 1)]] : [];
  const score = status === 'walkover' ? null : add(sport === 'tennis' ? periods : [...periods, ...extra]);
  if (wasCutShort(story, leg, rule)) {
    const made = score && (leg.market_key === 'team_total' ? score[leg.team_id! - 1]! : score[0] + score[1]);
    const isTotal = leg.side === 'over' || leg.side === 'under';
    const isDecided = rule('abandoned') === 'decided' && isTotal && made !== null && made > line;
    return isDecided ? (leg.side === 'over' ? EVEN : 0) : 1;
  }
  if (sport === 'tennis' && leg.market_key === 'h2h') {
    const sets = periods.map(([home, away]) => Math.sign(home - away));
    const winner = retiredFor ?? (sets.reduce((won, set) => won + set, 0) > 0 ? 0 : 1);
    return winner === (leg.side === 'home' ? 0 : 1) ? EVEN : 0;
  }
  return payOut(leg, score!, line, rule('ties'));
}

/** Whether the event ended before a bet on the whole of it could count. */
function wasCutShort(story: Story, leg: Leg, rule: (topic: string) => any): boolean {
  const { sport, periods, status = 'final', minutesLeft = 0, retiredFor } = story;
  if (status !== 'final') return true;
  if (sport === 'mlb') {
    const [home, away] = add(periods);
    const needed = leg.market_key === 'h2h' ? 5 : rule('abandoned') === 'score' ? 0 : 9;
    return periods.length < (home > away ? needed - 0.5 : needed);
  }
  if (sport === 'tennis') {
    if (retiredFor === undefined) return false;
    if (leg.market_key !== 'h2h' || rule('retirement') === 'match_complete') return true;
    return rule('retirement') === 'first_set' && !periods.some(isWholeSet);
  }
  return FULL_MINUTES[sport] !== undefined && FULL_MINUTES[sport]! - minutesLeft < (rule('minimum_minutes') ?? 0);
}

const isWholeSet = ([one, other]: Pair): boolean =>
  Math.max(one, other) === 7 || (Math.max(one, other) === 6 && Math.abs(one - other) > 1);

/** A part that was played counts whatever came after it. */
function onPart(story: Story, leg: Leg, scope: LegScope, line: number, rule: (topic: string) => any): number {
  const { sport, periods, overtime = [0, 0], status = 'final' } = story;
  const half = ['nfl', 'ncaaf', 'nba'].includes(sport) ? 2 : 1;
  const parts: Readonly<Record<string, readonly Pair[]>> = {
    '1H': periods.slice(0, half),
    '2H': [...periods.slice(half), ...(sport !== 'soccer' && rule('second_half_overtime') ? [overtime] : [])],
    F5: periods.slice(0, 5),
    S1: periods.slice(0, 1),
  };
  if (status === 'walkover') return 1;
  const score = add(parts[scope] ?? [periods[Number(scope.slice(1)) - 1]!]);
  if (wasPartCutShort(story, scope, rule)) {
    const made = leg.market_key === 'team_total' ? score[leg.team_id! - 1]! : score[0] + score[1];
    const isTotal = leg.side === 'over' || leg.side === 'under';
    if (!isTotal || rule('abandoned') !== 'decided' || made <= line) return 1;
    return leg.side === 'over' ? EVEN : 0;
  }
  return payOut(leg, score, line, rule('ties'));
}

/** A game that was given up too early was given up in its last part. */
function wasPartCutShort(story: Story, scope: LegScope, rule: (topic: string) => any): boolean {
  const { sport, periods, minutesLeft = 0, retiredFor } = story;
  if (scope === 'F5') return periods.length < (add(periods)[0] > add(periods)[1] ? 4.5 : 5);
  if (scope === 'S1') return retiredFor !== undefined && periods.length === 1 && !isWholeSet(periods[0]!);
  const isLast = scope === '2H' || Number(scope.slice(1)) === periods.length;
  return (
    isLast && FULL_MINUTES[sport] !== undefined && FULL_MINUTES[sport]! - minutesLeft < (rule('minimum_minutes') ?? 0)
  );
}

function payOut(leg: Leg, [home, away]: Pair, line: number, ties: string): number {
  const margin = leg.side === 'home' ? home - away : away - home;
  const paid = (surplus: number): number => (surplus > 0 ? EVEN : surplus === 0 ? 1 : 0);
  switch (leg.market_key) {
    case 'h2h':
      if (leg.side === 'draw') return home === away ? EVEN : 0;
      return margin === 0 && ties === 'lost' ? 0 : paid(margin);
    case 'spreads':
      return paid(margin + line);
    default: {
      const made = leg.market_key === 'totals' ? home + away : leg.team_id === 1 ? home : away;
      return paid(leg.side === 'over' ? made - line : line - made);
    }
  }
}

const PERIODS: Readonly<Record<string, number>> = { nfl: 4, ncaaf: 4, nba: 4, ncaab: 2, nhl: 3, mlb: 9, soccer: 2 };
const points = fc.integer({ min: 0, max: 3 });
const pair = fc.tuple(points, points);

const teamStory = fc
  .record({
    sport: fc.constantFrom(...Object.keys(PERIODS)),
    periods: fc.array(pair, { minLength: 9, maxLength: 9 }),
    isShort: fc.boolean(),
    minutesLeft: fc.integer({ min: 1, max: 14 }),
    innings: fc.integer({ min: 3, max: 8 }),
    isLevel: fc.boolean(),
    overtime: pair,
    shootout: fc.constantFrom<0 | 1>(0, 1),
    status: fc.constantFrom('final' as const, 'final' as const, 'final' as const, 'walkover' as const),
    hoursLate: fc.constantFrom(0, 0, 0, 10, 20, 30, 40, 100, 400),
    hasOtherPitcher: fc.boolean(),
  })
  .map(({ periods: all, isShort, minutesLeft, innings, isLevel, overtime, shootout, ...story }): Story => {
    const { sport } = story;
    const timed = FULL_MINUTES[sport] !== undefined;
    const count = sport === 'mlb' && isShort ? innings : PERIODS[sport]!;
    const played = all.slice(0, count);
    const periods = isLevel ? played.map(([home]): Pair => [home, home]) : played;
    if (isShort) return { ...story, periods, ...(timed ? { minutesLeft } : {}) };
    const [home, away] = add(periods);
    if (home !== away) return { ...story, periods };
    if (sport === 'nhl' && overtime[0] === overtime[1]) return { ...story, periods, overtime: [0, 0], shootout };
    return { ...story, periods, overtime };
  });

const wholeSet = fc.constantFrom<Pair>([6, 4], [4, 6], [7, 6], [5, 7], [6, 0], [3, 6]);
const tennisStory = fc
  .record({
    sets: fc.array(wholeSet, { minLength: 0, maxLength: 2 }),
    part: fc.constantFrom<Pair>([1, 0], [3, 4], [5, 5]),
    retiredFor: fc.constantFrom<0 | 1 | undefined>(0, 1, undefined),
    hoursLate: fc.constantFrom(0, 0, 30, 200, 400),
  })
  .map(({ sets, part, retiredFor, hoursLate }): Story => {
    if (retiredFor !== undefined) return { sport: 'tennis', periods: [...sets, part], retiredFor, hoursLate };
    const first = sets[0] ?? [6, 4];
    return { sport: 'tennis', periods: [first, first], hoursLate };
  });

const SCOPES: Readonly<Record<string, readonly LegScope[]>> = {
  nfl: ['1H', '2H', 'Q1', 'Q2', 'Q3', 'Q4'],
  ncaaf: ['1H', '2H', 'Q1', 'Q4'],
  nba: ['1H', '2H', 'Q1', 'Q4'],
  ncaab: ['1H', '2H'],
  soccer: ['1H', '2H'],
  nhl: ['P1', 'P2', 'P3'],
  mlb: ['F5'],
  tennis: ['S1'],
};

const legFor = ({ sport }: Story) =>
  fc
    .record({
      market: fc.constantFrom('h2h', 'spreads', 'totals', 'team_total'),
      isFirst: fc.boolean(),
      isDraw: fc.boolean(),
      quarters: fc.integer({ min: -16, max: 40 }),
      scope: fc.option(fc.constantFrom(...SCOPES[sport]!), { nil: undefined }),
      team_id: fc.constantFrom(1, 2),
    })
    .map(({ market, isFirst, isDraw, quarters, scope, team_id }): Leg => {
      const part = scope === undefined ? {} : { scope };
      if (market === 'h2h')
        return legOf('h2h', isDraw && sport === 'soccer' ? 'draw' : isFirst ? 'home' : 'away', null, part);
      const line = quarters / 4;
      if (market === 'spreads') return legOf('spreads', isFirst ? 'home' : 'away', line, part);
      const side = isFirst ? 'over' : 'under';
      if (market === 'totals' || sport === 'tennis') return legOf('totals', side, line, part);
      return legOf('team_total', side, line, { ...part, team_id });
    });

const slip = fc.oneof({ weight: 4, arbitrary: teamStory }, { weight: 1, arbitrary: tennisStory }).chain((story) =>
  fc.record({
    story: fc.constant(story),
    legs: fc.array(legFor(story), { minLength: 1, maxLength: 8 }),
    book: fc.constantFrom(...RULE_SET_NAMES),
  }),
);

it('given a slip and a rule set, then two settlements that were written apart agree on every leg', () => {
  let legsSeen = 0;
  fc.assert(
    fc.property(slip, ({ story, legs, book }) => {
      const facts = factsOf(story);
      for (const leg of legs) {
        const settled = settleLeg(facts, leg, sportRulesOf(book, story.sport));
        expect([leg, settled, payoutFactor(settled.result_detail, EVEN)]).toEqual([
          leg,
          settled,
          moneyBack(story, leg, book),
        ]);
        legsSeen++;
      }
    }),
    { numRuns: cases(20_000) },
  );
  expect(legsSeen).toBeGreaterThan(1000);
});

it('the rule sets are ten bookmakers and three exchanges, beside the default, each with its source and day', () => {
  const others = files.filter(({ book }) => book !== 'spec');
  expect(others.filter(({ exchange }) => exchange)).toHaveLength(3);
  expect(others.filter(({ exchange }) => !exchange)).toHaveLength(10);
  expect([...RULE_SET_NAMES].sort()).toEqual(files.map(({ book }) => book).sort());
  for (const { source, date } of others)
    expect([source, date]).toEqual([expect.stringMatching(/^https?:\/\//), expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
});
