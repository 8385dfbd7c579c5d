import { z } from 'zod';
import {
  isActivePlayer,
  type PlayerDocument,
  players as projection,
} from '../../../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../../../projections/directory/teams.ts';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { foldText, slugify } from '../../../domain/primitives/name-normalization.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import { notFound } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { grantedSports, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { checkCursor, readPageById } from '../shared/list-cursors.ts';
import { boolean, cursor, limit, playerPath, sportFilter, text } from '../shared/parameters.ts';
import { checkSportOf } from '../shared/unpaid-checks.ts';

const player = z
  .object({
    id,
    slug: z.string(),
    full_name: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    sport: z.string(),
    country_code: z.string().nullable(),
    birthdate: z.string().nullable(),
    position: z.string().nullable(),
    handedness: z.enum(['left', 'right', 'switch']).nullable(),
    height_cm: z.number().nullable(),
    weight_kg: z.number().nullable(),
    tennis_ranking: z.int().nullable(),
    tennis_ranking_points: z.int().nullable(),
    current_team_id: id.nullable(),
    current_team_name: z.string().nullable(),
    is_active: z.boolean(),
    retired_at: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({ id: 'Player' });
type Player = z.infer<typeof player>;
const listOutput = z.object({ data: z.array(player), has_more: z.boolean(), next_after_id: z.int().nullable() });

const query = z.object({
  sport: sportFilter,
  q: text('Part of the full name or an alias.').optional(),
  country: text('ISO alpha-3 country code.').optional(),
  active: boolean('true: active; false: retired; both where left out.').optional(),
  ranked: boolean('true keeps only tennis players who are ranked now.').optional(),
  after_id: cursor,
  limit: limit(),
});

export const searchPlayers: Operation<unknown, z.infer<typeof query>, unknown, z.infer<typeof listOutput>> = {
  name: 'search_players',
  method: 'GET',
  path: '/v1/players',
  tag: 'Teams and players',
  brief: 'Finds players by name.',
  summary: 'Players, in the order of their ids.',
  hint: 'Finds a player’s id by name with `q`.',
  input: { query },
  output: listOutput,
  table: answerTable(player, ({ data }: z.infer<typeof listOutput>) => data),
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  checkUnpaid: ({ after_id }, context) => checkCursor(projection.name, after_id, context),
  async run(input, context) {
    const { store, principal } = context;
    const { sport, q, country, active, ranked } = input;
    if (sport !== undefined && !findSport(sport)) return { data: [], has_more: false, next_after_id: null };
    if (sport !== undefined) requireSport(principal, sport);
    const sports = sport ?? (isLimitedToSports(principal) ? grantedSports(principal) : undefined);
    const where = {
      ...(sports === undefined ? {} : { sport: sports }),
      ...(country === undefined ? {} : { country: country.toUpperCase() }),
      ...(active === undefined ? {} : { active }),
      ...(ranked === true ? { ranked: true } : {}),
    };
    const contains = q === undefined ? {} : { contains: { field: 'search', text: foldText(q) } };
    return readPageById(context, projection.name, { where, ...contains }, input, (found: readonly PlayerDocument[]) =>
      render(store, found),
    );
  },
};

const path = playerPath();
export const getPlayer: Operation<z.infer<typeof path>, unknown, unknown, Player> = {
  name: 'get_player',
  method: 'GET',
  path: '/v1/players/{id}',
  tag: 'Teams and players',
  summary: 'One player.',
  hint: 'The player’s matches are in `get_player_events`.',
  input: { path },
  output: player,
  errors: ['not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  checkUnpaid: ({ id: wanted }, context) => checkSportOf(projection.name, wanted, context),
  async run(input, context) {
    const [rendered] = await render(context.store, [await readPlayer(context, input.id)]);
    return rendered!;
  },
};

/** @throws ApiError not_found, sport_scope_denied */
export async function readPlayer(
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
  playerId: number,
): Promise<PlayerDocument> {
  const stored = await store.get<PlayerDocument>(projection.name, String(playerId));
  if (!stored) throw notFound(`There is no player ${playerId}.`);
  requireSport(principal, stored.document.sport);
  return stored.document;
}

/** Reads the names of teams now, since a team's name may change without a change of its players. */
async function render(store: DocumentReader, found: readonly PlayerDocument[]): Promise<Player[]> {
  const teamIds = [...new Set(found.flatMap(({ facts }) => (facts.team_id === undefined ? [] : [facts.team_id])))];
  const stored = await store.getMany<TeamDocument>(teams.name, teamIds.map(String));
  const names = new Map(
    stored.flatMap((team) => (team ? [[team.document.id, team.document.facts.name] as const] : [])),
  );
  return found.map((document) => renderPlayer(document, names));
}

function renderPlayer(document: PlayerDocument, teamNames: ReadonlyMap<number, string>): Player {
  const { id: playerId, sport, facts } = document;
  const { team_id } = facts;
  return {
    id: playerId,
    slug: slugify(facts.full_name),
    full_name: facts.full_name,
    first_name: facts.first_name ?? null,
    last_name: facts.last_name ?? null,
    sport,
    country_code: facts.country_code ?? null,
    birthdate: facts.birthdate ?? null,
    position: facts.position ?? null,
    handedness: facts.handedness ?? null,
    height_cm: facts.height_cm ?? null,
    weight_kg: facts.weight_kg ?? null,
    tennis_ranking: facts.tennis_ranking ?? null,
    tennis_ranking_points: facts.tennis_ranking_points ?? null,
    current_team_id: team_id ?? null,
    current_team_name: team_id === undefined ? null : (teamNames.get(team_id) ?? null),
    is_active: isActivePlayer(document),
    retired_at: facts.retired_at ?? null,
    image_url: facts.image_url ?? null,
  };
}
