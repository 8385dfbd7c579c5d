import { z } from 'zod';
import { type PlayerDocument, players } from '../../../../projections/directory/players.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { EVENT_STATUSES, type EventStatus, findLeague } from '../../../domain/catalogue/catalogue.ts';
import { rolesOf, rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { hasPlayBegun, isWinner } from '../../../domain/sports-events/event-results.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import type { Query } from '../../../read-models/store/read-store.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { readEventCalendar } from '../events/event-calendar.ts';
import { readEventCursor } from '../shared/list-cursors.ts';
import {
  checkDayRange,
  date,
  described,
  eventCursor,
  limit,
  MAX_RANGE_DAYS,
  playerPath,
  readDate,
} from '../shared/parameters.ts';
import { checkSportOf } from '../shared/unpaid-checks.ts';
import { readPlayer } from './player-operations.ts';

const DEFAULT_DAYS = 30;

const path = playerPath();
const query = z.object({
  status: described('Event status.', { enum: EVENT_STATUSES }).optional(),
  from: date('First UTC date; 30 days ago unless told.'),
  to: date('Last UTC date; in 30 days unless told.'),
  after_id: eventCursor,
  limit: limit(),
});
const row = z
  .object({
    event_id: id,
    starts_at: time,
    status: z.enum(EVENT_STATUSES),
    sport: z.string(),
    competition: z.string(),
    venue: z.string().nullable(),
    venue_city: z.string().nullable(),
    role: z.enum(['player_1', 'player_2', 'home', 'away']),
    result: z.enum(['win', 'loss']).nullable(),
    score: z.string().nullable(),
    opponent: z.object({ player_id: id.nullable(), name: z.string() }),
  })
  .meta({ id: 'PlayerEvent' });
const output = z.object({
  player_id: id,
  data: z.array(row),
  has_more: z.boolean(),
  next_after_id: z.int().nullable(),
});

type Input = z.infer<typeof path> & z.infer<typeof query>;

const table = answerTable(z.object({ player_id: id, ...row.shape }), ({ player_id, data }: z.infer<typeof output>) =>
  data.map((one) => ({ player_id, ...one })),
);

export const getPlayerEvents: Operation<
  z.infer<typeof path>,
  z.infer<typeof query>,
  unknown,
  z.infer<typeof output>
> = {
  name: 'get_player_events',
  method: 'GET',
  path: '/v1/players/{id}/events',
  tag: 'Teams and players',
  summary: 'The events of one player, or of the player’s team, newest first.',
  hint: 'For a team’s events take `list_events` with `team_id`.',
  input: { path, query },
  output,
  table,
  calendar: ({ data }, context) =>
    readEventCalendar(
      data.map(({ event_id }) => event_id),
      context,
    ),
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  async checkUnpaid(input, context) {
    readFilter(input, context.now());
    await checkSportOf(players.name, input.id, context);
    if (input.after_id !== undefined) await readEventCursor(input.after_id, context);
  },
  async run(input, context) {
    const { status } = input;
    const range = readFilter(input, context.now());
    const player = await readPlayer(context, input.id);
    const own = eventsFilterOf(player);
    const found = own ? await find(context, { ...own, ...(status === undefined ? {} : { status }) }, range, input) : [];
    const page = found.slice(0, input.limit);
    const has_more = found.length > input.limit;
    return {
      player_id: player.id,
      data: page.map((document) => renderRow(document, player)),
      has_more,
      next_after_id: has_more ? page.at(-1)!.id : null,
    };
  },
};

/** The range of days in the query. @throws ApiError bad_request, for an unknown status too */
function readFilter(input: Input, now: number): { from: number; to: number } {
  const { status } = input;
  if (status !== undefined && !EVENT_STATUSES.includes(status as EventStatus)) {
    throw badRequest(`status must be one of ${EVENT_STATUSES.join(', ')}`);
  }
  return readRange(input, now);
}

/** The start of the first day and the end of the last one, in milliseconds. @throws ApiError bad_request */
function readRange({ from, to }: Input, now: number): { from: number; to: number } {
  const today = Math.floor(now / DAY) * DAY;
  let first = from === undefined ? undefined : readDate('from', from);
  let last = to === undefined ? undefined : readDate('to', to);
  if (first !== undefined && last !== undefined) checkDayRange(first, last);
  // If only one bound is given, the other is 30 days from today, or 90 days from the given one if that lies on the far
  // side of today.
  first ??= last === undefined || last >= today ? today - DEFAULT_DAYS * DAY : last - MAX_RANGE_DAYS * DAY;
  last ??= first <= today ? today + DEFAULT_DAYS * DAY : first + MAX_RANGE_DAYS * DAY;
  checkDayRange(first, last);
  return { from: first, to: last + DAY - 1 };
}

/** In team sports the events are those of the player's current team. */
function eventsFilterOf({ id: playerId, sport, facts }: PlayerDocument): Query['where'] | undefined {
  if (rulesOf(sport).entry === 'player') return { player_ids: playerId };
  return facts.team_id === undefined ? undefined : { team_ids: facts.team_id };
}

async function find(
  context: OperationContext,
  where: Query['where'],
  { from, to }: { from: number; to: number },
  { after_id, limit: pageSize }: Input,
): Promise<readonly EventDocument[]> {
  const { store } = context;
  const after = after_id === undefined ? {} : { after: await readEventCursor(after_id, context) };
  const order = { field: 'starts_at', direction: 'desc' } as const;
  const range = { field: 'starts_at', from, to };
  const found = await store.find<EventDocument>(events.name, {
    ...(where ? { where } : {}),
    range,
    order,
    ...after,
    limit: pageSize + 1,
  });
  return found.map(({ document }) => document);
}

function renderRow(document: EventDocument, { id: playerId, sport, facts }: PlayerDocument): z.infer<typeof row> {
  const { event, sides } = document;
  const schedule = event.schedule!;
  const isOwn = (index: 0 | 1): boolean => {
    const side = sides![index];
    if (rulesOf(sport).entry === 'team') return side.id === facts.team_id;
    return side.id === playerId || (side.members?.some((member) => member.id === playerId) ?? false);
  };
  const own = isOwn(0) ? 0 : 1;
  const other = own === 0 ? 1 : 0;
  const won = isWinner(document, own);
  return {
    event_id: document.id,
    starts_at: schedule.starts_at,
    status: event.status,
    sport,
    competition: schedule.competition?.name ?? findLeague(document.league)?.name ?? document.league,
    venue: schedule.venue?.name ?? null,
    venue_city: schedule.venue?.city ?? null,
    role: rolesOf(sport)[own],
    result: won === true ? 'win' : isWinner(document, other) === true ? 'loss' : null,
    score: scoreOf(document, own),
    opponent: {
      player_id: rulesOf(sport).entry === 'player' ? sides![other].id : null,
      name: sideName(document, other),
    },
  };
}

/** Team sports as own-opponent (`27-20`); tennis as the player's own score. */
function scoreOf({ sport, event }: EventDocument, own: 0 | 1): string | null {
  if (!hasPlayBegun(event.status)) return null;
  const [mine, theirs] = [event.sides[own].score, event.sides[own === 0 ? 1 : 0].score];
  if (rulesOf(sport).score === 'sets') return mine ?? null;
  return mine === undefined || theirs === undefined ? null : `${mine}-${theirs}`;
}
