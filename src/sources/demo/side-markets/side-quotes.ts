import { SPORT_BOXES } from '../boxes/event-boxes.ts';
import type { SideMarket, SideQuote, SideWatching } from './market.ts';
import { playerPricer } from './player-pricer.ts';
import { progressOf, scopeOf } from './scopes.ts';
import { sidePricer } from './side-pricer.ts';

/** Who offers what beside the lines of the match. */
const ON_PERIODS = new Set(['pinnacle', 'fanduel', 'draftkings']);
const ON_PLAYERS = new Set(['fanduel', 'draftkings', 'betmgm']);
/** Of the looks before the start those at which more than the match is priced. */
const LOOKS = new Set([2, 4]);
/** Parts of a game after which it is priced anew, and of these how many pass between two looks at the players. */
const LIVE_LOOKS = 8;
const PLAYERS_EVERY = 2;

/** How a bookmaker prices the parts of a game, its sides and its players. */
export function sideQuotesOf(watching: SideWatching): SideQuote[] {
  const { sport, book, opinions, steps, random } = watching;
  const onPeriods = ON_PERIODS.has(book.slug);
  const onPlayers = ON_PLAYERS.has(book.slug) && SPORT_BOXES[sport].expectations !== undefined;
  if (!onPeriods && !onPlayers) return [];
  const scope = scopeOf(sport);
  const progress = progressOf(steps, scope);
  const sides = sidePricer(watching);
  const players = playerPricer(watching);
  const quotes: SideQuote[] = [];
  const tell = (second: number, markets: readonly SideMarket[]) => {
    if (markets.length > 0) quotes.push({ second, markets });
  };

  for (const [index, { second, chances }] of opinions.entries()) {
    if (!LOOKS.has(index) || chances === null) continue;
    const expected = chances();
    const lag = book.lagSeconds * random.between(4, 9);
    tell(Math.min(-90, second + lag), [
      ...(onPeriods ? sides.price(expected, [0, 0], { left: 1, ofScope: 1 }) : []),
      ...(onPlayers ? players.open(expected) : []),
    ]);
  }
  if (!book.inPlay || quotes.length === 0 || steps.length === 0) return quotes;
  let looked = 0;
  for (const [index, step] of steps.entries()) {
    const now = progress[index]!;
    const looks = Math.floor((1 - now.left) * LIVE_LOOKS);
    if (looks <= looked || now.left === 0) continue;
    const withPlayers = Math.floor(looks / PLAYERS_EVERY) > Math.floor(looked / PLAYERS_EVERY);
    looked = looks;
    tell(step.second + book.lagSeconds * random.between(0.6, 1.4), [
      ...(onPeriods ? sides.price(watching.expected, step.score, now) : []),
      ...(onPlayers && withPlayers ? players.follow(step, now.left) : []),
    ]);
  }
  const end = steps.at(-1)!.second;
  return quotes.filter(({ second }) => second < end);
}
