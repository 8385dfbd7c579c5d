import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { type PlayerBoxDocument, playerBoxes } from '../../../../projections/sports-events/player-boxes.ts';
import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { statValue } from '../../../domain/statistics/stat-values.ts';
import { convictionOf, evidenceInterval, sufficiencyOf } from '../../../intelligence/forecasts/model-forecast.ts';
import { usageIn } from '../../../intelligence/props/player-usage.ts';
import type { PastStat } from '../../../intelligence/props/prop-forecast.ts';
import { forecastProp, propModelVersion } from '../../../intelligence/props/prop-forecast.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { ForecastWager } from '../../../read-models/rendering/forecast-wager-schema.ts';
import { nameLineSides } from '../../../read-models/rendering/priced-lines.ts';
import { rankWagers } from '../../../read-models/rendering/render-forecast-wagers.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import type { AsOfMoments } from '../shared/known-games.ts';
import { type PastBox, readPastBoxes } from './past-boxes.ts';
import { type PropLine, readPropLines } from './prop-lines.ts';

/** Sports with forecasts for players. */
const SPORTS: ReadonlySet<string> = new Set<SportSlug>(['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl']);

/**
 * Forecasts for an event's players: a row for each player and market with a fresh line and at least one earlier box
 * score that contains the statistic; the most certain first. Empty in sports with forecasts of main lines.
 * @param event as it is, or was at the moment
 */
export async function readPropForecasts(
  context: Pick<OperationContext, 'store' | 'histories' | 'now'>,
  event: EventDocument,
  { asOf, reliability }: { readonly asOf: AsOf | undefined; readonly reliability: ForecastWager['reliability'] },
): Promise<ForecastWager[]> {
  const { schedule } = event.event;
  if (!SPORTS.has(playsLike(event.sport)) || !schedule || !hasKnownSides(event)) return [];
  const closesAt = marketsCloseAt(event.event);
  const now = asOf?.at ?? context.now();
  const moments = await momentsOf(context, event.id, { closesAt, now, asOf });
  const lines = await readPropLines(context, event.id, { clock: Math.min(now, closesAt), moments, asOf });
  if (lines.length === 0) return [];
  const players = [...new Set(lines.map(({ player }) => player))];
  const query = { sport: event.sport, before: timeOf(schedule.starts_at), moments, asOf };
  const boxes = await readPastBoxes(context, players, query);
  const rows: ForecastWager[] = [];
  for (const line of lines) {
    const row = forecastRow(event, line, pastGames(event.sport as SportSlug, boxes.get(line.player)!, line.market));
    if (row) rows.push({ ...row, reliability });
    await yieldToEventLoop();
  }
  return rankWagers(rows);
}

/**
 * From the start on, facts observed before it count. If the server knew the event before its start, its forecast was
 * made then, and nothing recorded later revises it.
 */
async function momentsOf(
  { store }: Pick<OperationContext, 'store'>,
  eventId: number,
  { closesAt, now, asOf }: { readonly closesAt: number; readonly now: number; readonly asOf: AsOf | undefined },
): Promise<AsOfMoments> {
  if (now < closesAt) return asOf ? [asOf] : [];
  const start = closesAt - 1;
  const known = (await store.get<PlayerBoxDocument>(playerBoxes.name, String(eventId)))?.document;
  const isLive = known !== undefined && known.heardAt < closesAt;
  const requestedAt = asOf?.basis === 'recorded' ? asOf.at : Number.POSITIVE_INFINITY;
  const recorded = isLive ? Math.min(requestedAt, start) : requestedAt;
  const observed: AsOf = { at: start, basis: 'observed' };
  return recorded === Number.POSITIVE_INFINITY ? [observed] : [{ at: recorded, basis: 'recorded' }, observed];
}

/** A player's values of a statistic, oldest first. Event ids follow the order of arrival, so they do not sort games. */
function pastGames(sport: SportSlug, boxes: readonly PastBox[], stat: string): PastStat[] {
  return boxes
    .flatMap(({ startsAt, carried, stats }) => {
      const value = statValue(sport, carried, stats, stat);
      const minutes = carried.has('minutes') ? stats['minutes']! : null;
      const usage = usageIn(sport, stat, (name) => statValue(sport, carried, stats, name));
      return value === null ? [] : [{ startsAt, value, minutes, usage }];
    })
    .sort((a, b) => a.startsAt - b.startsAt || a.value - b.value || (a.minutes ?? 0) - (b.minutes ?? 0));
}

function forecastRow(event: EventDocument, offered: PropLine, past: readonly PastStat[]): ForecastWager | null {
  const n = past.length;
  if (n === 0) return null;
  const { player, market, line, books } = offered;
  const sport = event.sport as SportSlug;
  const { side, probability, drivers } = forecastProp({ sport, stat: market, line }, past);
  return {
    event_id: event.id,
    sport,
    league: event.league,
    player: player.name,
    player_id: player.id,
    bet_type: null,
    player_role: null,
    market,
    line,
    side,
    p_hit: probability,
    interval: evidenceInterval(probability, n),
    sufficiency: sufficiencyOf(n),
    reliability: 'emerging',
    conviction: convictionOf(probability, n),
    model_version: propModelVersion(sport),
    selected: false,
    books: nameLineSides(books, 'over', 'under'),
    drivers: [...drivers],
    research: null,
  };
}
