import { PARTITIONS_BY_STREAM } from '../streams/domain-events.ts';
import type { ActContent, StreamReplacement } from '../streams/identity-stream.ts';
import { type IdentityAct, type IdentityPlan, planOf } from './identity-plan.ts';

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

/** An act that has moved records from event to event. */
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

/**
 * Which streams hold the records of an event now, or held them at a moment. A merge, a split, or an undo of one writes
 * the records of each event anew into streams with a suffix of the act's own; the streams before stay as they are, for
 * answers as of an earlier moment. Without such acts every stream has its plain name.
 */
export class StreamReplacements {
  readonly #acts: RecordedAct[] = [];
  /** By event, in their order. */
  readonly #byEvent = new Map<number, Replacement[]>();
  #plan: IdentityPlan | undefined;

  /** Acts in the order of the log; one that is known already is passed over. */
  note(act: RecordedAct): void {
    if (act.act <= this.#acts.length) return;
    this.#acts.push(act);
    this.#plan = undefined;
    for (const event of act.replacement?.events ?? []) {
      const known = this.#byEvent.get(event) ?? [];
      known.push({ suffix: act.replacement!.suffix, recordedAt: act.recordedAt });
      this.#byEvent.set(event, known);
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
    return this.#byEvent.size === 0;
  }

  /**
   * The stream that holds the records now.
   * @param stream the plain name of a stream of an event, such as `odds-5`; others are returned as they are
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
    if (this.#byEvent.size === 0) return [];
    const event = eventOf(stream);
    return (event === undefined ? undefined : this.#byEvent.get(event)) ?? [];
  }

  /**
   * The event that an id means: itself, unless it was merged into another.
   * @param recordedBy milliseconds: what it meant at this moment
   */
  meaningOf(id: number, recordedBy: number = Number.POSITIVE_INFINITY): number {
    return this.isEmpty ? id : this.planAt(recordedBy).meaningOf(id);
  }

  /** The ids of all events that were merged into others, ascending. */
  get mergedIds(): readonly number[] {
    return this.planAt().mergedIds;
  }

  /** The ids that were merged into this event, ascending. */
  mergedInto(id: number): readonly number[] {
    return this.isEmpty ? [] : this.planAt().mergedInto(id);
  }

  /** The identities after the acts of this moment; default after all of them. */
  planAt(recordedBy: number = Number.POSITIVE_INFINITY): IdentityPlan {
    const isAll = recordedBy === Number.POSITIVE_INFINITY || this.#acts.every((act) => act.recordedAt <= recordedBy);
    if (!isAll) return planOf(identityActsOf(this.#acts.filter((act) => act.recordedAt <= recordedBy)));
    this.#plan ??= planOf(identityActsOf(this.#acts));
    return this.#plan;
  }
}

/** The acts that say which event something belongs to, as `planOf` takes them. */
export const identityActsOf = (acts: readonly NumberedAct[]): readonly IdentityAct[] =>
  acts.flatMap(({ act, content }): IdentityAct[] => {
    const id = String(act);
    switch (content.action) {
      case 'merge':
        return [{ id, action: 'merge', from: content.from, into: content.into }];
      case 'split':
      case 'bind':
        if (content.what !== 'event') return [];
        return [{ id, action: content.action, sourceRef: content.sourceRef, into: content.into }];
      case 'undo':
        return [{ id, action: 'undo', act: String(content.undoes) }];
      default:
        return [];
    }
  });

function eventOf(stream: string): number | undefined {
  const end = stream.indexOf('-');
  return PARTITIONS_BY_STREAM.get(stream.slice(0, end)) === 'event' ? Number(stream.slice(end + 1)) : undefined;
}
