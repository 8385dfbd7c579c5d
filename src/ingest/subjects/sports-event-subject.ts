import { eventDecider } from '../../../commands/events/event-decider.ts';
import { seasonDecider } from '../../../commands/season-decider.ts';
import { sportsDecider } from '../../../commands/sports-decider.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { ScoreMessage } from '../../domain/feed/feed-messages.ts';
import type { EventSide, ScoreContent } from '../../domain/sports-events/sports-event.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { sideIndex } from '../binding/side-swap.ts';
import { judgeSettledContracts } from './contract-reports.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead, withoutId } from './replayed-message.ts';
import { handleSchedule, scheduleLookups } from './schedule-handler.ts';
import { findUnplayed } from './score-by-rules.ts';
import { defineSubject } from './subject.ts';

export const sportsEventSubject = defineSubject({
  decider: eventDecider,
  messages: {
    schedule: { handle: handleSchedule, lookups: scheduleLookups },
    score: { handle: handleScore, lookups: eventLookups() },
  },
  replay: {
    EventScheduled({ data }) {
      const { sport, league, origin } = data;
      const { sides, venue, competition, ...facts } = data.content;
      const { refs } = origin ?? {};
      return {
        ...messageHead('schedule', data),
        sport,
        league,
        ...(refs ? { refs } : {}),
        ...facts,
        participants: sides.map((side, index) => participant(side, rolesOf(sport)[index]!)),
        ...withoutId('venue', venue),
        ...withoutId('competition', competition),
      };
    },
    ScoreChanged({ data }) {
      const { sides, ...facts } = data.content;
      const roles = rolesOf(data.sport);
      const scores = sides?.flatMap((side, index) => (side ? [{ role: roles[index], ...side }] : []));
      return { ...messageHead('score', data), ...facts, ...(scores ? { scores } : {}) };
    },
    InjuriesChecked: ({ data }) => ({ ...messageHead('injury', data), checked: true }),
  },
  swap: {
    EventScheduled: (content) => ({ ...content, sides: [content.sides[1], content.sides[0]] }),
    ScoreChanged: ({ sides, ...facts }) => ({ ...facts, ...(sides ? { sides: [sides[1], sides[0]] } : {}) }),
  },
});

function participant(
  { ref, name, abbreviation, country_code, placeholder, members }: EventSide,
  role: string,
): Readonly<Record<string, unknown>> {
  return {
    role,
    ...(ref === undefined ? {} : { ref }),
    name,
    ...(abbreviation === null ? {} : { abbreviation }),
    ...(country_code === null ? {} : { country_code }),
    ...(placeholder ? { placeholder } : {}),
    ...(members?.length ? { members: members.map(({ id: _, ...member }) => member) } : {}),
  };
}

/** A `score` message. */
function handleScore(session: IngestSession, message: ScoreMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const rejection = findUnplayed(identity, message);
    if (rejection) return { status: 'rejected', rejection };
    const { kind, source, at, ref, match, scores, ...facts } = message;
    const content: ScoreContent = facts;
    if (scores) {
      const sides: [object | null, object | null] = [null, null];
      for (const { role, ...reported } of scores) sides[sideIndex(role, swapped)] = reported;
      Object.assign(content, { sides });
    }
    const { origin } = identity;
    const fact = { kind: 'score', identity, at, source, content, ...(origin ? { origin } : {}) } as const;
    const events = await session.states.decide(eventDecider, identity.eventId, fact);
    if (events.length > 0 && facts.status === 'final') await judgeSettledContracts(session, identity, { source, at });
    return acceptedIfAny(events);
  });
}

/** No message is about a season alone: schedules describe it. */
export const seasonSubject = defineSubject({ decider: seasonDecider, messages: {}, replay: {} });
/** Nor about a sport of CONFIG: its first schedule names it. */
export const sportsSubject = defineSubject({ decider: sportsDecider, messages: {}, replay: {} });
