import { applyPlayer, type Player } from '../src/domain/directory.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { foldText } from '../src/domain/names.ts';
import type { Projection } from '../src/domain/projection.ts';

/** A player of the directory. */
export interface PlayerDocument extends Player {
  id: number;
  sport: string;
}

export const players: Projection<PlayerDocument> = {
  name: 'players',
  version: 1,
  types: ['PlayerChanged'],
  key: ({ data }) => String(data.playerId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'PlayerChanged' }>;
    const player = data.late ?? applyPlayer(document, data);
    return { ...player, id: data.playerId, sport: data.sport };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    country: { kind: 'string', of: ({ facts }) => facts.country_code?.toUpperCase() ?? null },
    active: { kind: 'boolean', of: isActive },
    ranked: { kind: 'boolean', of: ({ facts }) => facts.tennis_ranking !== undefined },
    search: {
      kind: 'text',
      of: ({ facts }) => foldText([facts.full_name, ...(facts.aliases ?? [])].join('\n')),
    },
  },
  indexes: [['sport'], ['country'], ['ranked']],
  streams: (key) => [streams.player(key)],
};

/** A player is active unless somebody says otherwise, or that he has retired. */
export function isActive({ facts }: Player): boolean {
  return facts.is_active ?? facts.retired_at === undefined;
}
