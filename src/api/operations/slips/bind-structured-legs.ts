import { type PlayerDocument, players } from '../../../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../../../projections/directory/teams.ts';
import type { Leg } from '../../../domain/grading/leg.ts';
import { canonicalMarket, legKindOf } from '../../../domain/grading/leg-markets.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { type BoundLeg, NO_PLAYER } from '../../../text/slips/slip-leg.ts';
import { grantsSport } from '../../calls/scopes.ts';
import { isGiven } from '../shared/parameters.ts';
import type { BindingContext } from './binding-context.ts';
import type { StructuredLeg } from './slip-body.ts';

const scopeOf = ({ scope }: StructuredLeg): Pick<Leg, 'scope'> => (isGiven(scope) ? { scope } : {});

/** Legs given by ids, with the current directory entries of these ids. */
export async function bindStructuredLegs(
  legs: readonly StructuredLeg[],
  { context }: Pick<BindingContext, 'context'>,
): Promise<readonly BoundLeg[]> {
  const idsOf = (name: 'player_id' | 'team_id') => [...new Set(legs.flatMap((leg) => leg[name] ?? []))].map(String);
  const wanted = [
    { projection: players.name, keys: idsOf('player_id') },
    { projection: teams.name, keys: idsOf('team_id') },
  ];
  const none = wanted.every(({ keys }) => keys.length === 0);
  const [foundPlayers, foundTeams] = none ? [[], []] : await context.store.getAcross(wanted);
  // Entries outside the caller's sports count as unknown.
  const known = <Doc extends { readonly id: number; readonly sport: string }>(stored: readonly any[]) =>
    new Map(
      stored
        .flatMap((one) => (one ? [one.document as Doc] : []))
        .filter(({ sport }) => grantsSport(context.principal, sport))
        .map((document) => [document.id, document]),
    );
  const [knownPlayers, knownTeams] = [known<PlayerDocument>(foundPlayers!), known<TeamDocument>(foundTeams!)];

  return legs.map((input): BoundLeg => {
    const market_key = canonicalMarket(input.market_key);
    const kind = legKindOf(market_key);
    const { event_id, side, line = null, player_id = null, team_id = null } = input;
    const leg = {
      event_id,
      market_key,
      side,
      line,
      player_id: kind === 'prop' ? player_id : null,
      team_id,
      ...scopeOf(input),
    };
    const player = leg.player_id === null ? undefined : knownPlayers.get(leg.player_id);
    const team = team_id === null ? undefined : knownTeams.get(team_id);
    const isLost = (kind === 'prop' && !player) || (kind === 'team_total' && !team);
    return {
      input,
      leg: isLost ? null : leg,
      message: isLost ? (kind === 'prop' ? `There is no player ${player_id}.` : `There is no team ${team_id}.`) : null,
      found: leg,
      resolve:
        kind !== 'prop'
          ? NO_PLAYER
          : player
            ? { status: 'resolved', player_id: player.id, display_name: player.facts.full_name, candidates: [] }
            : { ...NO_PLAYER, status: 'not_found' },
      team_resolve:
        kind !== 'team_total'
          ? null
          : team
            ? { status: 'resolved', team_id: team.id, display_name: team.facts.name, candidates: [] }
            : { status: 'not_found', team_id: null, display_name: null, candidates: [] },
      // Whether the event exists is checked when it is read.
      event_resolve: { status: 'resolved', event_id, candidates: [], message: null },
      ...(isGiven(input.price) ? { price: decimalOdds(input.price) } : {}),
      ...(isGiven(input.stake) ? { stake: input.stake } : {}),
    };
  });
}
