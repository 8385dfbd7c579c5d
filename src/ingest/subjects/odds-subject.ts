import { oddsDecider } from '../../../commands/odds-decider.ts';
import type { FeedOutcome, OddsMessage } from '../../domain/feed/feed-messages.ts';
import type { PricedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { alignOutcome } from '../binding/side-swap.ts';
import { bookLookups, handleBook } from './book-handler.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** An `odds` message: the prices of one bookmaker. */
function handle(session: IngestSession, message: OddsMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { source, at, bookmaker } = message;
    const markets = message.markets.map(
      ({ key, scope = 'match', alternate = false, complete = true, outcomes, ...rest }): PricedMarket => ({
        ...rest,
        key,
        scope,
        alternate,
        complete,
        outcomes: outcomes.map((outcome) => alignOutcome(outcome, identity.sport, swapped)),
      }),
    );
    const fact = { identity, at, source, content: { bookmaker, markets } };
    return acceptedIfAny(await session.states.decide(oddsDecider, identity.eventId, fact));
  });
}

export const oddsSubject = defineSubject({
  decider: oddsDecider,
  messages: {
    odds: { handle, lookups: eventLookups(oddsDecider) },
    book: { handle: handleBook, lookups: bookLookups },
  },
  replay: {
    PricesChanged({ data }) {
      const { bookmaker, markets } = data.content;
      return { ...messageHead('odds', data), bookmaker, markets };
    },
  },
  swap: {
    PricesChanged: ({ bookmaker, markets }, sport) => ({
      bookmaker,
      markets: markets.map(({ outcomes, ...market }) => ({
        ...market,
        outcomes: outcomes.map((outcome) => alignOutcome(outcome as FeedOutcome, sport, true)),
      })),
    }),
  },
});
