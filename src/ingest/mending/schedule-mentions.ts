import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { comesBefore } from '../../event-log/storage/streams-in-order.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { NamedEntry } from './entry-homes.ts';
import type { ScheduleRecord } from './mapped-sides.ts';

/** A team or player as a schedule names it. */
export interface Mention extends NamedEntry {
  readonly kind: EntryKind;
  readonly name: string;
  readonly abbreviation: string | null;
  readonly country_code: string | null;
}

/** The entries that a schedule names. */
export function mentionsOf({ data: { sport, source, content } }: ScheduleRecord): readonly Mention[] {
  const { entry: kind } = rulesOf(sport);
  return content.sides.flatMap(({ id, ref, name, abbreviation, country_code, members = [] }): Mention[] => {
    if (id !== null) return [{ kind, id, source, ref, name, abbreviation, country_code }];
    return members.map((member) => ({ kind, ...member, source, abbreviation: null, country_code: null }));
  });
}

/** What a record of the directory says that comes from a schedule. */
interface RecordedMention {
  readonly recordedAt: string;
  readonly data: { readonly at: string; readonly source: string };
}
const keyOf = ({ recordedAt, data: { at, source } }: RecordedMention, name: string): string =>
  `${recordedAt}|${at}|${source}|${name}`;

/** Schedules between the records of the entries that they name, in the order of the log. */
export class SchedulesInOrder {
  #next: ScheduleRecord[] = [];
  /** The mentions of the schedules. */
  #keys = new Set<string>();

  /** The schedules up to the next position. */
  expect(schedules: readonly ScheduleRecord[]): void {
    this.#next = schedules.toSorted((a, b) => (comesBefore(a, b) ? -1 : 1));
    this.#keys = new Set(
      schedules.flatMap((schedule) => mentionsOf(schedule).map(({ name }) => keyOf(schedule, name))),
    );
  }

  /** Whether one of them is what the record comes from. */
  has(record: RecordedMention, name: string): boolean {
    return this.#keys.has(keyOf(record, name));
  }

  /** Takes those before a record; all that are left without one. */
  takeBefore(record?: Parameters<typeof comesBefore>[0]): readonly ScheduleRecord[] {
    const end = record ? this.#next.findIndex((schedule) => !comesBefore(schedule, record)) : -1;
    return this.#next.splice(0, end === -1 ? this.#next.length : end);
  }
}
