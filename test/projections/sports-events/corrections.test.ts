import { expect, it } from 'vitest';
import { corrections } from '../../../projections/sports-events/corrections.ts';
import type { OperationContext } from '../../../src/api/calls/operation/operation.ts';
import { listCorrections } from '../../../src/api/operations/events/list-corrections.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';

/** By id, as if processes with different clocks had appended to one log. */
const DAYS = ['2026-03-01', '2026-02-27', '2026-02-28', '2026-02-27', '2026-03-01', '2026-02-26', '2026-02-28'];

it('given days out of order with the ids, then pages are ordered by id and have each row once', async () => {
  const store = createMemoryStore();
  await store.prepare(corrections, 'v1');
  const said = { event_id: 1, sport: 'nfl', league: 'nfl', field: 'status', before: 'final', after: 'inprogress' };
  const rows = DAYS.map((day, index) => ({
    id: index + 1,
    ...said,
    source: 'feed',
    at: `${day}T00:00:00Z`,
    recorded_at: `${day}T12:00:00Z`,
  }));
  const writes = rows.map((document) => ({ key: String(document.id), document, position: BigInt(document.id) }));
  const part = { projection: corrections.name, generation: 'v1', partition: 'log', expected: null, checkpoint: 9n };
  await store.commit([{ ...part, writes }]);
  const context = { store, principal: { scopes: ['all'] }, now: () => Date.parse('2026-03-01T13:00:00Z') };

  for (const limit of [1, 2, 3, 7, 100]) {
    const paged: unknown[] = [];
    for (let after_id: number | undefined | null; after_id !== null; ) {
      const input = { limit, ...(after_id === undefined ? {} : { after_id }) };
      const page = await listCorrections.run(input, context as unknown as OperationContext);
      expect(page.data).toHaveLength(Math.min(limit, rows.length - paged.length));
      paged.push(...page.data);
      after_id = page.next_after_id;
    }
    expect(paged).toEqual(rows.map((row) => ({ ...row, reason: null })));
  }
});
