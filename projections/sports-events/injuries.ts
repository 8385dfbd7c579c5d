import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { canonicalJson } from '../../src/domain/primitives/canonical-json.ts';
import { type InjuryReport, toInjuryReport } from '../../src/domain/sports-events/injury-reports.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** All reports on one player's availability, sorted by `at`; events of the team show those of their time. */
export interface InjuriesDocument {
  teamId: number;
  playerId: number | null;
  reports: (InjuryReport & { revision: number })[];
}

export const injuries: Projection<InjuriesDocument> = {
  name: 'injuries',
  version: 1,
  types: ['InjuryReported', 'InjuryReconfirmed', 'InjuredPlayerIdentified'],
  key: ({ data }) => `${data.teamId}:${data.player}`,
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: `Injur${string}` }>;
    const next = document ?? { teamId: (record.data as { teamId: number }).teamId, playerId: null, reports: [] };
    switch (record.type) {
      case 'InjuryReported':
        insert(next.reports, { ...toInjuryReport(record.data), revision: record.revision });
        break;
      case 'InjuryReconfirmed': {
        const { at, of } = record.data;
        const original = next.reports.find(({ revision }) => revision === of);
        if (original) insert(next.reports, { ...original, at });
        break;
      }
      case 'InjuredPlayerIdentified':
        next.playerId = record.data.playerId;
        break;
    }
    return next;
  },
  fields: { team_id: { kind: 'number', of: ({ teamId }) => teamId } },
  indexes: [['team_id']],
  streams: (key) => [streams.injuries(key.slice(0, key.indexOf(':')))],
};

type Report = InjuriesDocument['reports'][number];

function insert(reports: Report[], report: Report): void {
  let index = reports.length;
  while (index > 0 && comesAfter(reports[index - 1]!, report)) index--;
  reports.splice(index, 0, report);
}

/** Same order as in the deciders: by `at`, then by canonical JSON. */
function comesAfter(a: Report, b: Report): boolean {
  const difference = timeOf(a.at) - timeOf(b.at);
  return difference !== 0 ? difference > 0 : content(a) > content(b);
}
const content = ({ revision: _, at: __, ...reported }: Report): string => canonicalJson(reported);
