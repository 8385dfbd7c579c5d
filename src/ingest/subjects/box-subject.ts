import { boxDecider } from '../../../commands/statistics/decider.ts';
import type { BoxMessage } from '../../domain/feed/messages.ts';
import { rolesOf } from '../../domain/sides.ts';
import { eventLookups, withEvent } from '../about-event.ts';
import { acceptedIf, type Handled, type Session } from '../session.ts';
import { subject } from '../subject.ts';
import { head, rolesAsTold, sidesAsTold } from '../told-again.ts';
import { fitSides, sideIndex } from '../turning.ts';

/** A `box` message: statistics. */
function handle(session: Session, message: BoxMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { kind, source, at, ref, match, teams, players, ...facts } = message;
    const roles = rolesOf(identity.sport);
    const content = {
      ...facts,
      ...(teams ? { teams: fitSides(teams, identity.sport, turned) } : {}),
      ...(players
        ? { players: players.map((player) => ({ ...player, role: roles[sideIndex(player.role, turned)] })) }
        : {}),
    };
    const fact = { identity, at, source, content };
    return acceptedIf(await session.states.decide(boxDecider, identity.eventId, fact));
  });
}

export const boxSubject = subject({
  decider: boxDecider,
  messages: { box: { handle, lookups: eventLookups(boxDecider) } },
  again: {
    BoxChanged({ data }) {
      const { teams, players, ...facts } = data.content;
      const { sport, origin } = data;
      const own: readonly string[] = rolesOf(sport);
      const told = rolesAsTold(sport, origin);
      return {
        ...head('box', data),
        ...facts,
        ...(teams ? { teams: sidesAsTold(teams, origin) } : {}),
        ...(players ? { players: players.map((player) => ({ ...player, role: told[own.indexOf(player.role)] })) } : {}),
      };
    },
  },
});
