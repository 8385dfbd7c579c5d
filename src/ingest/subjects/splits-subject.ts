import { splitsDecider } from '../../../commands/splits-decider.ts';
import type { SplitsMessage } from '../../domain/feed/feed-messages.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { SplitMarkets } from '../../domain/odds/betting-splits.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { swapSides } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `splits` message: accepted only before the known start of the event and before its first live message. */
function handle(session: IngestSession, message: SplitsMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ state: event, swapped }, identity) => {
    const { source, at, bookmaker = null } = message;
    const markets = swapped ? swapMarkets(message.markets) : message.markets;
    const fact = { identity, at, source, content: { bookmaker, markets } };
    const events = await session.states.decideWithoutStaging(splitsDecider, identity.eventId, fact);
    if (events.length > 0 && timeOf(at) >= marketsCloseAt(event.event)) {
      const text = 'at: splits are taken only before the start of the event';
      return { status: 'rejected', rejection: { code: 'splits_closed', message: text, path: 'at' } };
    }
    session.states.stage(splitsDecider, identity.eventId, events);
    return acceptedIfAny(events);
  });
}

/** A message may carry further members of any kind: they stay as they are. */
const swapMarkets = (markets: SplitMarkets): SplitMarkets => ({
  ...markets,
  ...(markets.moneyline && { moneyline: swapSides(markets.moneyline) }),
  ...(markets.spread && { spread: swapSides(markets.spread) }),
});

export const splitsSubject = defineSubject({
  decider: splitsDecider,
  messages: { splits: { handle, lookups: eventLookups(splitsDecider) } },
  replay: {
    SplitsChanged({ data }) {
      const { bookmaker, markets } = data.content;
      return {
        ...messageHead('splits', data),
        ...(bookmaker === null ? {} : { bookmaker }),
        markets,
      };
    },
  },
  swap: { SplitsChanged: (content) => ({ ...content, markets: swapMarkets(content.markets) }) },
});
