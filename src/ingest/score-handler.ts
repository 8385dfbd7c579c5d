import { eventDecider } from '../../commands/events/decider.ts';
import type { ScoreMessage } from '../domain/feed/messages.ts';
import type { ScoreContent } from '../domain/sports-event.ts';
import { withEvent } from './about-event.ts';
import { acceptedIf, type Handled, type Session } from './session.ts';
import { sideIndex } from './turning.ts';

/** A `score` message. */
export function handleScore(session: Session, message: ScoreMessage): Promise<Handled> {
  return withEvent(session, message, async ({ turned }, identity) => {
    const { kind, source, at, ref, match, scores, ...facts } = message;
    const content: ScoreContent = facts;
    if (scores) {
      const sides: [object | null, object | null] = [null, null];
      for (const { role, ...said } of scores) sides[sideIndex(role, turned)] = said;
      Object.assign(content, { sides });
    }
    const { origin } = identity;
    const fact = { kind: 'score', identity, at, source, content, ...(origin ? { origin } : {}) } as const;
    return acceptedIf(await session.states.decide(eventDecider, identity.eventId, fact));
  });
}
