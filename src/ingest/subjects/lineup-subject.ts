import { lineupDecider } from '../../../commands/statistics-decider.ts';
import type { LineupMessage } from '../../domain/feed/feed-messages.ts';
import type { LineupContent } from '../../domain/streams/domain-events.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { swapSides } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `lineup` message. */
function handle(session: IngestSession, message: LineupMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { kind, source, at, ref, match, teams, probable_starters: starters, ...facts } = message;
    const reported = { ...facts, teams, ...(starters ? { probable_starters: starters } : {}) };
    const fact = { identity, at, source, content: swapped ? swapLineup(reported) : reported };
    return acceptedIfAny(await session.states.decide(lineupDecider, identity.eventId, fact));
  });
}

const swapLineup = (content: LineupContent): LineupContent => ({
  ...content,
  teams: swapSides(content.teams),
  ...(content.probable_starters ? { probable_starters: swapSides(content.probable_starters) } : {}),
});

export const lineupSubject = defineSubject({
  decider: lineupDecider,
  messages: { lineup: { handle, lookups: eventLookups(lineupDecider) } },
  replay: {
    LineupChanged: ({ data }) => ({ ...messageHead('lineup', data), ...data.content }),
  },
  swap: { LineupChanged: swapLineup },
});
