import { applyTeam } from '../src/domain/directory.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { keysOfTeam, type NamedTeam, TEAM_NAME_FACTS } from '../src/domain/naming/team-names.ts';
import { picked } from '../src/domain/picked.ts';
import type { Projection } from '../src/domain/projection.ts';

/** What a team is called: the index by which resolvers find it, whatever the size of the directory. */
export interface TeamNamesDocument extends NamedTeam {}

export const teamNamesIndex: Projection<TeamNamesDocument> = {
  name: 'team-names',
  version: 1,
  types: ['TeamChanged'],
  key: ({ data }) => String(data.teamId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'TeamChanged' }>;
    const { league, facts } = data.late ?? applyTeam(document, data);
    return { id: data.teamId, sport: data.sport, league, facts: picked(facts, TEAM_NAME_FACTS) };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    keys: { kind: 'many', of: keysOfTeam },
  },
  indexes: [['keys']],
  streams: (key) => [streams.team(key)],
};
