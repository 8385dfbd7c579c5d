import { eventDecider } from '../../../commands/events/decider.ts';
import { rolesOf } from '../../domain/sides.ts';
import type { EventSide } from '../../domain/sports-event.ts';
import { eventLookups } from '../about-event.ts';
import { handleSchedule, scheduleLookups } from '../schedule-handler.ts';
import { handleScore } from '../score-handler.ts';
import { subject } from '../subject.ts';
import { head, rolesAsTold, withoutId } from '../told-again.ts';

export const sportsEventSubject = subject({
  decider: eventDecider,
  messages: {
    schedule: { handle: handleSchedule, lookups: scheduleLookups },
    score: { handle: handleScore, lookups: eventLookups() },
  },
  again: {
    EventScheduled({ data }) {
      const { sport, league, origin } = data;
      const { sides, venue, competition, ...facts } = data.content;
      const own = origin?.turned ? [sides[1], sides[0]] : sides;
      const { refs } = origin ?? {};
      return {
        ...head('schedule', data),
        sport,
        league,
        ...(refs ? { refs } : {}),
        ...facts,
        participants: own.map((side, index) => participant(side, rolesOf(sport)[index]!)),
        ...withoutId('venue', venue),
        ...withoutId('competition', competition),
      };
    },
    ScoreChanged({ data }) {
      const { sides, ...facts } = data.content;
      const roles = rolesAsTold(data.sport, data.origin);
      const scores = sides?.flatMap((side, index) => (side ? [{ role: roles[index], ...side }] : []));
      return { ...head('score', data), ...facts, ...(scores ? { scores } : {}) };
    },
    InjuriesChecked: ({ data }) => ({ ...head('injury', data), checked: true }),
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
