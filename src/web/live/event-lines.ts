import { ApiError } from '../../api/calls/errors.ts';
import type { OperationContext } from '../../api/calls/operation.ts';
import { getPeriodOdds } from '../../api/operations/events/get-period-odds.ts';
import { getPlayerProps } from '../../api/operations/events/get-player-props.ts';
import { getTeamProps } from '../../api/operations/events/get-team-props.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { EventLines } from './live-answers.ts';

/**
 * Period lines, team totals and player props of one event as they stand, or as they stood.
 * @throws ApiError not_found where it was not known
 */
export async function readLines(
  context: OperationContext,
  id: number,
  asOf: (AsOf & { readonly text: string }) | undefined,
): Promise<EventLines> {
  const input = {
    id,
    as_of: asOf?.text,
    as_of_basis: asOf?.basis ?? 'recorded',
    include_alts: false,
    include_forecast: false,
  };
  const [periods, teams, players] = await Promise.all([
    whereTheSportHasThem(getPeriodOdds.run(input, context)),
    whereTheSportHasThem(getTeamProps.run(input, context)),
    whereTheSportHasThem(getPlayerProps.run({ ...input, bookmaker: 'all' }, context)),
  ]);
  const lines = {
    period_odds: periods?.period_odds ?? [],
    team_props: teams?.team_props ?? [],
    player_props: players?.player_props ?? [],
  };
  const slugs = new Set(Object.values(lines).flatMap((items) => items.flatMap(({ books }) => Object.keys(books))));
  const bookmakers = Object.fromEntries([...slugs].map((slug) => [slug, context.bookmakers.nameOf(slug)]));
  return { event_id: id, as_of: asOf?.text ?? null, bookmakers, ...lines };
}

/** What a sport does not have is refused as a bad request. */
async function whereTheSportHasThem<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_request') return undefined;
    throw error;
  }
}
