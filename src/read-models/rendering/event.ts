import { type EventDocument, seasonIdOf } from '../../../projections/events.ts';
import { hasPlay, isWinner, periodScores, resultType } from '../../domain/results.ts';
import { type EventSides, shownProfile } from '../../domain/side-names.ts';
import { isTennis, rolesOf, rulesOf } from '../../domain/sides.ts';
import { inprogressSince } from '../../domain/sports-event.ts';
import { formatTime, MINUTE } from '../../domain/time.ts';
import type { EventDetail, EventListItem, EventSummary, Participant, ScoreSnapshot } from './event-schemas.ts';
import { periodLabel } from './periods.ts';

/** The name that shows of a side, as the directory has it. */
export const sideName = (header: EventSides, index: 0 | 1): string => shownProfile(header, index)?.name ?? '';

/** `Away at Home`; soccer `Home v. Away`; tennis `First Last v. First Last`. */
export function eventName(document: EventDocument): string {
  const [first, second] = [sideName(document, 0), sideName(document, 1)];
  return rulesOf(document.sport).homeFirst ? `${first} v. ${second}` : `${second} at ${first}`;
}

/** Where a running event stands; nulls before the start, whatever a feed said. */
export function playState({ sport, event }: EventDocument) {
  const { status } = event;
  const period = hasPlay(status) ? (event.period ?? null) : null;
  return {
    status,
    period,
    period_label: period === null ? null : periodLabel(sport, period),
    clock: hasPlay(status) && rulesOf(sport).hasClock ? (event.clock ?? null) : null,
  };
}

/** @param document of an event that was scheduled */
export function eventSummary(document: EventDocument): EventSummary {
  const { id, sport, league, event } = document;
  const schedule = event.schedule!;
  const { status, period, period_label, clock } = playState(document);
  const moved = isTennis(sport) && event.starts.length > 1;
  const { competition } = schedule;
  return {
    id,
    name: eventName(document),
    sport,
    league,
    season_id: seasonIdOf(document)!,
    starts_at: schedule.starts_at,
    scheduled_start_at: moved ? event.starts[0]!.starts_at : null,
    starts_at_qualifier: schedule.starts_at_qualifier ?? null,
    inprogress_since: status === 'scheduled' || status === 'delayed' ? null : inprogressSince(event),
    status,
    result_type: resultType(document),
    period,
    period_label,
    clock,
    round: schedule.round ?? null,
    neutral_site: schedule.neutral_site ?? false,
    competition: competition
      ? {
          id: competition.id,
          name: competition.name,
          surface: competition.surface ?? null,
          tier: competition.tier ?? null,
        }
      : null,
    venue: venueSummary(schedule.venue),
  };
}

type Venue = NonNullable<NonNullable<EventDocument['event']['schedule']>['venue']>;

const venueSummary = (venue: Venue | undefined): EventSummary['venue'] => ({
  id: venue?.id ?? null,
  name: venue?.name ?? null,
  city: venue?.city ?? null,
  surface: venue?.surface ?? null,
  roof_type: venue?.roof_type ?? null,
  timezone: venue?.timezone ?? null,
});

/** Two pairs play doubles, two players singles, whether or not the schedule says so; a placeholder may be either. */
function drawOf({ sides }: EventDocument): 'singles' | 'doubles' | null {
  const [first] = sides?.filter(({ placeholder }) => !placeholder) ?? [];
  if (!first) return null;
  return first.key.startsWith('pair:') ? 'doubles' : 'singles';
}

/** The members that `include_scores` adds to a list item. */
function scoresPart(document: EventDocument) {
  const schedule = document.event.schedule!;
  return {
    participants: [participant(document, 0), participant(document, 1)],
    draw_type: rulesOf(document.sport).hasPairs ? (schedule.draw_type ?? drawOf(document)) : null,
    broadcast: schedule.broadcast ?? null,
    court: schedule.court ?? null,
    order_of_play: schedule.order_of_play ?? null,
  };
}

export const eventListItem = (document: EventDocument, withScores: boolean): EventListItem =>
  withScores ? { ...eventSummary(document), ...scoresPart(document) } : eventSummary(document);

/** @param now in milliseconds; `updated_at` is cut to it, as `updatedAt` says */
export function eventDetail(document: EventDocument, now?: number): EventDetail {
  const { venue } = document.event.schedule!;
  return {
    ...eventSummary(document),
    ...scoresPart(document),
    venue: { ...venueSummary(venue), country: venue?.country ?? null, capacity: venue?.capacity ?? null },
    updated_at: updatedAt(document, now),
  };
}

const AHEAD = 5 * MINUTE;

/** The server's spelling of the time at which it recorded the last message. A record that lies further ahead of the clock
 *  has kept the time of one before it, made by a clock that was wrong: then it is the clock's. */
function updatedAt({ updatedAt: recordedAt }: EventDocument, now = Number.POSITIVE_INFINITY): string {
  const at = Date.parse(recordedAt);
  return formatTime(at - now > AHEAD ? now : at);
}

function sideScore(document: EventDocument, index: 0 | 1) {
  const { sport, event } = document;
  const side = event.sides[index];
  const live = event.status === 'inprogress' && isTennis(sport);
  return {
    score: hasPlay(event.status) ? (side.score ?? null) : null,
    game_score: live ? (side.game_score ?? null) : null,
    is_winner: isWinner(document, index),
  };
}

function participant(document: EventDocument, index: 0 | 1): Participant {
  const { id, sport } = document;
  const profile = shownProfile(document, index)!;
  const side = document.sides![index];
  const isTeam = rulesOf(sport).entry === 'team';
  const { name, abbreviation, country_code, image_url } = profile;
  return {
    participant_id: 2 * id - 1 + index,
    role: rolesOf(sport)[index],
    ...sideScore(document, index),
    team: isTeam ? { id: side.id, name, abbreviation, country_code, image_url } : null,
    player: isTeam ? null : { id: side.id, name, country_code, image_url },
    period_scores: periodScores(document, index),
  };
}

/** The score of an event: what polls and streams get. @param now as for `eventDetail` */
export function scoreSnapshot(document: EventDocument, now?: number): ScoreSnapshot {
  const { id, sport } = document;
  const roles = rolesOf(sport);
  return {
    event_id: id,
    ...playState(document),
    scores: ([0, 1] as const).map((index) => ({
      role: roles[index],
      name: sideName(document, index),
      abbreviation: shownProfile(document, index)?.abbreviation ?? null,
      ...sideScore(document, index),
      period_scores: periodScores(document, index),
    })),
    updated_at: updatedAt(document, now),
  };
}
