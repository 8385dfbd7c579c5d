import type { DirectoryRank } from '../directory.ts';
import type { Observation, Reconfirmation } from '../observation.ts';
import type { Profile, ScheduleContent, ScoreContent, SportsEvent } from '../sports-event.ts';
import type { EventIdentity } from './event-identity.ts';
import { defineStream } from './stream-kind.ts';

interface SportsEventData {
  EventScheduled: Observation<ScheduleContent, SportsEvent> & EventIdentity;
  ScheduleReconfirmed: Reconfirmation & EventIdentity;
  ScoreChanged: Observation<ScoreContent, SportsEvent> & EventIdentity;
  ScoreReconfirmed: Reconfirmation & EventIdentity;
  /** A source's own id of the event was learned; `turned`: it has the sides the other way round. */
  EventBound: { at: string; source: string; ref: string; turned: boolean } & EventIdentity;
  /** The directory tells more, or newer, of a side than the schedule did. */
  ParticipantDescribed: {
    at: string;
    source: string;
    side: string;
    rank: DirectoryRank;
    profile: Profile;
  } & EventIdentity;
  /** A source looked for injuries and found nothing new. */
  InjuriesChecked: { at: string; source: string } & EventIdentity;
}

/** `event-ID`: when a sports event starts, who plays, how it stands. */
export const eventStream = defineStream<SportsEventData>()({
  name: 'event',
  partition: 'event',
  versions: {
    EventScheduled: 1,
    ScheduleReconfirmed: 1,
    ScoreChanged: 1,
    ScoreReconfirmed: 1,
    EventBound: 1,
    ParticipantDescribed: 1,
    InjuriesChecked: 1,
  },
});
