import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { recordsAfter } from '../../../src/server/cli/replay.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';

export interface MarketCounts {
  odds_messages: number;
  prices: number;
  splits_messages: number;
  splits_markets: number;
}

/** What the log holds of prices and splits, by `source league`: every message that was accepted is one record. */
export async function countLog(folder: string): Promise<{ head: string; counts: Record<string, MarketCounts> }> {
  const parts = await openForReading(readConfig({}, folder));
  const counts: Record<string, MarketCounts> = {};
  // A reconfirmation refers to the record that holds its content.
  const outcomes = new Map<string, number>();
  try {
    for await (const untyped of recordsAfter(parts.log, null)) {
      const record = untyped as DomainRecord;
      if (!/^(Prices|Splits)/.test(record.type)) continue;
      const { source, league } = record.data as { source: string; league: string };
      counts[`${source} ${league}`] ??= { odds_messages: 0, prices: 0, splits_messages: 0, splits_markets: 0 };
      const count = counts[`${source} ${league}`]!;
      if (record.type === 'PricesChanged') {
        const said = record.data.content.markets.reduce((sum, market) => sum + market.outcomes.length, 0);
        outcomes.set(`${record.stream} ${record.revision}`, said);
        count.odds_messages++;
        count.prices += said;
      } else if (record.type === 'PricesReconfirmed') {
        count.odds_messages++;
        count.prices += outcomes.get(`${record.stream} ${record.data.of}`)!;
      } else if (record.type === 'SplitsChanged') {
        count.splits_messages++;
        count.splits_markets += Object.keys(record.data.content.markets).length;
      } else count.splits_messages++;
    }
    return { head: String(await parts.log.head()), counts };
  } finally {
    await parts.close();
  }
}
