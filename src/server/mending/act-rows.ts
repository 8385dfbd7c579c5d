import {
  actOf,
  type FirstAct,
  firstActOf,
  type IdentityState,
  identityDecider,
} from '../../../commands/identity-decider.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { type ActContent, IDENTITY_STREAM_ID } from '../../domain/streams/identity-stream.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import type { ActRow, DoneRow } from '../../web/account/admin/identity-desk.ts';

type ActData = Extract<DomainRecord, { type: 'IdentityActed' }>['data'];

export interface RecordedActs {
  readonly state: IdentityState;
  /** The act with the id n is at n - 1. */
  readonly records: readonly ActData[];
}

/** All acts of the log. */
export async function readActs(log: Pick<EventLog, 'readStream'>): Promise<RecordedActs> {
  let state = identityDecider.initial();
  const records: ActData[] = [];
  for await (const page of readStreamPages(log, streams.identity(IDENTITY_STREAM_ID))) {
    for (const record of page) {
      state = identityDecider.evolve(state, record as never);
      records.push((record as unknown as { data: ActData }).data);
    }
  }
  return { state, records };
}

/** The row of an act that is in the log. */
export function toActRow({ state, records }: RecordedActs, act: number): ActRow {
  const { content, moved, at, by, note } = records[act - 1]!;
  return {
    act,
    action: content.action,
    ...partsOf(firstActOf(state, content)),
    moved,
    at,
    by,
    note,
    undone_by: actOf(state, act)!.undoneBy,
  };
}

/** The row of an act that was only tried. */
export function toTrialRow({ state }: RecordedActs, content: ActContent, moved: DoneRow['moved']): DoneRow {
  return { act: null, action: content.action, ...partsOf(firstActOf(state, content)), moved };
}

/** What an act is about. */
export function partsOf(content: FirstAct): Pick<DoneRow, 'what' | 'from' | 'into' | 'side'> {
  const { action, what } = content;
  if (action === 'merge') return { what, from: content.from, into: content.into };
  if (action === 'alias') return { what, from: content.name, into: content.id };
  const { sourceRef } = content;
  const ref = sourceRef && `${sourceRef.source}:${sourceRef.ref}`;
  if (action === 'bind' || action === 'split') {
    const side = action === 'bind' && content.side ? { side: content.side } : {};
    return { what, from: ref!, into: content.into, ...side };
  }
  return { what, from: ref ?? content.groups.join(', '), into: null };
}

/** The id of what a merge or a split takes something from; null for other acts. */
export const movedFrom = ({ state }: RecordedActs, act: number): number | null =>
  fromOf(firstActOf(state, actOf(state, act)!.content));

/** The same, of an act that was only tried. */
export const fromOf = (content: FirstAct): number | null =>
  content.action === 'merge' || content.action === 'split' ? content.from : null;

/** The ids of the things that an act is about: what it gave something to, and what it took it from. */
export function thingsOf({ state }: RecordedActs, act: number): readonly number[] {
  const content = firstActOf(state, actOf(state, act)!.content);
  if (content.action === 'merge' || content.action === 'split') return [content.from, content.into];
  const { into } = partsOf(content);
  return into === null ? [] : [into];
}

/** The newest acts first, those before `before`. */
export function newestActs(acts: RecordedActs, before: number | null, limit: number): ActRow[] {
  const rows: ActRow[] = [];
  const from = Math.min(acts.records.length, (before ?? Number.POSITIVE_INFINITY) - 1);
  for (let act = from; act >= 1 && rows.length < limit; act--) rows.push(toActRow(acts, act));
  return rows;
}
