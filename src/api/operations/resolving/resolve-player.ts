import { z } from 'zod';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { RESOLVE_MODES, resolveCandidates } from '../../../text/name-matching/resolve-candidates.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { eventId, isGiven, oneOf, teamId, text } from '../shared/parameters.ts';
import { findPlayers, PLAYER_CLUES, type PlayerCandidate } from './find-players.ts';
import {
  candidateMembers,
  checkClues,
  confidenceSchema,
  MAX_CANDIDATES,
  minConfidenceParameter,
  nameParameter,
  reasonsSchema,
  sportParameter,
  statusSchema,
} from './resolve-parameters.ts';

const clues = z.object({
  sport: sportParameter,
  team_id: teamId('The present team.').nullish(),
  team_text: nameParameter('A name of the present team: every team that it may mean counts.', ['Buffalo']).nullish(),
  event_id: eventId('An event of the present team, or one whose box or lineup names the player.').nullish(),
  position: text('The position; players of whom none is known stay.', { min: 1 }).nullish(),
});

const body = z.object({
  query: nameParameter('What the player is called.', ['LeBron James', 'James, LeBron', 'L. James']),
  clues: clues.nullish().meta({ description: 'What else is known. Each narrows, and none is overridden.' }),
  options: z
    .object({
      min_confidence: minConfidenceParameter,
      mode: oneOf(
        'permissive: also usual short forms of given names and typos; ingest: resolves only with a team or an event.',
        RESOLVE_MODES,
      )
        .nullish()
        .transform((mode) => mode ?? 'strict'),
    })
    .nullish()
    .meta({ description: 'How sure it must be, and what else counts.' }),
});
type Body = z.infer<typeof body>;

export const playerCandidate = z.object({ player_id: id, ...candidateMembers }).meta({ id: 'PlayerCandidate' });
const output = z
  .object({
    status: statusSchema,
    player_id: id.nullable(),
    display_name: z.string().nullable(),
    sport: z.string().nullable(),
    confidence: confidenceSchema,
    match_reasons: reasonsSchema,
    clues_used: z.array(z.enum(PLAYER_CLUES)).meta({ description: 'The clues that were given.' }),
    candidates: z.array(playerCandidate).meta({ description: 'The best 10 where it is ambiguous, else empty.' }),
  })
  .meta({ id: 'ResolvedPlayer' });

export const resolvePlayer: Operation<object, object, Body, z.infer<typeof output>> = {
  name: 'resolve_player',
  method: 'POST',
  path: '/v1/resolve/player',
  tag: 'Resolve and grade',
  summary: 'The player whom a name means, found by fixed rules and never guessed.',
  hint: 'Tells `ambiguous` with the candidates where more than one may be meant; `search_players` lists them by part of a name.',
  effect: 'reads',
  input: { body },
  output,
  errors: ['sport_scope_denied'],
  cost: flatCost(1),
  checkUnpaid: ({ clues: given }, context) => checkClues(given ?? {}, context),
  async run({ query, clues, options }, context) {
    const given = clues ?? {};
    await checkClues(given, context);
    const mode = options?.mode ?? 'strict';
    const found = await findPlayers(context, query, given, { mode });
    const isConfirmed = [given.team_id, given.team_text, given.event_id].some(isGiven);
    const decided = resolveCandidates(found, options?.min_confidence, mode !== 'ingest' || isConfirmed);
    const one = decided.found;
    return {
      status: decided.status,
      player_id: one?.entry.id ?? null,
      display_name: one?.entry.facts.full_name ?? null,
      sport: one?.entry.sport ?? null,
      confidence: decided.candidates[0]?.confidence ?? 0,
      match_reasons: [...(one?.reasons ?? [])],
      clues_used: PLAYER_CLUES.filter((clue) => isGiven(given[clue])),
      candidates: one ? [] : decided.candidates.slice(0, MAX_CANDIDATES).map(renderPlayerCandidate),
    };
  },
};

export const renderPlayerCandidate = ({ entry, confidence: sure, reasons: why }: PlayerCandidate) => ({
  player_id: entry.id,
  display_name: entry.facts.full_name,
  sport: entry.sport,
  confidence: sure,
  match_reasons: [...why],
});
