import { oddsDecider } from '../../../commands/odds/decider.ts';
import type { FeedOutcome, OddsMessage } from '../../domain/feed/messages.ts';
import type { PricedMarket } from '../../domain/prices.ts';
import { eventLookups, withEvent } from '../about-event.ts';
import { acceptedIf, type Handled, type Session } from '../session.ts';
import { subject } from '../subject.ts';
import { head } from '../told-again.ts';
import { fitOutcome } from '../turning.ts';

/** An `odds` message: the prices of one bookmaker. */
function handle(session: Session, message: OddsMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { source, at, bookmaker } = message;
    const markets = message.markets.map(
      ({ key, scope = 'match', alternate = false, complete = true, outcomes, ...rest }): PricedMarket => ({
        ...rest,
        key,
        scope,
        alternate,
        complete,
        outcomes: outcomes.map((outcome) => fitOutcome(outcome, identity.sport, turned)),
      }),
    );
    const fact = { identity, at, source, content: { bookmaker, markets } };
    return acceptedIf(await session.states.decide(oddsDecider, identity.eventId, fact));
  });
}

export const oddsSubject = subject({
  decider: oddsDecider,
  messages: { odds: { handle, lookups: eventLookups(oddsDecider) } },
  again: {
    PricesChanged({ data }) {
      const { bookmaker, markets } = data.content;
      const turned = data.origin?.turned === true;
      return {
        ...head('odds', data),
        bookmaker,
        markets: markets.map(({ outcomes, ...market }) => ({
          ...market,
          outcomes: outcomes.map((outcome) => fitOutcome(outcome as FeedOutcome, data.sport, turned)),
        })),
      };
    },
  },
});
