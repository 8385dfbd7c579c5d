import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { Bet } from '../../intelligence/event-bets.ts';
import { divideRounded } from '../../intelligence/prices/rounding.ts';
import { sideName } from './render-event.ts';
import type { KnownGames } from './statistics/side-form.ts';
import { standingRulesOf } from './statistics/standings.ts';

/** Maximum number of the newest games that a rationale mentions. */
const MAX_GAMES = 5;

/** The known facts of an event as short sentences without full stops: form, rest, meetings, forecast, market. */
export function renderRationale(
  document: EventDocument,
  ids: readonly [number, number] | null,
  games: KnownGames | null,
  bets: readonly Bet[],
): string[] {
  const moneyline = bets.filter(({ isMoneyline }) => isMoneyline);
  return [
    ...(ids && games ? gameSentences(document, ids, games) : []),
    ...forecastSentence(document, moneyline),
    ...marketSentence(document, moneyline),
  ];
}

function gameSentences(document: EventDocument, ids: readonly [number, number], games: KnownGames): string[] {
  const names = [sideName(document, 0), sideName(document, 1)] as const;
  const { outcome } = standingRulesOf(document);
  const form = ([0, 1] as const).flatMap((side) => {
    const results = games.sides[side].slice(0, MAX_GAMES).map(outcome);
    const count = (wanted: string) => results.filter((one) => one === wanted).length;
    const parts = [count('W'), ...(isSoccer(document.sport) ? [count('D')] : []), count('L')];
    return results.length > 0 ? [`${names[side]}: ${parts.join('-')} in the last ${results.length}`] : [];
  });
  const rest = ([0, 1] as const).flatMap((side) => {
    const newest = games.newest[side];
    if (newest === null) return [];
    const days = daysBetween(newest, games.startsAt);
    return [`${names[side]}: ${days} ${days === 1 ? 'day' : 'days'} since the last game`];
  });
  const meetings = games.meetings.slice(0, MAX_GAMES);
  const wonBy = (id: number) => meetings.filter(({ sides, winner }) => winner !== null && sides[winner] === id).length;
  const record = `${names[0]} ${wonBy(ids[0])}, ${names[1]} ${wonBy(ids[1])} in the last ${meetings.length}`;
  return [...form, ...rest, ...(meetings.length > 0 ? [`Head to head: ${record}`] : [])];
}

/** Days between the UTC dates of two times. */
const daysBetween = (earlier: number, later: number): number => Math.floor(later / DAY) - Math.floor(earlier / DAY);

function forecastSentence(document: EventDocument, moneyline: readonly Bet[]): string[] {
  const best = likeliest(moneyline, ({ forecast }) => forecast?.probability);
  return best ? [`Forecast: ${nameOf(document, best.bet)} ${best.percent}%`] : [];
}

function marketSentence(document: EventDocument, moneyline: readonly Bet[]): string[] {
  const best = likeliest(moneyline, ({ fair }) => fair?.probability);
  if (!best) return [];
  const { n_books } = best.bet.fair!;
  const from = `${n_books} ${n_books === 1 ? 'book' : 'books'}`;
  return [`Market: ${nameOf(document, best.bet)} ${best.percent}% from ${from}`];
}

/** The bet with the highest probability, the first one of equals; undefined if no bet has a probability. */
function likeliest(moneyline: readonly Bet[], of: (bet: Bet) => number | undefined) {
  let best: { bet: Bet; probability: number } | undefined;
  for (const bet of moneyline) {
    const probability = of(bet);
    if (probability !== undefined && probability > (best?.probability ?? 0)) best = { bet, probability };
  }
  return best && { bet: best.bet, percent: divideRounded(Math.round(best.probability * 1e6), 10_000) };
}

const nameOf = (document: EventDocument, { token }: Bet): string =>
  token.index === null ? 'Draw' : sideName(document, token.index);
