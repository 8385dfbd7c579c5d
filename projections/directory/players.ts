import { applyPlayer, type Player } from '../../src/domain/directory/directory-entries.ts';
import { normalizedNamesOf, playerNameKey, playerRefKey } from '../../src/domain/directory/player-finder.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { foldText } from '../../src/domain/primitives/name-normalization.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** A player of the directory. */
export interface PlayerDocument extends Player {
  id: number;
  sport: string;
  /** The sources' own ids of the player (`playerRef`), sorted. */
  refs: readonly string[];
  /** All names by which players' messages ever called the player, as they are compared, sorted. */
  called: readonly string[];
}

export const players: Projection<PlayerDocument> = {
  name: 'players',
  version: 2,
  types: ['PlayerChanged', 'PlayerReconfirmed'],
  key: ({ data }) => String(data.playerId),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'PlayerChanged' | 'PlayerReconfirmed' }>;
    const { source, ref } = record.data;
    if (record.type === 'PlayerReconfirmed') {
      // It repeats a record of the same stream, which has made the document.
      const { sport, refs, ...rest } = document!;
      return { ...rest, sport, refs: withRef(refs, sport, source, ref) };
    }
    const { playerId, sport, content, late } = record.data;
    const player = late ?? applyPlayer(document, record.data);
    const { refs = [], called = [] } = document ?? {};
    // What a schedule says of a player holds only where it is the earliest: of the others nothing is recorded.
    const isDescribed = content.rank === 'described';
    return {
      ...player,
      id: playerId,
      sport,
      refs: isDescribed ? withRef(refs, sport, source, ref) : refs,
      called: isDescribed ? sorted([...called, ...normalizedNamesOf(content.facts)]) : called,
    };
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    country: { kind: 'string', of: ({ facts }) => facts.country_code?.toUpperCase() ?? null },
    active: { kind: 'boolean', of: isActivePlayer },
    ranked: { kind: 'boolean', of: ({ facts }) => facts.tennis_ranking !== undefined },
    refs: { kind: 'many', of: ({ refs }) => refs },
    names: { kind: 'many', of: (document) => playerNameKeysOf(document) },
    search: {
      kind: 'text',
      of: ({ facts }) => foldText([facts.full_name, ...(facts.aliases ?? [])].join('\n')),
    },
  },
  indexes: [['sport'], ['country'], ['ranked'], ['refs'], ['names']],
  streams: (key) => [streams.player(key)],
};

/** A player is active unless somebody says otherwise, or that he has retired. */
export function isActivePlayer({ facts }: Player): boolean {
  return facts.is_active ?? facts.retired_at === undefined;
}

/** All names of a player with the sport (`playerName`). */
export const playerNameKeysOf = ({ sport, facts, called }: PlayerDocument): string[] =>
  sorted([...called, ...normalizedNamesOf(facts)]).map((name) => playerNameKey(sport, name));

function withRef(refs: readonly string[], sport: string, source: string, ref: string | undefined): readonly string[] {
  return ref === undefined ? refs : sorted([...refs, playerRefKey(sport, source, ref)]);
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
