import { entryRef, sourceRefKey } from '../../domain/identities/identity-plan.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { SourceRef, SplitNames } from '../../domain/streams/identity-stream.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { EntryOf, NamedEntry } from './entry-homes.ts';
import { mentionsOf } from './schedule-mentions.ts';

interface SplitOfEntry {
  readonly kind: EntryKind;
  readonly sport: string;
  readonly sourceRef: SourceRef;
  readonly from: number;
}

/**
 * Which names go with a ref that is split off: those that only this ref had. What names the entry by a name alone stays
 * with it, and so keeps the name.
 */
export class SplitNameUses {
  readonly #split: SplitOfEntry;
  readonly #before: EntryOf;
  readonly #own = new Set<string>();
  readonly #others = new Set<string>();

  /** @param before the entries that records mean until now */
  constructor(split: SplitOfEntry, before: EntryOf) {
    this.#split = split;
    this.#before = before;
  }

  get names(): SplitNames {
    const own = [...this.#own].sort();
    return {
      own: own.filter((name) => !this.#others.has(name)),
      shared: own.filter((name) => this.#others.has(name)),
    };
  }

  /** A report as it was recorded at first. */
  note({ type, data }: DomainRecord): void {
    const { kind } = this.#split;
    if (type === 'EventScheduled') {
      for (const { name, abbreviation, ...mention } of mentionsOf({ type, data } as never)) {
        if (mention.kind === kind) this.#add(data.sport, { ...mention, name }, [name, abbreviation]);
      }
    } else if (type === 'TeamChanged' && kind === 'team' && data.content.rank === 'described') {
      const { teamId: id, sport, source, ref, content } = data;
      const { name, short_name, abbreviation, aliases = [] } = content.facts;
      this.#add(sport, { id, source, ref, name }, [name, short_name, abbreviation, ...aliases]);
    } else if (type === 'PlayerChanged' && kind === 'player' && data.content.rank === 'described') {
      const { playerId: id, sport, source, ref, content } = data;
      const { full_name: name, aliases = [] } = content.facts;
      this.#add(sport, { id, source, ref, name }, [name, ...aliases]);
    } else if (type === 'TeamAliasChanged' || type === 'PlayerAliasChanged') {
      const id = 'teamId' in data ? data.teamId : data.playerId;
      if ('teamId' in data === (kind === 'team') && data.isKnown)
        this.#add(data.sport, { id, source: data.source }, [data.alias]);
    } else if (type === 'InjuryReported') {
      const { teamId, sport, source, origin, content } = data;
      const { team, team_ref } = origin;
      // Who a player is, if no ref says so, stands in other records.
      if (kind === 'player' && origin.player_ref === undefined) this.#others.add(normalizeName(content.player));
      if (kind === 'team' && team_ref === undefined) this.#add(sport, { id: teamId, source, name: team }, [team]);
    }
  }

  #add(sport: string, named: NamedEntry, names: readonly (string | null | undefined)[]): void {
    const { kind, from, sourceRef } = this.#split;
    const { source, ref } = named;
    const isUnder =
      ref !== undefined &&
      sourceRefKey(entryRef(sport, { source, ref })) === sourceRefKey(entryRef(this.#split.sport, sourceRef));
    if (!isUnder && this.#before(kind, sport, named) !== from) return;
    for (const name of names) if (name) (isUnder ? this.#own : this.#others).add(normalizeName(name));
  }
}
