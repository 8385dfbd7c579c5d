import {
  aliasesOf,
  applyAlias,
  applyPlayer,
  keptOf,
  type Player,
} from '../../src/domain/directory/directory-entries.ts';
import { normalizedNamesOf, playerNameKey, playerRefKey } from '../../src/domain/directory/player-finder.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { foldText, normalizeName } from '../../src/domain/primitives/name-normalization.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** A player of the directory. */
export interface PlayerDocument extends Player {
  id: number;
  sport: string;
  /** The ids of the player at the sources (`playerRefKey`), sorted. */
  refs: readonly string[];
  /** All names of the player in any player message, normalized, sorted. */
  called: readonly string[];
}

export const players: Projection<PlayerDocument> = {
  name: 'players',
  version: 3,
  types: ['PlayerChanged', 'PlayerReconfirmed', 'PlayerAliasChanged'],
  key: ({ data }) => String(data.playerId),
  apply(document, untyped) {
    type Changes = 'PlayerChanged' | 'PlayerReconfirmed' | 'PlayerAliasChanged';
    const record = untyped as Extract<DomainRecord, { type: Changes }>;
    if (record.type === 'PlayerAliasChanged') {
      const { aliased: _, ...player } = document!;
      return { ...player, ...applyAlias(document!, record.data) };
    }
    const { source, ref } = record.data;
    if (record.type === 'PlayerReconfirmed') {
      // The repeated record is in the same stream and created the document.
      const { sport, refs, ...rest } = document!;
      return { ...rest, sport, refs: withRef(refs, sport, source, ref) };
    }
    const { playerId, sport, content } = record.data;
    const player = applyPlayer(document, record.data);
    const { refs = [], called = [] } = document ?? {};
    // A mention in a schedule counts only if it is the earliest, and later ones are not recorded, so its names and ids
    // are not collected.
    const isDescribed = content.rank === 'described';
    return {
      ...player,
      ...keptOf(document),
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
      of: (player) => foldText([player.facts.full_name, ...aliasesOf(player)].join('\n')),
    },
  },
  indexes: [['sport'], ['country'], ['ranked'], ['refs'], ['names']],
  streams: (key) => [streams.player(key)],
};

/** A player is active unless a source says otherwise or states his retirement. */
export function isActivePlayer({ facts }: Player): boolean {
  return facts.is_active ?? facts.retired_at === undefined;
}

/** All name keys of a player (`playerNameKey`). */
export const playerNameKeysOf = ({ sport, facts, called, aliased = [] }: PlayerDocument): string[] =>
  sorted([...called, ...normalizedNamesOf(facts), ...aliased.map(normalizeName)]).map((name) =>
    playerNameKey(sport, name),
  );

function withRef(refs: readonly string[], sport: string, source: string, ref: string | undefined): readonly string[] {
  return ref === undefined ? refs : sorted([...refs, playerRefKey(sport, source, ref)]);
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
