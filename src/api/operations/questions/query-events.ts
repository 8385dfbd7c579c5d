import { z } from 'zod';
import { EVENT_STATUSES, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { equivalentRequest } from '../../../text/query/equivalent-request.ts';
import { type QueryReading, readQuery } from '../../../text/query/read-query.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { readToolArguments } from '../../calls/operation/tool-arguments.ts';
import { requireSport } from '../../calls/scopes.ts';
import { eventsTable } from '../events/event-tables.ts';
import { eventPage, listEvents } from '../events/list-events.ts';
import { MAX_CANDIDATES } from '../resolving/resolve-parameters.ts';
import { playerCandidate, renderPlayerCandidate } from '../resolving/resolve-player.ts';
import { renderTeamCandidate, teamCandidate } from '../resolving/resolve-team.ts';
import { integer } from '../shared/parameters.ts';
import { findPlayerOfTeam, findQueryNames, type MeantByName } from './find-query-names.ts';
import { listPlayerEvents } from './list-player-events.ts';

const MAX_CHARACTERS = 500;

const body = z.object({
  query: z
    .string({ error: 'must be a string' })
    .refine((value) => !isLongerThan(value, MAX_CHARACTERS), {
      error: `must have at most ${MAX_CHARACTERS} characters`,
      abort: true,
    })
    .refine((value) => /\S/.test(value), 'must not be empty or blank')
    .meta({
      description:
        'What to look for: words for a sport, a league, a status, days, a number, and a team or player, in any order.',
      minLength: 1,
      maxLength: MAX_CHARACTERS,
      pattern: '\\S',
      examples: ['live nba games', 'NFL games of the Chiefs next week'],
    }),
  limit: integer('How many to answer at most, whatever the text says.', { min: 1, max: 100 }).optional(),
});
type Body = z.infer<typeof body>;

const date = (description: string) => z.string().meta({ format: 'date', description }).nullable();

const output = z.object({
  query: z.string().meta({ description: 'As sent.' }),
  interpreted: z
    .object({
      sport: z.enum(SPORT_SLUGS).nullable(),
      status: z.enum(EVENT_STATUSES).nullable(),
      date: date('One UTC date.'),
      from: date('First UTC date.'),
      to: date('Last UTC date.'),
      limit: z.int().nullable(),
      league: z.string().nullable(),
      team_id: id.nullable(),
      player_id: id.nullable(),
    })
    .meta({ description: 'What was understood; null: nothing was said.' }),
  unrecognized_terms: z
    .array(z.string())
    .meta({ description: 'The words that were not understood, in lower case, each once.' }),
  candidates: z
    .array(
      z.object({
        term: z.string(),
        type: z.enum(['team', 'player']),
        candidates: z.array(z.union([teamCandidate, playerCandidate])),
      }),
    )
    .meta({ description: 'Names that may mean several, or none surely enough; then there are no events.' }),
  equivalent_request: z
    .string()
    .nullable()
    .meta({
      description:
        'The request with the same answer, to be followed for further pages; null where a name is ambiguous.',
      examples: ['GET /v1/events?sport=nba&status=inprogress&limit=5'],
    }),
  ...eventPage.shape,
});

export const queryEvents: Operation<object, object, Body, z.infer<typeof output>> = {
  name: 'query_events',
  method: 'POST',
  path: '/v1/query',
  tag: 'Events',
  summary: 'Events that a short English text asks for, read by fixed rules; what is not understood is told.',
  hint: 'Who knows what to filter by takes `list_events`.',
  effect: 'reads',
  input: { body },
  output,
  table: eventsTable,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  // A sport within a name is not known to be one here.
  checkUnpaid: ({ query }, context) => judge(readQuery(query, context.now()), context),
  async run(input, context) {
    const { reading, meant } = await read(input, context);
    const { interpreted, unrecognized, ambiguous } = reading;
    await judge(reading, context);
    const isAmbiguous = ambiguous.length > 0;
    return {
      query: input.query,
      interpreted,
      unrecognized_terms: [...unrecognized],
      candidates: ambiguous.flatMap(({ term, text }) => renderMeant(term, meant.get(text)!)),
      equivalent_request: isAmbiguous ? null : equivalentRequest(interpreted),
      ...(isAmbiguous ? NO_EVENTS : await readEvents(reading, context)),
    };
  },
};

const NO_EVENTS = { events: [], total: 0, next_after_id: null };

interface ReadWithNames {
  readonly reading: QueryReading;
  readonly meant: ReadonlyMap<string, MeantByName>;
}

/** Reads the text with the names of the directory. Its sport and league narrow what these may mean. */
async function read({ query, limit }: Body, context: OperationContext): Promise<ReadWithNames> {
  const now = context.now();
  const { meanings, meant } = await findQueryNames(query, now, readQuery(query, now).interpreted, context);
  let reading = readQuery(query, now, meanings);
  const { interpreted: clues, ambiguous } = reading;
  if (clues.team_id !== null) {
    const more = new Map(meanings);
    for (const { text } of ambiguous.slice(0, MAX_PLAYERS_OF_TEAM)) {
      const player = meant.get(text)!.teams.length === 0 && (await findPlayerOfTeam(text, clues, context));
      if (player) more.set(text, player);
    }
    reading = readQuery(query, now, more);
  }
  return { reading: { ...reading, interpreted: { ...reading.interpreted, limit: limit ?? clues.limit } }, meant };
}

/** Names that are looked for among the players of the text's team. */
const MAX_PLAYERS_OF_TEAM = 5;

/** As the list of events judges the equivalent request. @throws ApiError bad_request, sport_scope_denied */
async function judge(reading: QueryReading, context: OperationContext): Promise<void> {
  const { sport } = reading.interpreted;
  if (sport !== null) requireSport(context.principal, sport);
  await listEvents.checkUnpaid!(toListInput(reading), context);
}

const readEvents = (reading: QueryReading, context: OperationContext) =>
  reading.interpreted.player_id === null
    ? listEvents.run(toListInput(reading), context)
    : listPlayerEvents(reading.interpreted.player_id, reading.interpreted, context);

/** The input of the equivalent request, with the defaults of `list_events`. */
const toListInput = ({ interpreted }: QueryReading) => readToolArguments(listEvents, interpreted).input;

function renderMeant(term: string, { teams, players }: MeantByName) {
  const ofTeams = teams.slice(0, MAX_CANDIDATES).map(renderTeamCandidate);
  const ofPlayers = players.slice(0, MAX_CANDIDATES).map(renderPlayerCandidate);
  return [
    ...(teams.length > 0 ? [{ term, type: 'team' as const, candidates: ofTeams }] : []),
    ...(players.length > 0 ? [{ term, type: 'player' as const, candidates: ofPlayers }] : []),
  ];
}

/** In code points, as JSON Schema counts. */
function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max;
  return [...text].length > max;
}
