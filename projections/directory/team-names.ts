import { applyAlias, applyTeam, keptOf } from '../../src/domain/directory/directory-entries.ts';
import {
  TEAM_NAME_FACTS,
  type TeamNameEntry,
  teamSearchKeys,
} from '../../src/domain/directory/naming/team-name-keys.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { pick } from '../../src/domain/primitives/own-properties.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The names of a team: an index by which resolvers find it in a directory of any size. */
export interface TeamNamesDocument extends TeamNameEntry {}

export const teamNamesIndex: Projection<TeamNamesDocument> = {
  name: 'team-names',
  version: 1,
  types: ['TeamChanged', 'TeamAliasChanged'],
  key: ({ data }) => String(data.teamId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'TeamChanged' | 'TeamAliasChanged' }>;
    if (record.type === 'TeamAliasChanged') {
      const { aliased: _, ...team } = document!;
      return { ...team, ...applyAlias(document!, record.data) };
    }
    const { data } = record;
    const { league, facts } = applyTeam(document, data);
    return { id: data.teamId, sport: data.sport, league, facts: pick(facts, TEAM_NAME_FACTS), ...keptOf(document) };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    keys: { kind: 'many', of: teamSearchKeys },
  },
  indexes: [['keys']],
  streams: (key) => [streams.team(key)],
};
