import { betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import type { QUOTED_MARKETS } from '../../../intelligence/prices/quotes.ts';
import type { Intelligence } from '../../../read-models/rendering/event-schemas.ts';
import { type Html, html } from '../../layout/html.ts';
import { formatPercent, formatPoint } from '../../live/page/view-model/odds-format.ts';
import { type ListedEvent, participantName } from '../shared/event-lists.ts';

/** Who is the favourite of a game that comes, by the market and by the server's own forecast, and the main lines. */
export function nextGameFacts(event: ListedEvent, bets: Intelligence['bets']): Html | false {
  const of = (market: (typeof QUOTED_MARKETS)[number]) =>
    betTokensOf(event.sport, market).map((token) => ({
      ...token,
      bet: bets.find(({ bet_type }) => bet_type === token.bet_type),
    }));
  const winners = of('h2h').filter(({ index }) => index !== null);
  const favouriteBy = (chance: (bet: Intelligence['bets'][number]) => number | null): string | undefined => {
    const known = winners.flatMap(({ index, bet }) => {
      const value = bet ? chance(bet) : null;
      return value === null ? [] : [{ name: sideName(event, index!), value }];
    });
    const [first, second] = known.sort((a, b) => b.value - a.value);
    if (!first || !second) return undefined;
    return first.value === second.value ? 'both alike' : `${first.name} ${formatPercent(first.value)}`;
  };
  const line = of('spreads').find(({ index, bet }) => index !== null && (bet?.market.line ?? 1) < 0);
  const total = of('totals')[0]?.bet?.market.line ?? null;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Favourite of the market', favouriteBy(({ fair }) => fair?.probability ?? null)],
    ['Favourite of the forecast', favouriteBy(({ probability }) => probability)],
    ['Spread', line && `${sideName(event, line.index!)} ${formatPoint(line.bet!.market.line!, 'spreads')}`],
    ['Total', total === null ? undefined : String(total)],
  ];
  const known = facts.filter(([, text]) => text !== undefined);
  if (known.length === 0) return false;
  return html`<dl class="facts-list">${known.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;
}

/** The side of an index of bets: the home side, or the first one of the names. */
function sideName({ participants = [], name }: ListedEvent, index: 0 | 1): string {
  const home = participants.findIndex(({ role }) => role === 'home');
  if (home === -1) return participants[index] ? participantName(participants[index]) : name;
  const side = index === 0 ? participants[home] : participants[1 - home];
  return side ? participantName(side) : name;
}
