import type { ExportName } from '../../../src/api/exports/run-export.ts';
import { SPORT_SLUGS } from '../../../src/domain/catalogue/catalogue.ts';
import type { Row } from './exported-tables.ts';
import type { ExportingServer } from './exporting-server.ts';

const OPERATION_OF_EVENT: Readonly<Partial<Record<ExportName, string>>> = {
  odds: 'get_odds',
  'odds-history': 'get_odds_history',
  closing: 'get_odds_summary',
  splits: 'get_splits',
  injuries: 'get_injuries',
  statistics: 'get_stats',
};

/** All events of the server, as its list has them. */
export async function listedEvents(server: ExportingServer, input: object = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: number | undefined; ; ) {
    const page = await server.csv('list_events', {
      ...{ include_scores: true, limit: 100, ...input },
      ...(after === undefined ? {} : { after_id: after }),
    });
    rows.push(...page);
    if (page.length < 100) return rows;
    after = Number(page.at(-1)!['id']);
  }
}

/**
 * The rows that an export must have, from the CSV of the operation that answers the same: by the id of the event, with
 * the partition of the event.
 * @param moment parameters of the operations that take a moment
 */
export async function operationRows(server: ExportingServer, what: ExportName, moment: object = {}): Promise<Row[]> {
  const events = await listedEvents(server);
  const byId = new Map(events.map((event) => [event['id']!, event]));
  const placed = (row: Row): Row => {
    const event = byId.get(row['event_id']!);
    const league = event?.['league'] ?? (row['league'] || 'none');
    return { ...row, league, year: event ? event['starts_at']!.slice(0, 4) : '0' };
  };
  const asEvent = ({ id, ...row }: Row): Row => placed({ event_id: id!, ...row });
  switch (what) {
    case 'events':
      return events.map(asEvent);
    case 'results':
      return [
        ...(await listedEvents(server, { status: 'final' })),
        ...(await listedEvents(server, { status: 'walkover' })),
      ].map(asEvent);
    case 'forecasts': {
      const days = new Set(events.map((event) => event['starts_at']!.slice(0, 10)));
      const rows: Row[] = [];
      for (const sport of SPORT_SLUGS) {
        for (const date of days) rows.push(...(await server.csv('list_forecasts', { sport, date, limit: 100 })));
      }
      return rows.map(placed);
    }
    case 'changes':
      return (await server.csv('list_changes', { after: '0', limit: 500 })).map(placed);
    default: {
      const rows: Row[] = [];
      const operation = OPERATION_OF_EVENT[what]!;
      for (const id of byId.keys()) {
        const of = operation === 'get_odds_history' ? { limit: 200 } : {};
        const takesBooks = !['splits', 'injuries', 'statistics'].includes(what);
        const books = takesBooks ? { bookmaker: 'all' } : {};
        rows.push(...(await server.csv(operation, { id: Number(id), ...of, ...books, ...moment })));
      }
      return rows.map(placed);
    }
  }
}

/** Rows by event, in their order. One time has one spelling: a timestamp does not keep another. */
export function byEvent(rows: readonly Row[]): Record<string, Row[]> {
  const found: Record<string, Row[]> = {};
  for (const row of rows) {
    const id = row['event_id']!;
    found[id] ??= [];
    found[id].push(Object.fromEntries(Object.entries(row).map(([name, text]) => [name, sameTime(text)])));
  }
  return found;
}

const sameTime = (text: string): string => (/^[\dT:-]{19}\.000Z$/.test(text) ? `${text.slice(0, 19)}Z` : text);
