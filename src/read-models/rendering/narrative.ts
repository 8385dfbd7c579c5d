import type { EventSides } from '../../domain/side-names.ts';
import type { Bet } from '../../intelligence/event-bets.ts';
import { sideName } from './event.ts';

/** What is told of the bet that is its event's pick; null of all others. */
export function narrativeText(header: EventSides, { token, narrative }: Pick<Bet, 'token' | 'narrative'>) {
  if (!narrative) return null;
  const { line, forecast, fair } = narrative;
  const name = token.index === null ? NAMES[token.side as keyof typeof NAMES] : sideName(header, token.index);
  const signed = line === null ? '' : ` ${token.index !== null && line > 0 ? '+' : ''}${line}`;
  const market = fair ? `, fair ${fair.percent}% from ${fair.books} ${fair.books === 1 ? 'book' : 'books'}` : '';
  return `${name}${signed}: forecast ${forecast}%${market}.`;
}

/** Of bets on the match. */
const NAMES = { over: 'Over', under: 'Under', draw: 'Draw' } as const;
