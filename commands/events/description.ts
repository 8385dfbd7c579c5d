import { timeOf } from '../../src/domain/observation.ts';
import { sameProfile } from '../../src/domain/sports-event.ts';
import { eventStream } from '../../src/domain/streams/sports-event-stream.ts';
import { happened } from '../../src/domain/streams/stream-kind.ts';
import { type DescriptionFact, named, type SportsEventEvent } from './event-facts.ts';
import { type EventState, placeKey } from './event-state.ts';

/**
 * What the directory tells of a side, and told from which time on, where the event does not show that already: the
 * answers as of any time then need the event's records alone. Before the event's first schedule only the last counts.
 */
export function decideDescription(fact: DescriptionFact, state: EventState): SportsEventEvent[] {
  const { identity, side, source } = fact;
  const first = state.firstSchedule ?? 0;
  const standings = fact.standings.filter(
    (_, index, all) => index + 1 === all.length || timeOf(all[index + 1]!.at) > first,
  );
  const told = state.described.get(side);
  const own = state.own.get(side);
  if (!told && own && standings.length === 1 && sameProfile(own, standings[0]!.profile)) return [];
  // A time at which nothing changes any more, but once did.
  const settled = [...(told?.values() ?? [])]
    .filter(({ rank, at }) => rank === 'described' && !fact.standings.some((standing) => standing.at === at))
    .flatMap(({ rank, at }) => {
      const last = fact.standings.findLast((standing) => timeOf(standing.at) < timeOf(at));
      return last ? [{ rank, at, profile: last.profile }] : [];
    });
  return [...standings, ...settled]
    .filter((standing) => {
      const known = told?.get(placeKey(standing));
      return !known || !sameProfile(known.profile, standing.profile);
    })
    .sort((a, b) => timeOf(a.at) - timeOf(b.at))
    .map(({ rank, at, profile }) => {
      const data = { at, source, side, rank, profile, ...named({ identity }) };
      return happened(eventStream, identity.eventId, 'ParticipantDescribed', data);
    });
}
