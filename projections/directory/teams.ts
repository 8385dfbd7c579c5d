import { aliasesOf, applyAlias, applyTeam, keptOf, type Team } from '../../src/domain/directory/directory-entries.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { foldText } from '../../src/domain/primitives/name-normalization.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** A team of the directory. */
export interface TeamDocument extends Team {
  id: number;
  sport: string;
}

export const teams: Projection<TeamDocument> = {
  name: 'teams',
  version: 2,
  types: ['TeamChanged', 'TeamAliasChanged'],
  key: ({ data }) => String(data.teamId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'TeamChanged' | 'TeamAliasChanged' }>;
    if (record.type === 'TeamAliasChanged') {
      const { aliased: _, ...team } = document!;
      return { ...team, ...applyAlias(document!, record.data) };
    }
    const { data } = record;
    const team = applyTeam(document, data);
    return { ...team, ...keptOf(document), id: data.teamId, sport: data.sport };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    conference: { kind: 'string', of: ({ facts }) => facts.conference ?? null },
    division: { kind: 'string', of: ({ facts }) => facts.division ?? null },
    country: { kind: 'string', of: ({ facts }) => facts.country_code?.toUpperCase() ?? null },
    active: { kind: 'boolean', of: ({ facts }) => facts.is_active ?? true },
    search: { kind: 'text', of: searchText },
  },
  indexes: [['sport'], ['league']],
  streams: (key) => [streams.team(key)],
};

/** The text for the parameter `q`, one name per line. */
function searchText(team: TeamDocument): string {
  const { facts } = team;
  const names = [facts.name, facts.short_name, facts.abbreviation, ...aliasesOf(team)];
  return foldText(names.filter((name) => name !== undefined).join('\n'));
}
