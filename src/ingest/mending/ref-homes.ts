import { type MessageNaming, type SourceRef, sourceRefKey } from '../../domain/identities/identity-plan.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';

/** Where each ref was first used, from the records of events in the order of the log. */
export class RefHomes {
  readonly #homes = new Map<string, MessageNaming>();

  /** @param home the event of the record, by its public id */
  note({ type, data }: DomainRecord, home: number): void {
    if (type === 'EventBound') this.#add({ source: data.source, ref: data.ref }, home);
    const isSchedule = type === 'EventScheduled' || type === 'ScheduleReconfirmed' || type === 'ScheduleRepeated';
    if (!isSchedule || data.origin?.ref === undefined) return;
    const own = this.#add({ source: data.source, ref: data.origin.ref }, home);
    for (const [source, ref] of Object.entries(data.origin.refs ?? {})) this.#add({ source, ref }, home, own);
  }

  /** How a message named its event. @param home the event that the message was bound to, by its public id */
  namingOf(home: number, sourceRef: SourceRef | undefined): MessageNaming {
    if (!sourceRef) return { home };
    return this.#homes.get(sourceRefKey(sourceRef)) ?? { home, sourceRef };
  }

  #add(sourceRef: SourceRef, home: number, knownBy?: MessageNaming): MessageNaming {
    const key = sourceRefKey(sourceRef);
    const known = this.#homes.get(key) ?? { home, sourceRef, ...(knownBy ? { knownBy } : {}) };
    this.#homes.set(key, known);
    return known;
  }
}
