import { lineupDecider } from '../../../commands/statistics-decider.ts';
import type { LineupMessage } from '../../domain/feed/feed-messages.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { swapSides } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead, sidesAsReported } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `lineup` message. */
function handle(session: IngestSession, message: LineupMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { kind, source, at, ref, match, teams, probable_starters: starters, ...facts } = message;
    const content = {
      ...facts,
      teams: swapped ? swapSides(teams) : teams,
      ...(starters ? { probable_starters: swapped ? swapSides(starters) : starters } : {}),
    };
    const fact = { identity, at, source, content };
    return acceptedIfAny(await session.states.decide(lineupDecider, identity.eventId, fact));
  });
}

export const lineupSubject = defineSubject({
  decider: lineupDecider,
  messages: { lineup: { handle, lookups: eventLookups(lineupDecider) } },
  replay: {
    LineupChanged({ data }) {
      const { teams, probable_starters: starters, ...facts } = data.content;
      const { origin } = data;
      return {
        ...messageHead('lineup', data),
        ...facts,
        teams: sidesAsReported(teams, origin),
        ...(starters ? { probable_starters: sidesAsReported(starters, origin) } : {}),
      };
    },
  },
});
