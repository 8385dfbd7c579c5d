import { expect, it } from 'vitest';
import { footballDataImporter } from '../../src/sources/football-data/importer.ts';
import { EPL, schedule } from '../api/spec/messages.ts';
import { csvOf, importText } from '../sources/importing.ts';
import { type Message, withServer } from '../system/properties/small-server.ts';
import { NOW } from '../system/properties/world.ts';

const COLUMNS = ['Div', 'Date', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG'];
const fileOf = async (date: string, HomeTeam: string, AwayTeam: string): Promise<Message[]> => {
  const row = { Div: 'E0', Date: date, HomeTeam, AwayTeam, FTHG: '1', FTAG: '0' };
  return (await importText(footballDataImporter, 'E0.csv', csvOf(COLUMNS, [row]))).messages;
};
const SHORT = await fileOf('2023-08-14', 'Man United', 'Wolves');
const FULL = await fileOf('2024-08-16', 'Manchester United', 'Wolverhampton Wanderers');
const LIVE = [schedule(EPL, 'live', ['Manchester United', 'Wolverhampton Wanderers'], '2026-03-05T20:00:00Z')];

const teamsAfter = (...parts: readonly (readonly Message[])[]) =>
  withServer({ time: NOW }, async (server) => {
    for (const part of parts) {
      for (const { status } of await server.accept(part)) expect(['accepted', 'unchanged']).toContain(status);
    }
    await server.projected();
    const teams = Object.values((await server.documents())['teams']!) as any[];
    return teams.map(({ facts }) => facts.name).sort();
  });

it.each([
  ['files with short names, files with full ones, a live provider', [SHORT, FULL, LIVE]],
  ['files with full names, files with short ones, a live provider', [FULL, SHORT, LIVE]],
  ['a live provider, files with short names', [LIVE, SHORT, FULL]],
  // As in a folder that was filled before the importer knew full names.
  ['schedules alone with short names, the files', [SHORT.filter(({ kind }) => kind !== 'team'), SHORT, FULL, LIVE]],
])('given %s, each club is one team under its full name', async (_, parts) => {
  expect(await teamsAfter(...parts)).toEqual(['Manchester United', 'Wolverhampton Wanderers']);
});
