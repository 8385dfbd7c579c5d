import { z } from 'zod';
import { type TeamDocument, teams } from '../../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { type IntelligenceDocument, intelligence } from '../../../../projections/sports-events/intelligence.ts';
import { EVENT_STATUSES, type EventStatus, findSeasonById, findSport } from '../../../domain/catalogue/catalogue.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { eventListItem } from '../../../read-models/rendering/event-schemas.ts';
import { renderEventListItem as render } from '../../../read-models/rendering/render-event.ts';
import type { DocumentReader, Query } from '../../../read-models/store/read-store.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { grantedSports, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { readEventCursor } from '../shared/list-cursors.ts';
import {
  boolean,
  checkDayRange,
  date,
  described,
  entityId,
  eventCursor,
  limit,
  oneOf,
  readDate,
  sportFilter,
  teamId,
  text,
} from '../shared/parameters.ts';
import { checkSportOf } from '../shared/unpaid-checks.ts';
import { readEventCalendar } from './event-calendar.ts';
import { eventsTable } from './event-tables.ts';

const query = z.object({
  sport: sportFilter,
  league: text('League slug.').optional(),
  status: described('Event status.', { enum: EVENT_STATUSES, examples: ['inprogress'] }).optional(),
  date: date('A UTC date; not together with `from` or `to`.'),
  from: date('First UTC date.'),
  to: date('Last UTC date; at most 90 days behind `from`.'),
  season_id: entityId('Id of a season.').optional(),
  team_id: teamId('Id of a team.').optional(),
  after_id: eventCursor,
  limit: limit(),
  include_scores: boolean('Adds the score and the participants to every event.').default(false),
  has_recommend: boolean('true keeps only events with a recommended bet.').optional(),
  sort: oneOf('`time`, or `status`: live, delayed or upcoming, final, cancelled or postponed.', [
    'time',
    'status',
  ]).default('time'),
});
type Input = z.infer<typeof query>;
export const eventPage = z.object({
  events: z.array(eventListItem),
  total: z.int().meta({ description: 'Events on this page.' }),
  next_after_id: z.int().nullable(),
});

/** The groups of `sort=status`, in order. */
const STATUS_GROUPS: readonly (readonly EventStatus[])[] = [
  ['inprogress', 'suspended'],
  ['delayed', 'scheduled'],
  ['final', 'walkover'],
  ['cancelled', 'postponed'],
];

export const listEvents: Operation<unknown, Input, unknown, z.infer<typeof eventPage>> = {
  name: 'list_events',
  method: 'GET',
  path: '/v1/events',
  tag: 'Events',
  brief: 'Which events there are: on a day, in a sport or league, of a team; listed by start.',
  summary: 'Events by start, filtered by sport, league, status, dates, season or team.',
  hint: 'Start here to find an event’s id. Scores only with `include_scores`, at most 20 such calls a minute together with `get_live_score`.',
  input: { query },
  output: eventPage,
  table: eventsTable,
  calendar: ({ events: listed }, context) =>
    readEventCalendar(
      listed.map(({ id }) => id),
      context,
    ),
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  sharedLimit: ({ include_scores }) => (include_scores ? 'score_poll' : undefined),
  cache: ({ include_scores }) => (include_scores ? 0 : 300),
  async checkUnpaid(input, context) {
    readFilter(input);
    requireSeason(input, context);
    if (input.team_id !== undefined) await checkSportOf(teams.name, input.team_id, context);
    if (input.after_id !== undefined) await readEventCursor(input.after_id, context);
  },
  async run(input, context) {
    const filter = readFilter(input);
    const where = await whereOf(input, context);
    const found = where ? await find(input, { ...filter, where }, context) : [];
    const page = found.slice(0, input.limit);
    const isLast = input.sort === 'status' || found.length <= input.limit;
    return {
      events: page.map((event) => render(event, input.include_scores)),
      total: page.length,
      next_after_id: isLast ? null : page.at(-1)!.id,
    };
  },
};

/** @throws ApiError bad_request for an unknown status, dates that are no range, and a cursor with `sort=status` */
function readFilter({ status, date: day, from, to, sort, after_id }: Input): Pick<Query, 'range'> {
  if (sort === 'status' && after_id !== undefined) throw badRequest('after_id does not go with sort=status');
  if (status !== undefined && !EVENT_STATUSES.includes(status as EventStatus)) {
    throw badRequest(`status must be one of ${EVENT_STATUSES.join(', ')}`);
  }
  if (day !== undefined && (from !== undefined || to !== undefined))
    throw badRequest('date does not go with from and to');
  const [first, last] = [day ?? from, day ?? to];
  const start = first === undefined ? undefined : readDate(day === undefined ? 'from' : 'date', first);
  const end = last === undefined ? undefined : readDate(day === undefined ? 'to' : 'date', last);
  if (start !== undefined && end !== undefined) checkDayRange(start, end);
  if (start === undefined && end === undefined) return {};
  return {
    range: {
      field: 'starts_at',
      ...(start === undefined ? {} : { from: start }),
      ...(end === undefined ? {} : { to: end + DAY - 1 }),
    },
  };
}

type Where = NonNullable<Query['where']>;

/** The equality filters of the query; undefined if nothing can match. */
async function whereOf(input: Input, context: OperationContext): Promise<Where | undefined> {
  const { sport, league, status, season_id, team_id } = input;
  const where: Record<string, Where[string]> = {};
  if (sport !== undefined) {
    if (!findSport(sport)) return undefined;
    requireSport(context.principal, sport);
    where['sport'] = sport;
  } else if (isLimitedToSports(context.principal)) {
    where['sport'] = grantedSports(context.principal);
  }
  if (team_id !== undefined) {
    const team = await context.store.get<TeamDocument>(teams.name, String(team_id));
    if (!team) return undefined;
    requireSport(context.principal, team.document.sport);
    where['team_ids'] = team_id;
  }
  if (league !== undefined) where['league'] = league;
  if (status !== undefined) where['status'] = status;
  requireSeason(input, context);
  if (season_id !== undefined) where['season_id'] = season_id;
  return where;
}

/** @throws ApiError sport_scope_denied */
function requireSeason({ season_id }: Input, { principal }: OperationContext): void {
  const season = season_id === undefined ? undefined : findSeasonById(season_id);
  if (season) requireSport(principal, season.league.sport);
}

type FoundEvents = readonly EventDocument[];

async function find(input: Input, filter: Omit<Query, 'limit'>, context: OperationContext): Promise<FoundEvents> {
  const { store } = context;
  const { where } = filter;
  const ask = input.has_recommend === true ? findRecommended : findEvents;
  const order = { field: 'starts_at', direction: 'asc' } as const;
  if (input.sort === 'status') {
    const found: EventDocument[] = [];
    for (const group of STATUS_GROUPS) {
      const statuses = group.filter((status) => input.status === undefined || status === input.status);
      if (statuses.length === 0 || found.length === input.limit) continue;
      const query = {
        ...filter,
        where: { ...where, status: statuses },
        order,
        limit: input.limit - found.length,
      };
      found.push(...(await ask(store, query)));
    }
    return found;
  }
  const after = input.after_id === undefined ? {} : { after: await readEventCursor(input.after_id, context) };
  // One more than the limit shows whether there is a next page.
  return ask(store, { ...filter, where, order, ...after, limit: input.limit + 1 });
}

async function findEvents(store: DocumentReader, query: Query): Promise<FoundEvents> {
  return (await store.find<EventDocument>(events.name, query)).map(({ document }) => document);
}

async function findRecommended(store: DocumentReader, query: Query): Promise<FoundEvents> {
  const where = { ...query.where, has_recommend: true };
  const found = await store.find<IntelligenceDocument>(intelligence.name, { ...query, where });
  const shown = await store.getMany<EventDocument>(
    events.name,
    found.map(({ document }) => String(document.id)),
  );
  // The event's read model lags behind the intelligence: the event appears in the next call.
  return shown.flatMap((stored) => (stored ? [stored.document] : []));
}
