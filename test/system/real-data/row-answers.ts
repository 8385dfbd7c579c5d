import { bare, booksOf, splitsOf } from './api-answers.ts';
import { type Ask, listEvents } from './real-data-files.ts';

const HALF_A_DAY = 12 * 3_600_000;

/** A row of a file, as a plain reader reads it. */
export interface Row {
  readonly file: string;
  readonly row: number;
  readonly league: string;
  readonly sport: string;
  readonly starts_at: string;
  readonly tbd: boolean;
  readonly names: readonly [string, string];
  readonly competition?: string;
  readonly [more: string]: unknown;
}

/** The event of a row: the one of its day, and for tennis of its competition and round, with these sides. */
async function findEvent(ask: Ask, row: Row): Promise<any> {
  const listed = await listEvents(ask, {
    league: row.league,
    date: row.starts_at.slice(0, 10),
    include_scores: true,
  });
  const found = listed.filter(
    ({ participants, competition, round }) =>
      participants.every((one: any, index: 0 | 1) => bare((one.team ?? one.player).name) === bare(row.names[index])) &&
      (row.competition === undefined || (competition.name === row.competition && round === row['round'])),
  );
  if (found.length !== 1) return { missing: `${found.length} events` };
  return ask(`/v1/events/${found[0].id}`);
}

/** What the API says of the row's event, in the row's shape. */
export async function answered(ask: Ask, row: Row): Promise<Record<string, unknown>> {
  const event = await findEvent(ask, row);
  if (event.missing) return event;
  const path = `/v1/events/${event.id}`;
  const between = new Date(Date.parse(row.starts_at) - HALF_A_DAY).toISOString();
  // Renamed teams bear the name of the moment that is asked about.
  const prices = async (query = {}) =>
    booksOf(await ask(`${path}/odds`, { bookmaker: 'all', ...query }), await ask(path, query));
  return {
    sport: event.sport,
    league: event.league,
    starts_at: event.starts_at,
    tbd: event.starts_at_qualifier === 'tbd',
    names: event.participants.map((one: any) => bare((one.team ?? one.player).name)),
    status: event.status,
    result_type: event.result_type,
    round: event.round,
    scores: event.participants.map(({ score }: any) => score),
    periods: event.participants.map(({ period_scores }: any) =>
      period_scores.map(({ period, score }: any) => [period, score]),
    ),
    winner: event.participants.map(({ is_winner }: any) => is_winner),
    opening: await prices({ as_of: between, as_of_basis: 'observed' }),
    closing: await prices(),
    splits: splitsOf(await ask(`${path}/splits`)),
  };
}
