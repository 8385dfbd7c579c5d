import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { type Line, outcomesOf, spread, total } from '../bookmakers/market-lines.ts';
import { SPORT_BOXES } from '../boxes/box-scores.ts';
import type { Pair } from '../simulation/chances.ts';
import { type Expected, progressOf, scopeChances, scopeOf, sideTotal } from './market-scopes.ts';
import { createPlayerPropPricer } from './player-prop-pricer.ts';
import type { SecondaryMarket, SecondaryQuote, SecondaryQuoteInputs } from './secondary-market.ts';

/** Bookmakers that offer markets apart from the lines of the match. */
const ON_PERIODS = new Set(['pinnacle', 'fanduel', 'draftkings']);
const ON_PLAYERS = new Set(['fanduel', 'draftkings', 'betmgm']);
/** Indexes of the market opinions at which secondary markets are priced. */
const PRICED_OPINIONS = new Set([2, 4]);
/** Number of price updates in a game, and number of updates from one pricing of the players to the next. */
const LIVE_UPDATES = 8;
const PLAYERS_EVERY = 2;

/** The prices of one bookmaker for the periods, sides and players of a game. */
export function secondaryQuotesOf(inputs: SecondaryQuoteInputs): SecondaryQuote[] {
  const { sport, book, opinions, steps, random } = inputs;
  const onPeriods = ON_PERIODS.has(book.slug);
  const onPlayers = ON_PLAYERS.has(book.slug) && SPORT_BOXES[sport].expectations !== undefined;
  if (!onPeriods && !onPlayers) return [];
  const scope = scopeOf(sport);
  const progress = progressOf(steps, scope);
  const sides = createScopePricer(inputs);
  const players = createPlayerPropPricer(inputs);
  const quotes: SecondaryQuote[] = [];
  const tell = (second: number, markets: readonly SecondaryMarket[]) => {
    if (markets.length > 0) quotes.push({ second, markets });
  };

  for (const [index, { second, chances }] of opinions.entries()) {
    if (!PRICED_OPINIONS.has(index) || chances === null) continue;
    const expected = chances();
    const lag = book.lagSeconds * random.between(4, 9);
    tell(Math.min(-90, second + lag), [
      ...(onPeriods ? sides.price(expected, [0, 0], { left: 1, ofScope: 1 }) : []),
      ...(onPlayers ? players.open(expected) : []),
    ]);
  }
  if (!book.inPlay || quotes.length === 0 || steps.length === 0) return quotes;
  let lastUpdate = 0;
  for (const [index, step] of steps.entries()) {
    const now = progress[index]!;
    const update = Math.floor((1 - now.left) * LIVE_UPDATES);
    if (update <= lastUpdate || now.left === 0) continue;
    const withPlayers = Math.floor(update / PLAYERS_EVERY) > Math.floor(lastUpdate / PLAYERS_EVERY);
    lastUpdate = update;
    tell(step.second + book.lagSeconds * random.between(0.6, 1.4), [
      ...(onPeriods ? sides.price(inputs.expected, step.score, now) : []),
      ...(onPlayers && withPlayers ? players.follow(step, now.left) : []),
    ]);
  }
  const end = steps.at(-1)!.second;
  return quotes.filter(({ second }) => second < end);
}

const TEAM_TOTALS = new Set<SportSlug>(['nfl', 'ncaaf', 'mlb', 'soccer']);

/** Prices the lines of the scope and the totals of the sides. */
function createScopePricer({ sport, book, roles, random }: SecondaryQuoteInputs) {
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
    ): SecondaryMarket[] {
      const markets: SecondaryMarket[] = [];
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
