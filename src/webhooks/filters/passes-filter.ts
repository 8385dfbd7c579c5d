import { type AlertFilter, SEVERITIES } from '../../domain/alerts/alert-filter.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import { MAX_EV } from '../../intelligence/prices/bet-prices.ts';
import { evPercent, impliedProbability } from '../../intelligence/prices/odds-arithmetic.ts';
import type { MergedInto } from '../../read-models/change-feed/change-filter.ts';
import type { ClientChange } from '../../read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../../read-models/change-feed/change-subject.ts';
import type { BetIntelligence } from '../../read-models/rendering/event-schemas.ts';

/** The types that a subscription is told of: `filter.types` goes before `event_types`. */
export const typesOf = (filter: AlertFilter | null, eventTypes: readonly WebhookEventType[]) =>
  filter?.types ?? eventTypes;

/**
 * Whether a filter lets a change pass. All given members must; a threshold on a fact without such a number does not.
 * @param subject the event of the change, if it has one
 * @param merged says what was merged: a filter that names such a team or player goes on with the other one
 */
export function passesFilter(
  filter: AlertFilter | null,
  change: ClientChange,
  subject: ChangeSubject | null,
  merged?: MergedInto,
): boolean {
  if (filter?.score === undefined && isSilent(change)) return false;
  const given = filter ?? {};
  return RULES.every((rule) => rule(given, change, subject, merged));
}

/** A `score` that no score changed with: see the mapper of such moments. */
const isSilent = ({ eventType, score }: ClientChange): boolean =>
  eventType === 'score' && score !== undefined && !score.moments.includes('any');

type Rule = (filter: AlertFilter, change: ClientChange, subject: ChangeSubject | null, merged?: MergedInto) => boolean;

const RULES: readonly Rule[] = [
  ({ types }, { eventType }) => types === undefined || types.includes(eventType),
  ({ sports }, { sport }) => sports === undefined || sports.includes(sport),
  ({ leagues }, { league }) => leagues === undefined || (league !== null && leagues.includes(league)),
  ({ event_ids }, { eventId }) => event_ids === undefined || (eventId !== null && event_ids.includes(eventId)),
  ({ team_ids }, change, subject, merged) =>
    team_ids === undefined || intersects(team_ids, withMerged('team', teamsOf(change, subject), merged)),
  ({ player_ids }, change, subject, merged) =>
    player_ids === undefined || intersects(player_ids, withMerged('player', playersOf(change, subject), merged)),
  ({ bookmakers }, change) => bookmakers === undefined || isPriceOf(bookmakers, change),
  ({ markets }, { data }) => markets === undefined || markets.includes(String(data['market_key'])),
  ({ min_line_move: least }, change) => least === undefined || atLeast(lineMoveOf(change), least),
  ({ min_price_move: least }, change) => least === undefined || atLeast(priceMoveOf(change), least),
  ({ min_ev_percent: least, by }, change) => passesEv(least, by, change),
  ({ min_severity: least }, { data, eventType }) =>
    least === undefined ||
    (eventType === 'injury' && SEVERITIES.indexOf(data['severity'] as never) >= SEVERITIES.indexOf(least)),
  ({ before_start_minutes: minutes }, { observedAt }, subject) =>
    minutes === undefined || isBeforeStart(Date.parse(observedAt), subject?.startsAt ?? null, minutes * MINUTE),
  ({ score: moment }, change) => moment === undefined || isMoment(moment, change),
];

const intersects = (wanted: readonly number[], given: readonly number[]): boolean =>
  given.some((id) => wanted.includes(id));

const withMerged = (what: 'team' | 'player', ids: readonly number[], merged?: MergedInto): readonly number[] =>
  merged ? ids.flatMap((id) => [id, ...merged.mergedInto(what, id)]) : ids;

/** A change of an event concerns both of its teams. */
function teamsOf({ eventType, data }: ClientChange, subject: ChangeSubject | null): readonly number[] {
  if (eventType === 'identity' && data['what'] === 'team') return [data['into'] as number];
  return subject?.teamIds ?? [];
}

/** An injury concerns its player alone. */
function playersOf({ eventType, data }: ClientChange, subject: ChangeSubject | null): readonly number[] {
  if (eventType === 'identity' && data['what'] === 'player') return [data['into'] as number];
  if (eventType !== 'injury') return subject?.playerIds ?? [];
  return data['player_id'] === null ? [] : [data['player_id'] as number];
}

/** Steam passes with one of its bookmakers; an arbitrage needs all of its own. */
function isPriceOf(bookmakers: readonly string[], { data }: ClientChange): boolean {
  const {
    bookmaker,
    bookmakers: several,
    legs,
  } = data as {
    readonly bookmaker?: string;
    readonly bookmakers?: readonly string[];
    readonly legs?: readonly { readonly bookmaker: string }[];
  };
  if (legs) return legs.every((leg) => bookmakers.includes(leg.bookmaker));
  if (several) return several.some((one) => bookmakers.includes(one));
  return bookmaker === undefined || bookmakers.includes(bookmaker);
}

/** Numbers that differ in their last digits by arithmetic alone are the same. */
const TOLERANCE = 1e-9;
const atLeast = (value: number | null, least: number): boolean => value !== null && value >= least - TOLERANCE;

interface MoveData {
  readonly point_from?: number | null;
  readonly point_to?: number | null;
  readonly price_from?: number;
  readonly price_to?: number;
}

/** In points. */
function lineMoveOf({ data }: ClientChange): number | null {
  const { point_from: from, point_to: to } = data as MoveData;
  return typeof from === 'number' && typeof to === 'number' ? Math.abs(to - from) : null;
}

/** Of the implied probability, in points of a per cent. */
function priceMoveOf({ data }: ClientChange): number | null {
  const { price_from: from, price_to: to } = data as MoveData;
  return from === undefined || to === undefined
    ? null
    : 100 * Math.abs(impliedProbability(to) - impliedProbability(from));
}

/**
 * An edge opens when its expected value comes up to the threshold, and closes when it falls below it; without a threshold
 * when there is one at all. What changes on one side of it is not told.
 */
function passesEv(least: number | undefined, by: AlertFilter['by'], { eventType, data }: ClientChange): boolean {
  if (eventType === 'ev') {
    const isEdge = (percent: unknown) => typeof percent === 'number' && percent >= (least ?? 0) - TOLERANCE;
    return isEdge(data['ev_percent']) !== isEdge(data['ev_percent_before']);
  }
  return least === undefined || atLeast(by === 'blend' ? bestEvByBlend(data) : bestEvOf(data), least);
}

/** Of published bets. */
function bestEvOf({ bets }: ClientChange['data']): number | null {
  if (!Array.isArray(bets)) return null;
  const percents = bets.flatMap(({ ev }: { ev?: { ev_pct?: number } | null }) => ev?.ev_pct ?? []);
  return percents.length === 0 ? null : Math.max(...percents);
}

/** Of published bets: what their best prices return if the blend is right. */
function bestEvByBlend({ bets }: ClientChange['data']): number | null {
  if (!Array.isArray(bets)) return null;
  const percents = bets.flatMap(({ blend, best }: Partial<Pick<BetIntelligence, 'blend' | 'best'>>) => {
    const percent = blend && best ? evPercent(blend.probability, best.price) : 0;
    return percent > 0 && percent <= MAX_EV ? percent : [];
  });
  return percents.length === 0 ? null : Math.max(...percents);
}

const isBeforeStart = (at: number, startsAt: number | null, before: number): boolean =>
  startsAt !== null && at < startsAt && at >= startsAt - before;

const isMoment = (moment: NonNullable<AlertFilter['score']>, { score }: ClientChange): boolean =>
  score?.moments.includes(moment) ?? false;
