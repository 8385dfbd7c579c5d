import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { type DeductionReport, isKnownDeduction } from '../src/domain/sports-events/deduction-reports.ts';
import { deductionsStream } from '../src/domain/streams/deductions-stream.ts';

export type DeductionCommand = EventOfKind<typeof deductionsStream>['data'];

/** A source reports points taken from a team. Recorded unless the very report is known. */
export const deductionsDecider: StreamDecider<
  DeductionReport[],
  DeductionCommand,
  EventOfKind<typeof deductionsStream>
> = {
  stream: deductionsStream,
  initial: () => [],
  decide(command, reports) {
    if (isKnownDeduction(reports, command)) return [];
    return [createEvent(deductionsStream, command.seasonId, 'PointsDeducted', command)];
  },
  evolve(reports, { data: { at, source, teamId, points, reason } }) {
    reports.push({ at, source, teamId, points, reason });
    return reports;
  },
};
