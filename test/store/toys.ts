import type { Projection } from '../../src/domain/projection.ts';

/** A document whose fields are whatever a test writes into it. */
export interface Thing {
  readonly name?: string | null;
  readonly rank?: number | null;
  readonly live?: boolean | null;
  readonly label?: string | null;
  readonly teams?: readonly (number | string | null)[];
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
