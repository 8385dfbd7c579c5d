import { lineupDecider } from '../../../commands/statistics/decider.ts';
import type { LineupMessage } from '../../domain/feed/messages.ts';
import { eventLookups, withEvent } from '../about-event.ts';
import { acceptedIf, type Handled, type Session } from '../session.ts';
import { subject } from '../subject.ts';
import { head, sidesAsTold } from '../told-again.ts';
import { turnSides } from '../turning.ts';

/** A `lineup` message. */
function handle(session: Session, message: LineupMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { kind, source, at, ref, match, teams, probable_starters: starters, ...facts } = message;
    const content = {
      ...facts,
      teams: turned ? turnSides(teams) : teams,
      ...(starters ? { probable_starters: turned ? turnSides(starters) : starters } : {}),
    };
    const fact = { identity, at, source, content };
    return acceptedIf(await session.states.decide(lineupDecider, identity.eventId, fact));
  });
}

export const lineupSubject = subject({
  decider: lineupDecider,
  messages: { lineup: { handle, lookups: eventLookups(lineupDecider) } },
  again: {
    LineupChanged({ data }) {
      const { teams, probable_starters: starters, ...facts } = data.content;
      const { origin } = data;
      return {
        ...head('lineup', data),
        ...facts,
        teams: sidesAsTold(teams, origin),
        ...(starters ? { probable_starters: sidesAsTold(starters, origin) } : {}),
      };
    },
  },
});
