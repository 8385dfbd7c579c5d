import { splitsDecider } from '../../../commands/splits/decider.ts';
import type { SplitsMessage } from '../../domain/feed/messages.ts';
import { timeOf } from '../../domain/observation.ts';
import type { SplitMarkets } from '../../domain/splits.ts';
import { splitsCloseAt } from '../../domain/sports-event.ts';
import { eventLookups, withEvent } from '../about-event.ts';
import { acceptedIf, type Handled, type Session } from '../session.ts';
import { subject } from '../subject.ts';
import { head } from '../told-again.ts';
import { turnSides } from '../turning.ts';

/** A `splits` message: taken only before the start as known and before the first live message. */
function handle(session: Session, message: SplitsMessage): Promise<Handled> {
  return withEvent(session, message, async ({ state: event, turned }, identity) => {
    const { source, at, bookmaker = null } = message;
    const markets = turned ? turnMarkets(message.markets) : message.markets;
    const fact = { identity, at, source, content: { bookmaker, markets } };
    const events = await session.states.decided(splitsDecider, identity.eventId, fact);
    if (events.length > 0 && timeOf(at) >= splitsCloseAt(event.event)) {
      const text = 'at: splits are taken only before the start of the event';
      return { status: 'rejected', rejection: { code: 'splits_closed', message: text, path: 'at' } };
    }
    session.states.stage(splitsDecider, identity.eventId, events);
    return acceptedIf(events);
  });
}

const turnMarkets = (markets: object): SplitMarkets =>
  Object.fromEntries(Object.entries(markets).map(([name, sides]) => [name, turnSides(sides as object)]));

export const splitsSubject = subject({
  decider: splitsDecider,
  messages: { splits: { handle, lookups: eventLookups(splitsDecider) } },
  again: {
    SplitsChanged({ data }) {
      const { bookmaker, markets } = data.content;
      return {
        ...head('splits', data),
        ...(bookmaker === null ? {} : { bookmaker }),
        markets: data.origin?.turned ? turnMarkets(markets) : markets,
      };
    },
  },
});
