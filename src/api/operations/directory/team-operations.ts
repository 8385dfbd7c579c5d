import { z } from 'zod';
import { teams as projection, type TeamDocument } from '../../../../projections/directory/teams.ts';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { foldText, slugify } from '../../../domain/primitives/name-normalization.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { notFound } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { grantedSports, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { checkCursor, readPageById } from '../shared/list-cursors.ts';
import { boolean, cursor, limit, sportFilter, teamPath, text } from '../shared/parameters.ts';
import { checkSportOf } from '../shared/unpaid-checks.ts';

const listItem = z
  .object({
    id,
    slug: z.string(),
    name: z.string(),
    abbreviation: z.string().nullable(),
    image_url: z.string().nullable(),
    sport: z.string(),
    league: z.string(),
    conference: z.string().nullable(),
    division: z.string().nullable(),
    venue: z.object({ id: id.nullable(), name: z.string().nullable(), city: z.string().nullable() }),
    is_active: z.boolean(),
  })
  .meta({ id: 'TeamListItem' });
const detail = listItem
  .extend({
    short_name: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    country_code: z.string().nullable(),
  })
  .meta({ id: 'Team' });
const listOutput = z.object({ data: z.array(listItem), has_more: z.boolean(), next_after_id: z.int().nullable() });

const query = z.object({
  sport: sportFilter,
  league: text('League slug.').optional(),
  conference: text('Conference.').optional(),
  division: text('Division.').optional(),
  country: text('ISO country code.').optional(),
  q: text('Part of a name, short name, abbreviation or alias.').optional(),
  active: boolean('true or false; both where left out.').optional(),
  after_id: cursor,
  limit: limit(),
});

export const listTeams: Operation<unknown, z.infer<typeof query>, unknown, z.infer<typeof listOutput>> = {
  name: 'list_teams',
  method: 'GET',
  path: '/v1/teams',
  tag: 'Teams and players',
  brief: 'Lists the teams of a sport, league, conference or division.',
  summary: 'Teams, in the order of their ids.',
  hint: 'Finds a team’s id by name with `q`.',
  input: { query },
  output: listOutput,
  table: answerTable(listItem, ({ data }: z.infer<typeof listOutput>) => data),
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  checkUnpaid: ({ after_id }, context) => checkCursor(projection.name, after_id, context),
  async run(input, context) {
    const { principal } = context;
    const { sport, league, conference, division, country, q, active } = input;
    if (sport !== undefined && !findSport(sport)) return { data: [], has_more: false, next_after_id: null };
    if (sport !== undefined) requireSport(principal, sport);
    const sports = sport ?? (isLimitedToSports(principal) ? grantedSports(principal) : undefined);
    const where = {
      ...(sports === undefined ? {} : { sport: sports }),
      ...(league === undefined ? {} : { league }),
      ...(conference === undefined ? {} : { conference }),
      ...(division === undefined ? {} : { division }),
      ...(country === undefined ? {} : { country: country.toUpperCase() }),
      ...(active === undefined ? {} : { active }),
    };
    const contains = q === undefined ? {} : { contains: { field: 'search', text: foldText(q) } };
    return readPageById(context, projection.name, { where, ...contains }, input, (found: readonly TeamDocument[]) =>
      found.map(renderItem),
    );
  },
};

const path = teamPath();
export const getTeam: Operation<z.infer<typeof path>, unknown, unknown, z.infer<typeof detail>> = {
  name: 'get_team',
  method: 'GET',
  path: '/v1/teams/{id}',
  tag: 'Teams and players',
  summary: 'One team.',
  hint: 'Its events are in `list_events` with `team_id`.',
  input: { path },
  output: detail,
  errors: ['not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  checkUnpaid: ({ id: wanted }, context) => checkSportOf(projection.name, wanted, context),
  async run(input, { store, principal }) {
    const stored = await store.get<TeamDocument>(projection.name, String(input.id));
    if (!stored) throw notFound(`There is no team ${input.id}.`);
    requireSport(principal, stored.document.sport);
    const { short_name, city, state, country_code } = stored.document.facts;
    return {
      ...renderItem(stored.document),
      short_name: short_name ?? null,
      city: city ?? null,
      state: state ?? null,
      country_code: country_code ?? null,
    };
  },
};

function renderItem({ id: teamId, sport, league, facts }: TeamDocument): z.infer<typeof listItem> {
  const { slug, name, abbreviation, image_url, conference, division, venue, is_active } = facts;
  return {
    id: teamId,
    slug: slug ?? slugify(name),
    name,
    abbreviation: abbreviation ?? null,
    image_url: image_url ?? null,
    sport,
    league,
    conference: conference ?? null,
    division: division ?? null,
    venue: { id: venue?.id ?? null, name: venue?.name ?? null, city: venue?.city ?? null },
    is_active: is_active ?? true,
  };
}
