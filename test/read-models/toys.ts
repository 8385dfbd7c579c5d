import type { Projection } from '../../src/domain/event-sourcing/projection.ts';

/** A document whose fields are whatever a test writes into it. */
export interface Thing {
  readonly name?: string | null;
  readonly rank?: number | null;
  readonly live?: boolean | null;
  readonly label?: string | null;
  readonly teams?: readonly (number | string | null)[];
  /** Not a field. */
  readonly note?: number;
}

export const things: Projection<Thing> = {
  name: 'things',
  version: 1,
  types: ['ThingSeen'],
  key: (record) => String(record.data.id),
  apply: (_document, record) => record.data.thing as Thing,
  fields: {
    name: { kind: 'string', of: (thing) => thing.name },
    rank: { kind: 'number', of: (thing) => thing.rank },
    live: { kind: 'boolean', of: (thing) => thing.live },
    label: { kind: 'text', of: (thing) => thing.label },
    teams: { kind: 'many', of: (thing) => thing.teams },
  },
  indexes: [['name', 'rank'], ['rank'], ['teams', 'rank'], ['teams', 'name', 'rank']],
};

/** A document that shows every record that went into it, and in which order. */
export interface Tally {
  count: number;
  sum: number;
  seen: string[];
}

/** Folds in place, as projections may. */
export function tallies(name = 'tallies', version = 1): Projection<Tally> {
  return {
    name,
    version,
    types: ['Counted', 'Poisoned'],
    key: (record) => (record.data.key === undefined ? undefined : String(record.data.key)),
    apply: (document = { count: 0, sum: 0, seen: [] }, record) => {
      document.count++;
      document.sum += record.data.amount * version;
      document.seen.push(String(record.position));
      if (record.type === 'Poisoned') throw new Error('poison');
      return document;
    },
    fields: { sum: { kind: 'number', of: ({ sum }) => sum } },
    indexes: [['sum']],
  };
}

/** A tally whose documents put a row into two tables each at every second record. */
export function grouped(name = 'grouped', version = 1): Projection<Tally> {
  const plain = tallies(name, version);
  return {
    ...plain,
    tables: {
      rowsOf({ count, seen }: Tally, position) {
        const shown = count - (count % 2);
        if (shown === 0 || seen[shown - 1] !== String(position)) return undefined;
        const group = Number(seen[0]) % 2 === 0 ? 'even' : 'odd';
        const row = { shown };
        return [
          ['all', row],
          [group, row],
        ] as const;
      },
      put(table: Record<string, unknown> = {}, tableKey, key, row) {
        table[key] = { ...(row as object), in: tableKey };
        return table;
      },
    },
    fields: { sum: { kind: 'number', of: ({ sum }) => sum ?? null } },
  };
}
