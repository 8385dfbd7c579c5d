import { fillNames } from '../../../bench/names-store.ts';
import type { PlayerNamesDocument } from '../../../projections/directory/player-names.ts';
import type { TeamNamesDocument } from '../../../projections/directory/team-names.ts';
import { BOOTSTRAP_PRINCIPAL } from '../../../src/accounts/keys/authenticator.ts';
import { resolvePlayer } from '../../../src/api/operations/resolving/resolve-player.ts';
import { resolveTeam } from '../../../src/api/operations/resolving/resolve-team.ts';
import { TEAM_NAME_FACTS } from '../../../src/domain/directory/naming/team-name-keys.ts';
import { pick } from '../../../src/domain/primitives/own-properties.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { TEAMS } from './league-teams.ts';

/** The teams of the leagues with the ids 1, 2, 3, ... */
export const teamDocuments: readonly TeamNamesDocument[] = TEAMS.map((team, index) => ({
  id: index + 1,
  sport: team.sport,
  league: team.league,
  facts: pick(team as TeamNamesDocument['facts'], TEAM_NAME_FACTS),
}));

export const teamIdsOf = (sport: string): readonly number[] =>
  teamDocuments.filter((team) => team.sport === sport).map(({ id }) => id);

/** The resolvers over a directory with these entries, without a server. */
export async function createResolvers(teams: readonly TeamNamesDocument[], players: readonly PlayerNamesDocument[]) {
  const store = openSqliteStore({ file: ':memory:' });
  await fillNames(store, teams, players);
  // The resolvers use nothing else of the context without a clue about an event.
  const context = { store, principal: BOOTSTRAP_PRINCIPAL } as never;
  return {
    team: (body: object) => resolveTeam.run(body as never, context),
    player: (body: object) => resolvePlayer.run(body as never, context),
    close: () => store.close(),
  };
}
export type Resolvers = Awaited<ReturnType<typeof createResolvers>>;
