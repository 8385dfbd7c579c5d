import type { NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { EventLog, ReadStreamOptions } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';

export const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const BOOKS = 20;

const timeAt = (second: number): string => new Date(BEGIN + 1000 * second).toISOString().replace('.000Z', 'Z');

function priceChange(number: number, second: number): NewRecord {
  const price = 101 + (number % 800);
  const outcomes = [
    { outcome: 'home', price },
    { outcome: 'away', price: -price },
  ];
  const content = {
    bookmaker: `book${number % BOOKS}`,
    markets: [{ key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes }],
  };
  const data = { eventId: 1, sport: 'nba', league: 'nba', at: timeAt(second), source: 'feed', content };
  return { type: 'PricesChanged', version: 1, data, meta: { partition: 'event-1' } };
}

/**
 * A log with one event whose prices changed so often, a change a second, one of 50 told late, by 20 bookmakers.
 * @param clock is set to the time of recording
 * @param late by so many seconds
 */
export async function longHistory(changes: number, clock: { time: number }, late = 100): Promise<EventLog> {
  const log = createMemoryLog({ now: () => clock.time });
  for (let from = 0; from < changes; from += 500) {
    clock.time = BEGIN + 1000 * (from + 500);
    const events = Array.from({ length: Math.min(500, changes - from) }, (_, index) => {
      const number = from + index;
      return priceChange(number, number % 50 === 49 ? number - late : number);
    });
    await log.append('odds-1', events, 'any');
  }
  return log;
}

/** A log of which it is counted how many records are read. */
export function counted(log: EventLog) {
  const read = { records: 0, largest: 0 };
  return {
    read,
    log: {
      ...log,
      async readStream(stream: string, options?: ReadStreamOptions) {
        const records = await log.readStream(stream, options);
        read.records += records.length;
        read.largest = Math.max(read.largest, records.length);
        return records;
      },
    },
  };
}
