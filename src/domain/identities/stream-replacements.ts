import type { IdentitySubject } from '../feed/identity-message.ts';
import { addToGroup } from '../primitives/collections.ts';
import { PARTITIONS_BY_STREAM } from '../streams/domain-events.ts';
import type { ActContent, StreamReplacement } from '../streams/identity-stream.ts';
import { entryRef, type IdentityAct, type IdentityPlan, planOf } from './identity-plan.ts';

/** An act of the log, as far as it says which streams are whose. */
export interface RecordedAct {
  /** The id of the act: 1 for the first. */
  readonly act: number;
  readonly content: ActContent;
  readonly replacement?: StreamReplacement;
  /** When the operator did it, as the message says. */
  readonly at: string;
  /** Milliseconds. */
  readonly recordedAt: number;
}

export type NumberedAct = Pick<RecordedAct, 'act' | 'content'>;

/** An act that has moved records from one thing to another. */
export type RecordedMove = RecordedAct & { readonly replacement: StreamReplacement };

interface Replacement {
  readonly suffix: string;
  /** Milliseconds. */
  readonly recordedAt: number;
}

/** `odds-5~812`: the stream that an act puts in the place of `odds-5`. Without a suffix, the plain name. */
export const replacementStream = (stream: string, suffix: string | null): string =>
  suffix === null ? stream : `${stream}~${suffix}`;

/** `812` of `odds-5~812`; null for a plain name. */
export const suffixOf = (stream: string): string | null => stream.split('~', 2)[1] ?? null;

/** `odds-5` of `odds-5~812`, and of itself. */
export const plainStream = (stream: string): string => stream.split('~', 1)[0]!;

/** The things whose streams an act has replaced, by the names of their partitions, such as `team-5`. */
export const replacedThings = ({ events, teams = [], players = [] }: StreamReplacement): readonly string[] => [
  ...events.map((id) => `event-${id}`),
  ...teams.map((id) => `team-${id}`),
  ...players.map((id) => `player-${id}`),
];

/**
 * Which streams hold the records of an event, a team or a player now, or held them at a moment. A merge, a split, or an
 * undo of one writes the records of each thing anew into streams with a suffix of the act's own; the streams before stay
 * as they are, for answers as of an earlier moment. Without such acts every stream has its plain name.
 */
export class StreamReplacements {
  readonly #acts: RecordedAct[] = [];
  /** By the name of the partition, in their order. */
  readonly #byThing = new Map<string, Replacement[]>();
  /** After all acts. */
  readonly #plans = new Map<IdentitySubject, IdentityPlan>();

  /** Acts in the order of the log; one that is known already is passed over. */
  note(act: RecordedAct): void {
    if (act.act <= this.#acts.length) return;
    this.#acts.push(act);
    this.#plans.clear();
    const { replacement, recordedAt } = act;
    if (!replacement) return;
    for (const thing of replacedThings(replacement)) {
      addToGroup(this.#byThing, thing, { suffix: replacement.suffix, recordedAt });
    }
  }

  /** The number of acts that are known. */
  get acts(): number {
    return this.#acts.length;
  }

  /** The last act that has moved records. */
  get lastMove(): RecordedMove | undefined {
    return this.#acts.findLast((act): act is RecordedMove => act.replacement !== undefined);
  }

  /** Whether no act has moved a record. */
  get isEmpty(): boolean {
    return this.#byThing.size === 0;
  }

  /**
   * The stream that holds the records now.
   * @param stream the plain name of a stream, such as `odds-5`
   * @param recordedBy milliseconds: the stream that held them at this moment
   */
  current(stream: string, recordedBy: number = Number.POSITIVE_INFINITY): string {
    const last = this.#replacementsOf(stream).findLast(({ recordedAt }) => recordedAt <= recordedBy);
    return last ? replacementStream(stream, last.suffix) : stream;
  }

  /** All streams that held records of this plain name, the first one first. */
  allOf(stream: string): readonly string[] {
    return [stream, ...this.#replacementsOf(stream).map(({ suffix }) => replacementStream(stream, suffix))];
  }

  #replacementsOf(stream: string): readonly Replacement[] {
    if (this.#byThing.size === 0) return [];
    const thing = thingOf(stream);
    return (thing === undefined ? undefined : this.#byThing.get(thing)) ?? [];
  }

  /**
   * The thing that an id means: itself, unless it was merged into another.
   * @param recordedBy milliseconds: what it meant at this moment
   */
  meaningOf(what: IdentitySubject, id: number, recordedBy: number = Number.POSITIVE_INFINITY): number {
    return this.isEmpty ? id : this.planAt(what, recordedBy).meaningOf(id);
  }

  /** The ids of all things that were merged into others, ascending. */
  mergedIds(what: IdentitySubject): readonly number[] {
    return this.isEmpty ? [] : this.planAt(what).mergedIds;
  }

  /** The ids that were merged into this thing, ascending. */
  mergedInto(what: IdentitySubject, id: number): readonly number[] {
    return this.isEmpty ? [] : this.planAt(what).mergedInto(id);
  }

  /** The identities after the acts of this moment; default after all of them. */
  planAt(what: IdentitySubject, recordedBy: number = Number.POSITIVE_INFINITY): IdentityPlan {
    const isAll = recordedBy === Number.POSITIVE_INFINITY || this.#acts.every((act) => act.recordedAt <= recordedBy);
    if (!isAll) {
      return planOf(
        identityActsOf(
          this.#acts.filter((act) => act.recordedAt <= recordedBy),
          what,
        ),
      );
    }
    const plan = this.#plans.get(what) ?? planOf(identityActsOf(this.#acts, what));
    this.#plans.set(what, plan);
    return plan;
  }
}

/** The acts that say which thing of a kind something belongs to, as `planOf` takes them. */
export const identityActsOf = (acts: readonly NumberedAct[], what: IdentitySubject): readonly IdentityAct[] =>
  acts.flatMap(({ act, content }): IdentityAct[] => {
    const id = String(act);
    if (content.action === 'undo') return [{ id, action: 'undo', act: String(content.undoes) }];
    if (content.what !== what) return [];
    switch (content.action) {
      case 'merge':
        return [{ id, action: 'merge', from: content.from, into: content.into }];
      case 'split':
      case 'bind': {
        // A ref of an entry that was bound by a person is at home where it was bound.
        if (content.action === 'bind' && (what !== 'event' || content.side)) return [];
        const sourceRef = what === 'event' ? content.sourceRef : entryRef(content.sport, content.sourceRef);
        const entry = content.action === 'split' ? splitEntryOf(content) : undefined;
        return [{ id, action: content.action, sourceRef, into: content.into, ...(entry ? { entry } : {}) }];
      }
      default:
        return [];
    }
  });

const splitEntryOf = ({ from, isNew, names }: ActContent & { readonly action: 'split' }) =>
  names && { from, isNew: isNew === true, ...names };

/** Which team and which player everything belongs to. */
export type EntryPlans = Readonly<Record<'team' | 'player', IdentityPlan>>;

export const entryPlans = (acts: readonly NumberedAct[]): EntryPlans => ({
  team: planOf(identityActsOf(acts, 'team')),
  player: planOf(identityActsOf(acts, 'player')),
});

/** `event-5` for `odds-5`. */
function thingOf(stream: string): string | undefined {
  const end = stream.indexOf('-');
  const partition = PARTITIONS_BY_STREAM.get(stream.slice(0, end));
  return partition === undefined ? undefined : `${partition}${stream.slice(end)}`;
}
