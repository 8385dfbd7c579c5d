import type { ScheduleContent, SportsEvent } from '../sports-event.ts';

type Schedule = Partial<ScheduleContent> | NonNullable<SportsEvent['schedule']>;

/** Of a schedule, what tells whether and how the game counts. Who plays stands beside it. */
export function countedSchedule(schedule: Schedule): ScheduleContent {
  const { starts_at, status, season, neutral_site, draw_type, round, competition, venue } = schedule as ScheduleContent;
  return {
    starts_at,
    ...(status === undefined ? {} : { status }),
    ...(season === undefined ? {} : { season }),
    ...(neutral_site === undefined ? {} : { neutral_site }),
    ...(draw_type === undefined ? {} : { draw_type }),
    ...(round === undefined ? {} : { round }),
    // Each replaces the former one whole, its surface too.
    ...(competition === undefined ? {} : { competition: onlySurface(competition) }),
    ...(venue === undefined ? {} : { venue: onlySurface(venue) }),
  } as ScheduleContent;
}

const onlySurface = ({ surface }: { readonly surface?: string }) => (surface === undefined ? {} : { surface });

/** The same of a whole event. @returns one whose members may be changed */
export function countedEvent({ schedule, statusSources, ...rest }: SportsEvent): SportsEvent {
  return {
    ...rest,
    statusSources: [...statusSources],
    starts: [],
    schedule: schedule && countedSchedule(schedule),
  };
}
