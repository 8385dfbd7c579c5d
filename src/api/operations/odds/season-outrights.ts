import { z } from 'zod';
import { type OutrightsDocument, outrights, outrightsKey } from '../../../../projections/odds/outrights.ts';
import { type League, seasonId, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { decimalFromAmerican } from '../../../domain/odds/american-odds.ts';
import type { OutrightOutcome } from '../../../domain/odds/outright-prices.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { leaguePath, readTeamFacts, requireLeague, seasonParameter } from '../shared/league-seasons.ts';
import { asOfParameters, readAsOf, text } from '../shared/parameters.ts';

/** What the prices on the end of a season and their history share. */

export const path = z.object({ slug: leaguePath() });
export const seasonQuery = {
  season: seasonParameter,
  market: text('One market, such as `winner`; default: all.', { max: 60 }).optional(),
  ...asOfParameters,
};

/** Whom an outcome is on: `team_id` and `team`, or `player_id` and `player`. */
export const outcomeNames = {
  team_id: id.optional(),
  team: z.string().optional(),
  player_id: id.nullable().optional().meta({ description: 'Null where the directory does not know the player.' }),
  player: z.string().optional(),
};
type OutcomeNames = z.infer<z.ZodObject<typeof outcomeNames>>;

interface SeasonInput extends z.infer<typeof path> {
  readonly season?: number | undefined;
  readonly market?: string | undefined;
  readonly as_of?: string | undefined;
  readonly as_of_basis: AsOf['basis'];
}

/** Which prices of which season, at which moment; without `market` those of all markets. */
export interface SeasonMarket {
  readonly league: League;
  readonly season: number;
  readonly market?: string | undefined;
  readonly asOf: AsOf | undefined;
}

/** @throws ApiError not_found, sport_scope_denied, bad_request for a wrong moment */
export function readSeasonMarket(input: SeasonInput, context: OperationContext): SeasonMarket {
  const league = requireLeague(input.slug, context);
  const asOf = readAsOf(input, context.now);
  const season = input.season ?? seasonYear(league, asOf?.at ?? context.now());
  return { league, season, market: input.market, asOf };
}

interface SeasonOutrights {
  /** By market, then by bookmaker. */
  readonly books: readonly OutrightsDocument[];
  readonly namesOf: (outcome: OutrightOutcome) => OutcomeNames;
}

/** More bookmakers and markets than a season has. */
const MAX_BOOKS = 5000;

/**
 * The prices of some bookmakers on one season, with the names of teams as known at the moment.
 * @param includes whether a bookmaker is wanted
 */
export async function readSeasonOutrights(
  { league, season, market, asOf }: SeasonMarket,
  includes: (bookmaker: string) => boolean,
  context: OperationContext,
): Promise<SeasonOutrights> {
  const found = await readBooks(context, seasonId(league, season), asOf);
  const books = found
    .filter((book) => includes(book.bookmaker) && book.market === (market ?? book.market))
    .sort(
      (a, b) =>
        (a.market < b.market ? -1 : a.market > b.market ? 1 : 0) ||
        context.bookmakers.compare(a.bookmaker, b.bookmaker),
    );
  return { books, namesOf: await nameOutcomes(context, books, asOf) };
}

/** What a bookmaker offers now, the likeliest first. */
export const offeredOutcomes = ({ outcomes }: OutrightsDocument): OutrightOutcome[] =>
  Object.values(outcomes)
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .sort((a, b) => decimalFromAmerican(a.price) - decimalFromAmerican(b.price));

async function readBooks(
  context: OperationContext,
  season: number,
  asOf: AsOf | undefined,
): Promise<OutrightsDocument[]> {
  if (asOf) {
    const then = await context.histories.documentsAsOf(outrights, outrightsKey(season), asOf);
    return [...then.values()].filter((book) => book !== undefined);
  }
  const query = { where: { season_id: season }, limit: MAX_BOOKS };
  return (await context.store.find<OutrightsDocument>(outrights.name, query)).map(({ document }) => document);
}

async function nameOutcomes(
  context: OperationContext,
  books: readonly OutrightsDocument[],
  asOf: AsOf | undefined,
): Promise<SeasonOutrights['namesOf']> {
  const recordedBy = asOf?.basis === 'recorded' ? asOf.at : undefined;
  // An operator may have merged a team or a player into another one.
  const meaningOf = (what: 'team' | 'player', of: number) => context.replacements.meaningOf(what, of, recordedBy);
  const outcomes = books.flatMap((book) => Object.values(book.outcomes));
  const ids = outcomes.flatMap(({ team_id }) => (team_id === undefined ? [] : [meaningOf('team', team_id)]));
  const teams = await readTeamFacts(context, [...new Set(ids)], asOf);
  return ({ team, team_id, player, player_id = null }) => {
    if (team_id === undefined) {
      return { player_id: player_id === null ? null : meaningOf('player', player_id), player: player! };
    }
    const meant = meaningOf('team', team_id);
    return { team_id: meant, team: teams.get(meant)?.name ?? team! };
  };
}
