import type { DomainEvent, DomainRecord } from '../../src/domain/domain-events.ts';

export const RECORDED = '2026-12-01T00:00:00.000Z';

/** A stream in memory: what a decider decides is stored and folded as the intake does, through JSON as on disk. */
export function newStream<State>(initial: () => State, evolve: (state: State, record: DomainRecord) => State) {
  let state = initial();
  const records: DomainRecord[] = [];
  return {
    state: () => state,
    records,
    decide(decide: (state: State) => readonly DomainEvent[]): readonly DomainRecord[] {
      const events = decide(state);
      const added = events.map((event, index) => recordOf(event, records.length + index));
      for (const record of added) {
        records.push(record);
        state = evolve(state, record);
      }
      return added;
    },
    /** As after a restart. */
    reload() {
      state = records.reduce((folded, record) => evolve(folded, structuredClone(record)), initial());
    },
  };
}

export function recordOf(event: DomainEvent, revision: number, more: Partial<DomainRecord> = {}): DomainRecord {
  const stored = JSON.parse(JSON.stringify(event)) as DomainEvent;
  const place = { stream: 'stream-1', revision, position: BigInt(revision + 1), recordedAt: RECORDED };
  return { ...stored, ...place, ...more } as DomainRecord;
}
