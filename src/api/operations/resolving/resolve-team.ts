import { z } from 'zod';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { resolveCandidates } from '../../../text/name-matching/resolve-candidates.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { eventId, isGiven, playerId, teamId, text } from '../shared/parameters.ts';
import { findTeams, type TeamCandidate } from './find-teams.ts';
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
  league: text('League slug; an unknown one finds nothing.').nullish(),
  event_id: eventId('An event in which the team plays.').nullish(),
  player_id: playerId('A player who plays for the team now.').nullish(),
  team_id: teamId('The team itself.').nullish(),
});

const body = z
  .object({
    query: nameParameter('What the team is called. Not needed with a clue of an id.', ['Chiefs', 'Man Utd']).nullish(),
    clues: clues.nullish().meta({ description: 'What else is known. Each narrows, and none is overridden.' }),
    options: z
      .object({ min_confidence: minConfidenceParameter })
      .nullish()
      .meta({ description: 'How sure it must be.' }),
  })
  .superRefine(({ query, clues: given }, context) => {
    if (isGiven(query) || [given?.event_id, given?.player_id, given?.team_id].some(isGiven)) return;
    const message = 'is required without a clue of event_id, player_id or team_id';
    context.addIssue({ code: 'custom', path: ['query'], message });
  });
type Body = z.infer<typeof body>;

export const teamCandidate = z.object({ team_id: id, ...candidateMembers }).meta({ id: 'TeamCandidate' });
const output = z
  .object({
    status: statusSchema,
    team_id: id.nullable(),
    display_name: z.string().nullable(),
    abbreviation: z.string().nullable(),
    sport: z.string().nullable(),
    confidence: confidenceSchema,
    match_reasons: reasonsSchema,
    candidates: z.array(teamCandidate).meta({ description: 'The best 10 where it is ambiguous, else empty.' }),
  })
  .meta({ id: 'ResolvedTeam' });

export const resolveTeam: Operation<object, object, Body, z.infer<typeof output>> = {
  name: 'resolve_team',
  method: 'POST',
  path: '/v1/resolve/team',
  tag: 'Resolve and grade',
  summary: 'The team that a name means, found by fixed rules and never guessed.',
  hint: 'Tells `ambiguous` with the candidates where more than one may be meant; `list_teams` lists them by part of a name.',
  effect: 'reads',
  input: { body },
  output,
  errors: ['sport_scope_denied'],
  cost: flatCost(1),
  checkUnpaid: ({ clues: given }, context) => checkClues(given ?? {}, context),
  async run({ query, clues: given, options }, context) {
    await checkClues(given ?? {}, context);
    const found = await findTeams(context, query ?? null, given ?? {});
    const decided = resolveCandidates(found, options?.min_confidence);
    const one = decided.found;
    return {
      status: decided.status,
      team_id: one?.entry.id ?? null,
      display_name: one?.entry.facts.name ?? null,
      abbreviation: one?.entry.facts.abbreviation ?? null,
      sport: one?.entry.sport ?? null,
      confidence: decided.candidates[0]?.confidence ?? 0,
      match_reasons: [...(one?.reasons ?? [])],
      candidates: one ? [] : decided.candidates.slice(0, MAX_CANDIDATES).map(renderTeamCandidate),
    };
  },
};

export const renderTeamCandidate = ({ entry, confidence: sure, reasons: why }: TeamCandidate) => ({
  team_id: entry.id,
  display_name: entry.facts.name,
  sport: entry.sport,
  confidence: sure,
  match_reasons: [...why],
});
