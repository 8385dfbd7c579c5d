import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORTS } from '../../../src/api/exports/run-export.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { filesIn, readJson, readTable } from './exported-tables.ts';
import { type ExportingServer, exportingServer } from './exporting-server.ts';
import { byEvent, operationRows } from './operation-rows.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const OPERATIONS = {
  events: 'list_events',
  results: 'list_events',
  odds: 'get_odds',
  'odds-history': 'get_odds_history',
  closing: 'get_odds_summary',
  splits: 'get_splits',
  injuries: 'get_injuries',
  statistics: 'get_stats',
  forecasts: 'list_forecasts',
  changes: 'list_changes',
} as const;

let server: ExportingServer;
beforeAll(async () => {
  server = await exportingServer(NOW);
  const day = dayOfSport(NOW);
  await server.feed(day.slice(0, day.length / 2), day.slice(day.length / 2));
});
afterAll(() => server.close());

describe('a day of sport', () => {
  it.each(EXPORTS.filter((what) => what !== 'forecasts'))('has %s, as the operation’s CSV has them', async (what) => {
    const exported = await readTable(await server.export(what));
    expect(exported).not.toEqual([]);
    expect(byEvent(exported)).toEqual(byEvent(await operationRows(server, what)));
  });

  it.each(EXPORTS)('of %s, the schema names the columns of the operation, the id of the event first', async (what) => {
    const folder = await server.export(what);
    const { columns, partitions } = readJson(folder, 'schema.json');
    const table = operations.find(({ name }) => name === OPERATIONS[what])!.table!;
    const idOf = what === 'events' || what === 'results' ? 'id' : 'event_id';
    const [first, ...others] = columns;
    expect(first).toMatchObject({ name: 'event_id', type: 'integer' });
    // The league is in the path of each file.
    expect(partitions.map(({ name }: { name: string }) => name)).toEqual(['league', 'year']);
    expect(others).toEqual(table.columns.filter(({ name }) => name !== idOf && name !== 'league'));
  });

  it('tells in the manifest what lies in the folder', async () => {
    const folder = await server.export('odds', { format: 'csv' });
    const { position, files } = readJson(folder, 'manifest.json');
    expect(position).toBe(String(await server.ports.log.head()));
    expect(filesIn(folder)).toEqual(
      [...files.map(({ path }: { path: string }) => path), 'manifest.json', 'schema.json'].sort(),
    );
    const { createHash } = await import('node:crypto');
    for (const { path, bytes, sha256, rows } of files) {
      const content = readFileSync(join(folder, path));
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      expect(content.toString().trimEnd().split('\r\n').length - 1).toBe(rows);
    }
  });

  it.each(EXPORTS)('gives the same bytes of %s twice', async (what) => {
    const [one, other] = [await server.export(what), await server.export(what)];
    expect(filesIn(one)).toEqual(filesIn(other));
    for (const file of filesIn(one)) {
      expect(readFileSync(join(one, file)).equals(readFileSync(join(other, file))), file).toBe(true);
    }
  });

  it('leaves out what the filter does', async () => {
    const all = await readTable(await server.export('odds'));
    const ofDay = async (filter: object) => readTable(await server.export('odds', { filter }));
    expect(await ofDay({ league: 'nfl' })).toEqual(all.filter(({ league }) => league === 'nfl'));
    expect((await ofDay({ sport: 'tennis' })).map(({ league }) => league)).toEqual(
      all.flatMap(({ league }) => (league === 'atp' || league === 'wta' ? [league] : [])),
    );
    const starts = new Map((await readTable(await server.export('events'))).map((row) => [row['event_id'], row]));
    const today = { from: Date.parse('2026-03-01T00:00:00Z'), to: Date.parse('2026-03-02T00:00:00Z') - 1 };
    expect(await ofDay(today)).toEqual(
      all.filter((row) => starts.get(row['event_id'])!['starts_at']!.startsWith('2026-03-01')),
    );
    const changes = await readTable(await server.export('changes', { filter: today }));
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.every(({ year }) => year === '2026')).toBe(true);
  });

  it.each(['recorded', 'observed'] as const)('as of a %s moment has what the API says as of it', async (basis) => {
    const at = basis === 'recorded' ? NOW + 60_000 : NOW - 3 * 3_600_000;
    const asOf = { at, basis };
    const moment = { as_of: formatTime(at), as_of_basis: basis };
    for (const what of ['odds', 'odds-history', 'closing', 'splits', 'injuries', 'statistics'] as const) {
      const expected = await operationRows(server, what, moment);
      const exported = await readTable(await server.export(what, { asOf }));
      // The partition is that of the start as it was known then.
      const bare = (rows: typeof exported) => rows.map(({ league: _, year: __, ...row }) => row);
      expect([what, byEvent(bare(exported))]).toEqual([what, byEvent(bare(expected))]);
      expect(exported.length, what).toBeGreaterThan(0);
    }
    const events = await readTable(await server.export('events', { asOf }));
    const ids = events.map(({ event_id }) => Number(event_id));
    const told = await server.csv('batch_get_events', { event_ids: ids, ...moment });
    expect(told.map(({ id }) => Number(id))).toEqual(ids);
    for (const [index, { event_id: _, league: __, year: ___, ...row }] of events.entries()) {
      expect(told[index]).toMatchObject(row);
    }
  });

  it('ends at the position of the last record that was recorded by the moment', async () => {
    const past = await server.export('events', { asOf: { at: NOW + 60_000, basis: 'recorded' } });
    const now = await server.export('events');
    const [then, last] = [readJson(past, 'manifest.json'), readJson(now, 'manifest.json')];
    expect(Number(then.position)).toBeLessThan(Number(last.position));
    const before = await server.export('events', { asOf: { at: NOW - 60_000, basis: 'recorded' } });
    expect(readJson(before, 'manifest.json')).toEqual({ position: null, files: [] });
  });
});
