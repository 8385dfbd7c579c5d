import { join } from 'node:path';
import type { Benchmark, Figure } from './benchmark.ts';
import { fillWithEvents } from './event-detail-folder.ts';
import { measureDetail, sizesOf } from './event-detail-load.ts';

const KINDS = [
  ['event detail', ''],
  ['with odds', '?include_odds=true'],
] as const;

export const eventDetail: Benchmark = {
  name: 'event-detail',
  summary: 'GET /v1/events/{id} over 10,000 events, with authentication, against node:http that sends ready bytes',
  runs: 5,
  async run({ folder, quick, say }) {
    const sizes = sizesOf(quick);
    const data = join(folder, 'data');
    await fillWithEvents(data, sizes.events + sizes.warm);
    const figures: Figure[] = [];
    for (const [what, query] of KINDS) {
      const { bytes, cold, kept, floor, cost, floorCost } = await measureDetail(data, sizes, query);
      say(`${what}: cold ${(cold / floor).toFixed(2)} and kept ${(kept / floor).toFixed(2)} of the floor`);
      const ready = { what: 'node:http, ready bytes', value: floor };
      figures.push(
        {
          what: `${what}, ${bytes} bytes, each for the first time since the start`,
          value: cold,
          unit: 'answers/s',
          floor: ready,
        },
        { what: `${what}, all asked for again`, value: kept, unit: 'answers/s', floor: ready },
        {
          what: `${what}, processor time when asked for again`,
          value: cost,
          unit: 'µs',
          floor: { ...ready, value: floorCost },
        },
      );
    }
    return figures;
  },
};
