import { applyAlias, applyPlayer, keptOf } from '../../src/domain/directory/directory-entries.ts';
import {
  PLAYER_NAME_FACTS,
  type PlayerNameEntry,
  playerSearchKeys,
} from '../../src/domain/directory/naming/player-name-keys.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { pick } from '../../src/domain/primitives/own-properties.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The names of a player: an index by which resolvers find him in a directory of any size. */
export interface PlayerNamesDocument extends PlayerNameEntry {}

export const playerNamesIndex: Projection<PlayerNamesDocument> = {
  name: 'player-names',
  version: 1,
  types: ['PlayerChanged', 'PlayerAliasChanged'],
  key: ({ data }) => String(data.playerId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'PlayerChanged' | 'PlayerAliasChanged' }>;
    if (record.type === 'PlayerAliasChanged') {
      const { aliased: _, ...player } = document!;
      return { ...player, ...applyAlias(document!, record.data) };
    }
    const { data } = record;
    const { facts } = applyPlayer(document, data);
    return { id: data.playerId, sport: data.sport, facts: pick(facts, PLAYER_NAME_FACTS), ...keptOf(document) };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    team_id: { kind: 'number', of: ({ facts }) => facts.team_id ?? null },
    keys: { kind: 'many', of: playerSearchKeys },
  },
  indexes: [['keys'], ['team_id']],
  streams: (key) => [streams.player(key)],
};
