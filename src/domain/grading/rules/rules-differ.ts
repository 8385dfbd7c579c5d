import { gameRulesOf } from '../../catalogue/game-rules.ts';
import type { WatchedMarket } from '../../odds/bookmaker-prices.ts';
import { isMoneyline, THREE_WAY } from '../../odds/three-way.ts';
import type { SportRules, Topic } from './rule-set.ts';
import { TOPICS } from './rule-set.ts';
import { findRuleSet, hasRulesOf, sportRulesOf } from './rule-sets.ts';

type Value = SportRules[Topic];

/** A topic in which houses settle an ending differently, with the rule of each by its slug. */
export type RulesDifference = { readonly topic: Topic } & Readonly<Record<string, Value>>;

const isBall = (sport: string): boolean => gameRulesOf({ sport }).unit === 'inning';
const isTennis = (sport: string): boolean => gameRulesOf({ sport }).unit === 'set';

type Differs = (sport: string, market: WatchedMarket, one: Value, other: Value) => boolean;
const always: Differs = () => true;
const never: Differs = () => false;

/** Whether two different rules make an ending of a bet on the whole event differ. */
const MATTERS: Readonly<Record<Topic, Differs>> = {
  // The moneyline of regular time is settled by that, whatever a house says of others.
  overtime: (sport, market) => !isTennis(sport) && market !== THREE_WAY,
  ties: (sport, market) => market === 'h2h' && !isTennis(sport),
  postponement_hours: always,
  // Only a total can be decided early, and only baseball voids a game that has a score for being short.
  abandoned: (sport, market, one, other) =>
    (market === 'totals' && (one === 'decided') !== (other === 'decided')) ||
    (!isMoneyline(market) && isBall(sport) && (one === 'score') !== (other === 'score')),
  listed_pitchers: isBall,
  minimum_minutes: (sport) => gameRulesOf({ sport }).clock === 'down',
  retirement: (sport, market) => isTennis(sport) && market === 'h2h',
  second_half_overtime: never,
};

/**
 * Where the houses of these names would settle one ending of a market differently. A house that says nothing of a topic
 * has the default, and one without a rule set is left out: what it does is not known.
 */
export function findRulesDifferences(
  sport: string,
  market: WatchedMarket,
  books: readonly string[],
): readonly RulesDifference[] {
  const known = [...new Set(books)].filter((book) => findRuleSet(book)).sort();
  const rules = known.map((book) => [book, sportRulesOf(book, sport)] as const);
  return TOPICS.flatMap((topic) => {
    const values = rules.map(([book, own]) => [book, own[topic]] as const);
    const differs = values.some(([, one], index) =>
      values.slice(index + 1).some(([, other]) => one !== other && MATTERS[topic](sport, market, one, other)),
    );
    return differs ? [{ topic, ...Object.fromEntries(values) } as unknown as RulesDifference] : [];
  });
}

/** The books of whose rules of a sport nothing is known. In order, without repetitions. */
export const booksWithoutRules = (sport: string, books: readonly string[]): readonly string[] =>
  [...new Set(books)].filter((book) => !hasRulesOf(book, sport)).sort();
