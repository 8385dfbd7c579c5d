import { type EventDocument, seasonIdOf } from '../../../projections/sports-events/events.ts';
import { gameRulesOf, type PlayedIn, periodWordOf } from '../../domain/catalogue/game-rules.ts';
import { isTennis, rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { formatTime, MINUTE } from '../../domain/primitives/time.ts';
import { type EventSides, profileOfSide } from '../../domain/side-profiles.ts';
import { hasPlayBegun, isWinner, periodScores, resultType } from '../../domain/sports-events/event-results.ts';
import { inprogressSince } from '../../domain/sports-events/sports-event.ts';
import type { EventDetail, EventListItem, EventSummary, Participant, ScoreSnapshot } from './event-schemas.ts';

/** The displayed name of a side, from the directory. */
export const sideName = (header: EventSides, index: 0 | 1): string => profileOfSide(header, index)?.name ?? '';

/**
 * `Away at Home`; soccer `Home v. Away`; tennis `First Last v. First Last`.
 * @param shownAs what stands for a side, in place of its name
 */
export const eventName = (document: EventDocument, shownAs = sideName): string =>
  nameOfSides(document.sport, [shownAs(document, 0), shownAs(document, 1)]);

/** @param sides as the sport has them: the home side is the first */
export const nameOfSides = (sport: string, [first, second]: readonly [string, string]): string =>
  rulesOf(sport).homeFirst ? `${first} v. ${second}` : `${second} at ${first}`;

/** Current period and clock of an event in play. Null before the start, even if a feed has sent them. */
function playState(document: EventDocument) {
  const { sport, event } = document;
  const { status } = event;
  const period = hasPlayBegun(status) ? (event.period ?? null) : null;
  return {
    status,
    period,
    period_label: period === null ? null : periodLabel(document, period),
    clock: hasPlayBegun(status) && rulesOf(sport).showsClock ? (event.clock ?? null) : null,
  };
}

/** @param document of an event that has a schedule */
export function renderEventSummary(document: EventDocument): EventSummary {
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
    venue: renderVenue(schedule.venue),
  };
}

type Venue = NonNullable<NonNullable<EventDocument['event']['schedule']>['venue']>;

const renderVenue = (venue: Venue | undefined): EventSummary['venue'] => ({
  id: venue?.id ?? null,
  name: venue?.name ?? null,
  city: venue?.city ?? null,
  surface: venue?.surface ?? null,
  roof_type: venue?.roof_type ?? null,
  timezone: venue?.timezone ?? null,
});

/** Two pairs play doubles and two players play singles, even if the schedule does not say so. A placeholder may be
 *  either. */
function drawOf({ sides }: EventDocument): 'singles' | 'doubles' | null {
  const [first] = sides?.filter(({ placeholder }) => !placeholder) ?? [];
  if (!first) return null;
  return first.key.startsWith('pair:') ? 'doubles' : 'singles';
}

/** The members that `include_scores` adds to a list item. */
function renderScores(document: EventDocument) {
  const schedule = document.event.schedule!;
  return {
    participants: [renderParticipant(document, 0), renderParticipant(document, 1)],
    draw_type: rulesOf(document.sport).hasPairs ? (schedule.draw_type ?? drawOf(document)) : null,
    broadcast: schedule.broadcast ?? null,
    court: schedule.court ?? null,
    order_of_play: schedule.order_of_play ?? null,
  };
}

export const renderEventListItem = (document: EventDocument, withScores: boolean): EventListItem =>
  withScores ? { ...renderEventSummary(document), ...renderScores(document) } : renderEventSummary(document);

/** @param now in milliseconds; `updated_at` is cut to it, see `updatedAt` */
export function renderEventDetail(document: EventDocument, now?: number): EventDetail {
  const { venue } = document.event.schedule!;
  return {
    ...renderEventSummary(document),
    ...renderScores(document),
    game_number: gameNumberOf(document),
    venue: { ...renderVenue(venue), country: venue?.country ?? null, capacity: venue?.capacity ?? null },
    updated_at: updatedAt(document, now),
  };
}

/** Unknown fields were always kept in records, so an older record may hold something else under this name. */
function gameNumberOf({ event }: EventDocument): 1 | 2 | 3 | null {
  const number: unknown = event.schedule?.game_number;
  return number === 1 || number === 2 || number === 3 ? number : null;
}

const MAX_CLOCK_SKEW = 5 * MINUTE;

/** The time at which the server recorded the last message. If a server's clock was once too far ahead, later records
 *  keep that wrong time. A time too far ahead of the present clock is therefore replaced by the present time. */
function updatedAt({ updatedAt: recordedAt }: EventDocument, now = Number.POSITIVE_INFINITY): string {
  const at = Date.parse(recordedAt);
  return formatTime(at - now > MAX_CLOCK_SKEW ? now : at);
}

function renderSideScore(document: EventDocument, index: 0 | 1) {
  const { sport, event } = document;
  const side = event.sides[index];
  const live = event.status === 'inprogress' && isTennis(sport);
  return {
    score: hasPlayBegun(event.status) ? (side.score ?? null) : null,
    game_score: live ? (side.game_score ?? null) : null,
    is_winner: isWinner(document, index),
  };
}

function renderParticipant(document: EventDocument, index: 0 | 1): Participant {
  const { id, sport } = document;
  const profile = profileOfSide(document, index)!;
  const side = document.sides![index];
  const isTeam = rulesOf(sport).entry === 'team';
  const { name, abbreviation, country_code, image_url } = profile;
  return {
    participant_id: 2 * id - 1 + index,
    role: rolesOf(sport)[index],
    ...renderSideScore(document, index),
    team: isTeam ? { id: side.id, name, abbreviation, country_code, image_url } : null,
    player: isTeam ? null : { id: side.id, name, country_code, image_url },
    period_scores: periodScores(document, index),
  };
}

/** The score of an event, for polls and streams. @param now as for `renderEventDetail` */
export function renderScoreSnapshot(document: EventDocument, now?: number): ScoreSnapshot {
  const { id, sport } = document;
  const roles = rolesOf(sport);
  return {
    event_id: id,
    ...playState(document),
    scores: ([0, 1] as const).map((index) => ({
      role: roles[index],
      name: sideName(document, index),
      abbreviation: profileOfSide(document, index)?.abbreviation ?? null,
      ...renderSideScore(document, index),
      period_scores: periodScores(document, index),
    })),
    updated_at: updatedAt(document, now),
  };
}

/** Names of periods by sport, with the values that the API documents. */
const ORDINALS = ['0th', '1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th'];
function ordinal(n: number): string {
  if (n < ORDINALS.length) return ORDINALS[n]!;
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}

const HALVES: Readonly<Record<string, string>> = {
  '1H': '1st Half',
  '2H': '2nd Half',
  HT: 'Half-time',
  ET1: 'Extra Time 1st Half',
  ET2: 'Extra Time 2nd Half',
  PKs: 'Penalties',
  SO: 'Shootout',
  OT: 'Overtime',
};
const INNING = /^(Top|Mid|Bot|End) (\d{1,3})$/;
const INNING_WORDS: Readonly<Record<string, string>> = { Top: 'Top', Mid: 'Middle', Bot: 'Bottom', End: 'End of' };

/** The displayed name of a period: `3rd Quarter`, `Top 5th`, `2nd Set`. An unknown period is its own label. */
function periodLabel(game: PlayedIn, period: string): string {
  const named = ownValue(HALVES, period);
  if (named !== undefined) return named;
  const overtime = /^OT(\d{1,2})$/.exec(period);
  if (overtime) return `${ordinal(Number(overtime[1]))} Overtime`;
  const inning = INNING.exec(period);
  if (inning) return `${INNING_WORDS[inning[1]!]} ${ordinal(Number(inning[2]))}`;
  const set = /^Set (\d{1,2})$/.exec(period);
  if (set) return `${ordinal(Number(set[1]))} Set`;
  if (/^\d{1,2}$/.test(period)) {
    const periodWord = periodWordOf(gameRulesOf(game));
    if (periodWord !== null) return `${ordinal(Number(period))} ${periodWord}`;
  }
  return period;
}

/** The head of every answer about lines: the same state of the event as in its score snapshot. */
export function renderMarketState(document: EventDocument, available: boolean) {
  const { status, period, clock } = playState(document);
  return { event_id: document.id, available, sport: document.sport, status, period, clock };
}
