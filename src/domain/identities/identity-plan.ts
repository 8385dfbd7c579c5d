/** The name that one source has for an event, or (`entryRef`) for a team or player. */
export interface SourceRef {
  readonly source: string;
  readonly ref: string;
}

/** What a person did to the identities of things of one kind, in the order of the log. Ids of events are public ids. */
export type IdentityAct =
  /** The two are one: all that was reported of `from` belongs to `into`. */
  | { readonly id: string; readonly action: 'merge'; readonly from: number; readonly into: number }
  /** All that was reported under this ref belongs to `into`: another thing, or (`split`) a new one. */
  | {
      readonly id: string;
      readonly action: 'split' | 'bind';
      readonly sourceRef: SourceRef;
      readonly into: number;
    }
  /** The other act never was; it may be an undo itself. */
  | { readonly id: string; readonly action: 'undo'; readonly act: string };

/** How a message named a thing. */
export interface MessageNaming {
  /** The thing that the message was first bound to; of a message with a ref: the thing of the first message with it. */
  readonly home: number;
  /** Absent: the message named an event by its sides and start alone, or an entry by its name. */
  readonly sourceRef?: SourceRef;
  /** Another source said in a schedule that its own ref and this one are the same event: this ref goes where that goes. */
  readonly knownBy?: MessageNaming;
}

/** Which thing of one kind everything belongs to. */
export interface IdentityPlan {
  /** The thing that this id means: itself, unless it was merged into another. */
  meaningOf(id: number): number;
  ownerOf(naming: MessageNaming): number;
  /** All ids that were merged into others, ascending. */
  readonly mergedIds: readonly number[];
  /** The ids that were merged into this one, directly or through others, ascending. */
  mergedInto(id: number): readonly number[];
}

/** A ref of a team or player: one source may have the same ref in two sports. */
export const entryRef = (sport: string, { source, ref }: SourceRef): SourceRef => ({ source, ref: `${sport} ${ref}` });

export const sourceRefKey = ({ source, ref }: SourceRef): string => `${source}|${ref}`;

/**
 * The identities after these acts. Acts that were undone count for nothing, as if they had never been. An act that has
 * nothing to do, such as a merge of two that are one already, does nothing.
 */
export function planOf(acts: readonly IdentityAct[]): IdentityPlan {
  const mergedInto = new Map<number, number>();
  const moved = new Map<string, number>();
  const meaningOf = (id: number): number => {
    let meaning = id;
    for (let next = mergedInto.get(meaning); next !== undefined; next = mergedInto.get(meaning)) meaning = next;
    return meaning;
  };
  for (const act of effectiveActs(acts)) {
    if (act.action === 'merge') {
      const [from, into] = [meaningOf(act.from), meaningOf(act.into)];
      // Never a cycle: only an id that means itself is merged, and only into another that means itself.
      if (from !== into) mergedInto.set(from, into);
    } else {
      moved.set(sourceRefKey(act.sourceRef), act.into);
    }
  }
  const placeOf = ({ home, sourceRef, knownBy }: MessageNaming): number =>
    (sourceRef && moved.get(sourceRefKey(sourceRef))) ?? (knownBy ? placeOf(knownBy) : home);
  const mergedIds = [...mergedInto.keys()].sort((a, b) => a - b);
  return {
    mergedIds,
    meaningOf,
    ownerOf: (naming) => meaningOf(placeOf(naming)),
    mergedInto: (id) => mergedIds.filter((from) => meaningOf(from) === id),
  };
}

type EffectiveAct = Exclude<IdentityAct, { action: 'undo' }>;

/** The acts that were not undone, in their order. An undo that was undone itself undoes nothing. */
export function effectiveActs(acts: readonly IdentityAct[]): readonly EffectiveAct[] {
  const undone = new Set<string>();
  for (const act of acts.toReversed()) {
    if (act.action === 'undo' && !undone.has(act.id)) undone.add(act.act);
  }
  return acts.filter((act): act is EffectiveAct => act.action !== 'undo' && !undone.has(act.id));
}
