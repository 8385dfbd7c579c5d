import type { SportSlug } from '../../../domain/catalogue.ts';
import type { Pair } from '../books/chances.ts';
import { type Line, outcomesOf, spread, total } from '../books/lines.ts';
import type { SideMarket, SideWatching } from './market.ts';
import { type Expected, scopeChances, scopeOf, sideTotal } from './scopes.ts';

const TEAM_TOTALS = new Set<SportSlug>(['nfl', 'ncaaf', 'mlb', 'soccer']);

/** Lines of the scope, and totals of the sides. */
export function sidePricer({ sport, book, roles, random }: SideWatching) {
  const scope = scopeOf(sport);
  const opinion = random.normal(0, book.ownOpinion);
  const open = new Map<string, Line>();
  const isNews = (name: string, line: Line | null): line is Line => {
    const present = open.get(name);
    const news =
      line !== null &&
      (present?.point !== line.point ||
        Math.abs(present!.probabilities[0]! - line.probabilities[0]!) >= book.leastChange);
    if (news) open.set(name, line);
    return news;
  };
  return {
    price(
      expected: Expected,
      score: Pair,
      { left, ofScope }: { readonly left: number; readonly ofScope: number },
    ): SideMarket[] {
      const markets: SideMarket[] = [];
      if (scope && ofScope > 0) {
        const chances = scopeChances(sport, scope, expected, score, ofScope);
        for (const line of [
          spread(chances, opinion, open.get('spreads')?.point),
          total(chances, opinion, open.get('totals')?.point),
        ]) {
          if (line && isNews(line.key, line)) {
            markets.push({ key: line.key, scope: scope.name, outcomes: outcomesOf(line, book, roles) });
          }
        }
      }
      if (!TEAM_TOTALS.has(sport)) return markets;
      const outcomes = (['home', 'away'] as const).flatMap((team, side) => {
        const line = total(sideTotal(sport, expected, side as 0 | 1, score, left), opinion, open.get(team)?.point);
        return isNews(team, line) ? outcomesOf(line, book, roles).map((outcome) => ({ ...outcome, team })) : [];
      });
      if (outcomes.length > 0) markets.push({ key: 'team_totals', complete: false, outcomes });
      return markets;
    },
  };
}
