import { sum } from 'd3-array';
import { readDiskUsage } from '../../platform/data-folder/disk-space.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { CallCounts } from '../metrics/call-counts.ts';
import { createRecentFigures } from '../metrics/count-recent-figures.ts';

interface RecentFiguresParts extends Pick<Parameters<typeof createRecentFigures>[0], 'now' | 'setTimer' | 'onError'> {
  readonly calls: Pick<CallCounts, 'requests'>;
  readonly webhooks: Pick<Webhooks, 'attempts'>;
  /** The data folder; absent if everything is in memory. */
  readonly folder: string | undefined;
}

/** What this process counts of itself for the staff: calls and errors, tries of webhooks, and the disk. */
export const openRecentFigures = ({ calls, webhooks, folder, ...pace }: RecentFiguresParts) =>
  createRecentFigures({
    ...pace,
    readCounts() {
      const { delivered, failed, given_up } = webhooks.attempts;
      const requests = [...calls.requests];
      const ofCalls = (isCounted: (status: string) => boolean) =>
        sum(requests, ([, status, number]) => (isCounted(status) ? number : 0));
      return {
        calls: ofCalls(() => true),
        errors: ofCalls((status) => status === '5xx'),
        attempts: delivered + failed + given_up,
        failedAttempts: failed + given_up,
      };
    },
    readDiskBytes: async () => (folder === undefined ? null : sum(Object.values((await readDiskUsage(folder)).files))),
  });
