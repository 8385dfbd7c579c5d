import betmgm from '../../../../docs/rules/betmgm.json' with { type: 'json' };
import betonline from '../../../../docs/rules/betonline.json' with { type: 'json' };
import bodog from '../../../../docs/rules/bodog.json' with { type: 'json' };
import bookmaker from '../../../../docs/rules/bookmaker.json' with { type: 'json' };
import draftkings from '../../../../docs/rules/draftkings.json' with { type: 'json' };
import ibetias from '../../../../docs/rules/ibetias.json' with { type: 'json' };
import kalshi from '../../../../docs/rules/kalshi.json' with { type: 'json' };
import pinnacle from '../../../../docs/rules/pinnacle.json' with { type: 'json' };
import polymarket from '../../../../docs/rules/polymarket.json' with { type: 'json' };
import smarkets from '../../../../docs/rules/smarkets.json' with { type: 'json' };
import spec from '../../../../docs/rules/spec.json' with { type: 'json' };
import sportsbetIo from '../../../../docs/rules/sportsbet_io.json' with { type: 'json' };
import thescore from '../../../../docs/rules/thescore.json' with { type: 'json' };
import titanbet from '../../../../docs/rules/titanbet.json' with { type: 'json' };
import { playsLike } from '../../catalogue/added-leagues.ts';
import type { SportSlug } from '../../catalogue/catalogue.ts';
import { type RuleSet, ruleSet, type SportRules, TOPICS } from './rule-set.ts';

const FILES = [
  spec,
  betmgm,
  betonline,
  bodog,
  bookmaker,
  draftkings,
  ibetias,
  kalshi,
  pinnacle,
  polymarket,
  smarkets,
  sportsbetIo,
  thescore,
  titanbet,
];

/** Read when the program starts: a file of another shape ends it. */
const SETS: ReadonlyMap<string, RuleSet> = new Map(
  FILES.map((file) => {
    const set = ruleSet.parse(file);
    return [set.book, set];
  }),
);

/** The rules that apply by default, and wherever a house says nothing. */
export const DEFAULT_RULES = 'spec';
export const RULE_SET_NAMES = [...SETS.keys()] as [string, ...string[]];

export const findRuleSet = (name: string): RuleSet | undefined => SETS.get(name);

/** Whether the house of this name says anything of the sport. */
export const hasRulesOf = (name: string, sport: string): boolean =>
  Object.values(SETS.get(name)?.[playsLike(sport as SportSlug)] ?? {}).some((rule) => rule !== null);

/** The rules of a sport, with the defaults where the house says nothing. A name without a rule set has the defaults. */
export function sportRulesOf(name: string, sport: string): SportRules {
  const [own, usual] = [SETS.get(name), SETS.get(DEFAULT_RULES)!].map((set) => set?.[playsLike(sport as SportSlug)]);
  return Object.fromEntries(
    TOPICS.map((topic) => [topic, own?.[topic] ?? usual?.[topic] ?? null]),
  ) as unknown as SportRules;
}
