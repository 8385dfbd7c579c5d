import { z } from 'zod';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { type InjuriesDocument, injuries as projection } from '../../../../projections/sports-events/injuries.ts';
import { INJURY_STATUSES, type InjuryStatus } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { hasPlayBegun } from '../../../domain/sports-events/event-results.ts';
import { availabilityOf, findFinalCheck, nextCheckAt } from '../../../domain/sports-events/injury-reports.ts';
import { startKnownAt } from '../../../domain/sports-events/sports-event.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { costWhenAvailable, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { asOfParameters, described, eventPath, listPattern, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';

const path = eventPath();
const query = z.object({
  exclude_status: described('Comma-separated statuses to leave out, in any case.', {
    pattern: listPattern(INJURY_STATUSES),
    examples: ['available,probable'],
  }).optional(),
  ...asOfParameters,
});
const output = z
  .object({
    event_id: id,
    available: z.boolean(),
    last_checked_at: time.nullable(),
    confirmed_at: time.nullable(),
    next_check_at: time.nullable(),
    injuries: z.array(
      z.object({
        player: z.string(),
        player_id: id.nullable(),
        team: z.string(),
        team_id: id.nullable(),
        status: z.enum(INJURY_STATUSES),
        previous_status: z.enum(INJURY_STATUSES).nullable(),
        body_part: z.string().nullable(),
        note: z.string(),
        source_url: z.string(),
        severity: z.enum(['info', 'material', 'critical']),
        last_changed_at: time,
      }),
    ),
  })
  .meta({ id: 'Injuries' });
type Injuries = z.infer<typeof output>;

const { event_id, last_checked_at, confirmed_at, next_check_at, injuries } = output.shape;
const table = answerTable(
  z.object({ event_id, last_checked_at, confirmed_at, next_check_at, ...injuries.element.shape }),
  ({ injuries: all, ...checks }: Injuries) => all.map((one) => ({ ...checks, ...one })),
);

export const getInjuries: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Injuries> = {
  name: 'get_injuries',
  method: 'GET',
  path: '/v1/events/{id}/injuries',
  tag: 'Injuries',
  summary: 'Who is injured or unavailable for one event, and when that was checked.',
  hint: '`available` with an empty list: a source has looked, and nobody is out.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => 300,
  checkUnpaid(input, context) {
    readStatuses(input.exclude_status ?? '');
    return checkEventRead(input, context);
  },
  async run(input, context) {
    const excluded = readStatuses(input.exclude_status ?? '');
    const asOf = readAsOf(input, context.now);
    const event = await readEvent(context, input.id, asOf);
    const reports = await readReports(context, event, asOf);
    return render(event, reports, excluded, asOf?.at ?? context.now());
  },
};

function readStatuses(parameter: string): ReadonlySet<InjuryStatus> {
  const words = parameter.split(',').map((word) => word.trim().toLowerCase());
  const statuses = words.filter((word) => word !== '');
  for (const word of statuses) {
    if (!INJURY_STATUSES.includes(word as InjuryStatus)) {
      throw badRequest(`exclude_status: ${word} is none of ${INJURY_STATUSES.join(', ')}`);
    }
  }
  return new Set(statuses as InjuryStatus[]);
}

const MAX_PLAYERS = 10_000;

/** Injury reports on the players of both teams. They belong to a team, and so apply to all its events. */
async function readReports(
  context: OperationContext,
  event: EventDocument,
  asOf: AsOf | undefined,
): Promise<InjuriesDocument[]> {
  const teamIds = (event.sides ?? [])
    .filter(({ key, id: sideId }) => sideId !== null && key.startsWith('team:'))
    .map((side) => side.id!);
  if (teamIds.length === 0) return [];
  if (asOf) {
    const folded = await Promise.all(
      teamIds.map((teamId) => context.histories.documentsAsOf(projection, `${teamId}:`, asOf)),
    );
    return folded.flatMap((documents) => [...documents.values()]);
  }
  const found = await context.store.find<InjuriesDocument>(projection.name, {
    where: { team_id: teamIds },
    limit: MAX_PLAYERS,
  });
  return found.map(({ document }) => document);
}

function render(
  event: EventDocument,
  documents: readonly InjuriesDocument[],
  excluded: ReadonlySet<InjuryStatus>,
  now: number,
): Injuries {
  const over = event.event.overAt === null ? Number.POSITIVE_INFINITY : timeOf(event.event.overAt);
  const startAt = (at: number) => timeOf(startKnownAt(event.event, at)!);
  const checks = event.checks.map(timeOf).filter((check) => check < over);
  const rows: Injuries['injuries'] = [];
  for (const { teamId, playerId, reports } of documents) {
    // Reports after the end belong to later events.
    const own = reports.filter(({ at }) => timeOf(at) < over);
    checks.push(...own.map(({ at }) => timeOf(at)));
    const availability = availabilityOf(own, startAt);
    if (!availability || excluded.has(availability.status)) continue;
    const { player, ...rest } = availability;
    const index = event.sides![0].id === teamId ? 0 : 1;
    rows.push({ player, player_id: playerId, team: sideName(event, index), team_id: teamId, ...rest });
  }
  const startsAt = timeOf(event.event.schedule!.starts_at);
  const last = checks.length > 0 ? Math.max(...checks) : null;
  const watched = event.event.overAt === null && !hasPlayBegun(event.event.status);
  const next = watched ? nextCheckAt(startsAt, last, now) : null;
  const confirmed = findFinalCheck(startsAt, checks);
  const homeFirst = (row: { team_id: number | null }) => (row.team_id === event.sides![0].id ? 0 : 1);
  rows.sort((a, b) => homeFirst(a) - homeFirst(b) || (a.player < b.player ? -1 : 1));
  return {
    event_id: event.id,
    available: last !== null,
    last_checked_at: last === null ? null : formatTime(last),
    confirmed_at: confirmed === null ? null : formatTime(confirmed),
    next_check_at: next === null ? null : formatTime(next),
    injuries: rows,
  };
}
