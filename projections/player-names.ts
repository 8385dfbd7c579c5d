import { applyPlayer } from '../src/domain/directory.ts';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { keysOfPlayer, type NamedPlayerEntry, PLAYER_NAME_FACTS } from '../src/domain/naming/player-names.ts';
import { picked } from '../src/domain/picked.ts';
import type { Projection } from '../src/domain/projection.ts';

/** What a player is called: the index by which resolvers find him, whatever the size of the directory. */
export interface PlayerNamesDocument extends NamedPlayerEntry {}

export const playerNamesIndex: Projection<PlayerNamesDocument> = {
  name: 'player-names',
  version: 1,
  types: ['PlayerChanged'],
  key: ({ data }) => String(data.playerId),
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'PlayerChanged' }>;
    const { facts } = data.late ?? applyPlayer(document, data);
    return { id: data.playerId, sport: data.sport, facts: picked(facts, PLAYER_NAME_FACTS) };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    team_id: { kind: 'number', of: ({ facts }) => facts.team_id ?? null },
    keys: { kind: 'many', of: keysOfPlayer },
  },
  indexes: [['keys'], ['team_id']],
  streams: (key) => [streams.player(key)],
};
