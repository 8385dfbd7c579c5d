import { asRecord, asRecords, type Json } from '../importing/json-file.ts';

/**
 * An event of the API's third version as one of the fourth: `sites` with decimal prices in the order of `teams`, a
 * draw last, and of totals in the order of `position`.
 */
export function fromOldShape(event: Json): Json {
  const teams = Array.isArray(event['teams']) ? event['teams'] : [];
  const bookmakers = asRecords(event['sites']).map((site) => ({
    key: site['site_key'],
    last_update: site['last_update'],
    markets: Object.entries(asRecord(site['odds']))
      .filter(([key]) => !key.endsWith('_lay'))
      .map(([key, given]) => ({ key, outcomes: outcomesOf(key, given, teams) })),
  }));
  return { ...event, bookmakers };
}

function outcomesOf(key: string, given: unknown, teams: readonly unknown[]): Json[] {
  const { odds = given, points, position } = asRecord(given);
  const names = key.startsWith('totals') ? listOf(position) : [...teams, 'Draw'];
  return listOf(odds).map((price, index) => ({ name: names[index], price, point: listOf(points)[index] }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
