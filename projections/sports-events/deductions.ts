import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { DeductionReport } from '../../src/domain/sports-events/deduction-reports.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The reports on points taken from teams in one season. */
export interface DeductionsDocument {
  readonly id: number;
  readonly reports: readonly DeductionReport[];
}

export const deductions: Projection<DeductionsDocument> = {
  name: 'deductions',
  version: 1,
  types: ['PointsDeducted'],
  key: ({ data }) => String(data.seasonId),
  apply(document, untyped) {
    const { seasonId, at, source, teamId, points, reason } = (
      untyped as Extract<DomainRecord, { type: 'PointsDeducted' }>
    ).data;
    return { id: seasonId, reports: [...(document?.reports ?? []), { at, source, teamId, points, reason }] };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.deductions(key)],
};
