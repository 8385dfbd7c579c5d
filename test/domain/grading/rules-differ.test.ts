import { describe, expect, it } from 'vitest';
import type { Leg } from '../../../src/domain/grading/leg.ts';
import { type SportRules, TOPICS, type Topic } from '../../../src/domain/grading/rules/rule-set.ts';
import { RULE_SET_NAMES, sportRulesOf } from '../../../src/domain/grading/rules/rule-sets.ts';
import { booksWithoutRules, findRulesDifferences } from '../../../src/domain/grading/rules/rules-differ.ts';
import { settleLeg } from '../../../src/domain/grading/settle-leg.ts';
import { factsOf, legOf, type Story } from './game-story.ts';

const SPORTS = ['nfl', 'ncaaf', 'nba', 'ncaab', 'nhl', 'mlb', 'soccer', 'tennis'] as const;
const MARKETS = ['h2h', 'spreads', 'totals'] as const;
type Market = (typeof MARKETS)[number];
const LEGS: Readonly<Record<Market, readonly Leg[]>> = {
  h2h: [legOf('h2h', 'home'), legOf('h2h', 'away')],
  spreads: [-1.5, 0, 1.5].flatMap((line) => [legOf('spreads', 'home', line), legOf('spreads', 'away', -line)]),
  totals: [2.5, 20.5].flatMap((line) => [legOf('totals', 'over', line), legOf('totals', 'under', line)]),
};

const PERIODS: Readonly<Record<string, number>> = { nfl: 4, ncaaf: 4, nba: 4, ncaab: 2, nhl: 3, mlb: 9, soccer: 2 };

/** Every way to end in which houses have rules of their own, for one sport. */
function endingsOf(sport: string): readonly Story[] {
  if (sport === 'tennis') {
    return [
      {
        sport,
        periods: [
          [6, 4],
          [6, 4],
        ],
      },
      { sport, periods: [[3, 2]], retiredFor: 0 },
      {
        sport,
        periods: [
          [6, 4],
          [1, 2],
        ],
        retiredFor: 1,
      },
      ...[13, 25, 40, 170, 340].map(
        (hoursLate): Story => ({
          sport,
          periods: [
            [6, 4],
            [6, 4],
          ],
          hoursLate,
        }),
      ),
    ];
  }
  const periods = Array.from({ length: PERIODS[sport]! }, (_, period): [number, number] => [1 + (period % 2), 1]);
  const level = periods.map((): [number, number] => [1, 1]);
  return [
    { sport, periods },
    { sport, periods: level },
    { sport, periods: level, overtime: [3, 0] },
    { sport, periods: level, overtime: [0, 3] },
    { sport, periods, status: 'cancelled' },
    { sport, periods, status: 'walkover' },
    { sport, periods, hasOtherPitcher: true },
    ...[13, 25, 40, 170, 340].map((hoursLate): Story => ({ sport, periods, hoursLate })),
    ...(sport === 'mlb'
      ? [4, 6].map((innings): Story => ({ sport, periods: periods.slice(0, innings) }))
      : sport === 'soccer'
        ? []
        : [3, 7, 9, 13].map((minutesLeft): Story => ({ sport, periods, minutesLeft }))),
  ];
}

/** What every leg of the market comes to in every ending. Most pairs of houses share their rules of most sports. */
const known = new Map<string, string>();
function detailsOf(rules: SportRules, sport: string, market: Market): string {
  const key = JSON.stringify([sport, market, rules]);
  let details = known.get(key);
  if (details === undefined) {
    details = endingsOf(sport)
      .flatMap((story) => LEGS[market].map((leg) => settleLeg(factsOf(story), leg, rules).result_detail))
      .join();
    known.set(key, details);
  }
  return details;
}

const pairs = RULE_SET_NAMES.flatMap((one, index) =>
  RULE_SET_NAMES.slice(index + 1).map((other) => [one, other] as const),
);

describe.each(pairs)('%s and %s', (one, other) => {
  it('given a table of endings, then a topic is named exactly if it changes one of them', () => {
    for (const sport of SPORTS) {
      for (const market of MARKETS) {
        const named = findRulesDifferences(sport, market, [one, other]).map(({ topic }) => topic);
        expect([sport, market, ...named]).toEqual([sport, market, ...changingTopics(sport, market, one, other)]);
      }
    }
  });

  it('given them the other way round, then the answer is the same, with the rule of each', () => {
    for (const sport of SPORTS) {
      for (const market of MARKETS) {
        const found = findRulesDifferences(sport, market, [one, other]);
        expect(findRulesDifferences(sport, market, [other, one])).toEqual(found);
        for (const difference of found) {
          const { topic, ...values } = difference;
          const rules = (name: string) => sportRulesOf(name, sport)[topic];
          expect(values).toEqual({ [one]: rules(one), [other]: rules(other) });
        }
      }
    }
  });
});

/** The topics that by themselves change an ending, from the rules of either house. */
function changingTopics(sport: string, market: Market, one: string, other: string): readonly Topic[] {
  const [own, theirs] = [sportRulesOf(one, sport), sportRulesOf(other, sport)];
  return TOPICS.filter((topic) => {
    if (own[topic] === theirs[topic]) return false;
    const changes = (base: SportRules, value: SportRules[Topic]) =>
      detailsOf({ ...base, [topic]: value }, sport, market) !== detailsOf(base, sport, market);
    return changes(own, theirs[topic]) || changes(theirs, own[topic]);
  });
}

describe('the houses of one opportunity', () => {
  it('given the same house twice, or houses with the same rules, then nothing differs', () => {
    expect(findRulesDifferences('nfl', 'h2h', ['draftkings', 'draftkings'])).toEqual([]);
    expect(findRulesDifferences('nfl', 'h2h', ['ibetias', 'titanbet'])).toEqual([]);
  });

  it('given houses without a rule set, or with one that says nothing of the sport, then their rules are unknown', () => {
    const books = ['thescore', 'fanduel', 'draftkings', 'fanduel'];
    expect(booksWithoutRules('nfl', books)).toEqual(['fanduel']);
    expect(booksWithoutRules('soccer', books)).toEqual(['draftkings', 'fanduel', 'thescore']);
  });

  it('given a house without a rule set, then it is left out', () => {
    expect(findRulesDifferences('tennis', 'h2h', ['titanbet', 'nobody'])).toEqual([]);
  });

  it('given three, then each has its rule', () => {
    expect(findRulesDifferences('tennis', 'h2h', ['titanbet', 'ibetias', 'smarkets'])).toEqual([
      { topic: 'retirement', ibetias: 'started', smarkets: 'first_set', titanbet: 'match_complete' },
    ]);
  });
});
