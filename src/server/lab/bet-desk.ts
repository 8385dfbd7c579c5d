import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import type { Leg } from '../../domain/grading/leg.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { decimalOdds } from '../../intelligence/prices/odds-arithmetic.ts';
import { freshQuotes, outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { isBettableBook } from '../../intelligence/prices/sharp-books.ts';
import { findSide } from './bet-outcome.ts';
import type { PlayedEvent, PlayedEvents } from './played-events.ts';
import { type AskedBet, ProgramFault } from './program-lines.ts';

/** Why nothing of a bet was filled. */
export type Refusal =
  | 'unknown event'
  | 'not in the league'
  | 'unknown market'
  | 'unknown outcome'
  | 'not in its books'
  | 'event begun'
  | 'event not open'
  | 'not on offer'
  | 'below min_price'
  | 'stake limit';

/** A bet with its number, from 1 in the order in which they were made. */
export interface PlacedBet {
  readonly bet: number;
  readonly asked: AskedBet;
  /** Milliseconds. */
  readonly placedAt: number;
}

/** What one bookmaker took of a bet. */
export interface Fill {
  readonly bet: number;
  readonly leg: Leg;
  readonly book: string;
  /** American odds. */
  readonly price: number;
  readonly stake: number;
  /** Milliseconds. */
  readonly placedAt: number;
  readonly filledAt: number;
}

export interface RefusedBet {
  readonly bet: number;
  readonly reason: Refusal;
  /** Milliseconds: when that was known. */
  readonly refusedAt: number;
}

/** What came of one bet, for the program. */
export interface BetOutcome {
  readonly bet: number;
  readonly fills: readonly Fill[];
  /** Null where something was filled. */
  readonly reason: Refusal | null;
}

/** The bets of a run as they come out at one latency. */
export interface BetDesk {
  readonly latency: number;
  readonly fills: readonly Fill[];
  readonly refusals: readonly RefusedBet[];
  place(bet: PlacedBet): void;
  /** Whether `settleBefore` would settle anything. @param moment milliseconds */
  isDueBefore(moment: number): boolean;
  /**
   * Settles what is due before a moment: the run has played everything before it.
   * @param moment milliseconds
   * @returns what came of the bets, in order
   */
  settleBefore(moment: number): Promise<readonly BetOutcome[]>;
}

export interface DeskRules {
  /** Milliseconds from a bet to the moment at which a bookmaker takes it. */
  readonly latency: number;
  /** Where bets are made; undefined: everywhere. */
  readonly books: ReadonlySet<string> | undefined;
  /** The most that one bookmaker takes on one outcome of an event in the whole run; undefined: no limit. */
  readonly stakeLimit: number | undefined;
  /** Undefined: every league. */
  readonly league: string | undefined;
}

/** Bets of one run: more are a flood. */
export const MAX_BETS = 20_000;

export function createBetDesk(played: Pick<PlayedEvents, 'find'>, rules: DeskRules): BetDesk {
  const { latency, books, stakeLimit = Number.POSITIVE_INFINITY, league } = rules;
  const fills: Fill[] = [];
  const refusals: RefusedBet[] = [];
  const pending: PlacedBet[] = [];
  let next = 0;
  /** What each bookmaker has taken on an outcome. */
  const taken = new Map<string, number>();

  const takes = (book: string) => isBettableBook({ book }) && (books === undefined || books.has(book));

  /** The best offers of a market's outcome at a moment, the best first; or why there are none. */
  function offersFor({ asked }: PlacedBet, event: PlayedEvent, document: EventDocument, moment: number) {
    const market = QUOTED_MARKETS.find((name) => name === asked.market);
    if (!market) return 'unknown market';
    const side = findSide(document, market, asked.outcome);
    if (!side) return 'unknown outcome';
    if (asked.book !== null && !takes(asked.book)) return 'not in its books';
    const index = outcomesOf(market, isSoccer(document.sport)).indexOf(side);
    const line = market === 'h2h' ? null : asked.point;
    const offered = freshQuotes(event.board?.quotes(market) ?? [], moment)
      .filter(({ book }) => takes(book) && (asked.book === null || book === asked.book))
      .filter((quote) => quote.line === homeLine(market, side, line))
      .map(({ book, prices }) => ({ book, price: prices[index]! }))
      .sort((a, b) => decimalOdds(b.price) - decimalOdds(a.price) || (a.book < b.book ? -1 : 1));
    if (offered.length === 0) return 'not on offer';
    const least = asked.min_price === null ? 0 : decimalOdds(asked.min_price);
    const offers = offered.filter(({ price }) => decimalOdds(price) >= least);
    if (offers.length === 0) return 'below min_price';
    const leg: Leg = { event_id: document.id, market_key: market, side, line, player_id: null, team_id: null };
    return { leg, offers };
  }

  function stateOf(document: EventDocument | undefined, moment: number): Refusal | undefined {
    if (!document?.event.schedule) return 'unknown event';
    if (league !== undefined && document.league !== league) return 'not in the league';
    const { status } = document.event;
    if (status === 'postponed' || status === 'cancelled') return 'event not open';
    if (status !== 'scheduled' && status !== 'delayed') return 'event begun';
    return moment >= marketsCloseAt(document.event) ? 'event begun' : undefined;
  }

  function fill(bet: PlacedBet, event: PlayedEvent, moment: number): readonly Fill[] | Refusal {
    const { document } = event;
    const refusal = stateOf(document, moment);
    if (refusal) return refusal;
    const found = offersFor(bet, event, document!, moment);
    if (typeof found === 'string') return found as Refusal;
    const { leg, offers } = found;
    const made: Fill[] = [];
    let left = bet.asked.stake;
    for (const { book, price } of offers) {
      const key = JSON.stringify([book, leg.event_id, leg.market_key, leg.side, leg.line]);
      const before = taken.get(key) ?? 0;
      const stake = Math.min(left, stakeLimit - before);
      if (!(stake > 0)) continue;
      taken.set(key, before + stake);
      made.push({ bet: bet.bet, leg, book, price, stake, placedAt: bet.placedAt, filledAt: moment });
      left -= stake;
      if (!(left > 0)) break;
    }
    return made.length === 0 ? 'stake limit' : made;
  }

  const isDueBefore = (moment: number): boolean => next < pending.length && pending[next]!.placedAt + latency < moment;

  return {
    latency,
    isDueBefore,
    fills,
    refusals,
    place(bet) {
      if (bet.bet > MAX_BETS) throw new ProgramFault(`the program made more than ${MAX_BETS} bets in one run`);
      pending.push(bet);
    },
    async settleBefore(moment) {
      const outcomes: BetOutcome[] = [];
      while (isDueBefore(moment)) {
        const bet = pending[next++]!;
        const due = bet.placedAt + latency;
        const made = fill(bet, await played.find(bet.asked.event_id), due);
        if (typeof made === 'string') {
          refusals.push({ bet: bet.bet, reason: made, refusedAt: due });
          outcomes.push({ bet: bet.bet, fills: [], reason: made });
        } else {
          fills.push(...made);
          outcomes.push({ bet: bet.bet, fills: made, reason: null });
        }
      }
      return outcomes;
    },
  };
}

/** The line as quotes have it: home's for spreads. A negative zero is a zero. */
const homeLine = (market: QuotedMarket, side: Leg['side'], point: number | null): number | null =>
  market === 'spreads' && side === 'away' && point !== null ? 0 - point : point;
