import { boxDecider } from '../../../commands/statistics-decider.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { BoxMessage } from '../../domain/feed/feed-messages.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { alignSides, sideIndex } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead, rolesAsReported, sidesAsReported } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `box` message: statistics. */
function handle(session: IngestSession, message: BoxMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { kind, source, at, ref, match, teams, players, ...facts } = message;
    const roles = rolesOf(identity.sport);
    const content = {
      ...facts,
      ...(teams ? { teams: alignSides(teams, identity.sport, swapped) } : {}),
      ...(players
        ? { players: players.map((player) => ({ ...player, role: roles[sideIndex(player.role, swapped)] })) }
        : {}),
    };
    const fact = { identity, at, source, content };
    return acceptedIfAny(await session.states.decide(boxDecider, identity.eventId, fact));
  });
}

export const boxSubject = defineSubject({
  decider: boxDecider,
  messages: { box: { handle, lookups: eventLookups(boxDecider) } },
  replay: {
    BoxChanged({ data }) {
      const { teams, players, ...facts } = data.content;
      const { sport, origin } = data;
      const roles: readonly string[] = rolesOf(sport);
      const reportedRoles = rolesAsReported(sport, origin);
      return {
        ...messageHead('box', data),
        ...facts,
        ...(teams ? { teams: sidesAsReported(teams, origin) } : {}),
        ...(players
          ? { players: players.map((player) => ({ ...player, role: reportedRoles[roles.indexOf(player.role)] })) }
          : {}),
      };
    },
  },
});
