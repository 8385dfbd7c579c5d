import { boxDecider } from '../../../commands/statistics-decider.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { BoxMessage } from '../../domain/feed/feed-messages.ts';
import type { BoxContent } from '../../domain/streams/domain-events.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { alignSides, sideIndex } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `box` message: statistics. */
function handle(session: IngestSession, message: BoxMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { kind, source, at, ref, match, ...reported } = message;
    const fact = { identity, at, source, content: alignBox(reported, identity.sport, swapped) };
    return acceptedIfAny(await session.states.decide(boxDecider, identity.eventId, fact));
  });
}

/** The statistics with the roles of the sport and the side order of the event. */
function alignBox({ teams, players, ...facts }: BoxContent, sport: string, swapped: boolean): BoxContent {
  const roles = rolesOf(sport);
  return {
    ...facts,
    ...(teams ? { teams: alignSides(teams, sport, swapped) } : {}),
    ...(players
      ? { players: players.map((player) => ({ ...player, role: roles[sideIndex(player.role, swapped)] })) }
      : {}),
  };
}

export const boxSubject = defineSubject({
  decider: boxDecider,
  messages: { box: { handle, lookups: eventLookups(boxDecider) } },
  replay: {
    BoxChanged: ({ data }) => ({ ...messageHead('box', data), ...data.content }),
  },
  swap: { BoxChanged: (content, sport) => alignBox(content, sport, true) },
});
