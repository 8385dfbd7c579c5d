import { expect, it } from 'vitest';
import { type ControlParts, controlRoutes } from '../../../src/server/control/control-routes.ts';

const rebuilt = [{ name: 'teams', records: 5, seconds: 1 }];

async function rebuild(query: string) {
  const done: string[] = [];
  const routes = controlRoutes({
    runner: { rebuild: async (names: readonly string[]) => done.push(...names) && rebuilt },
    forecasts: { learnAnew: async () => void done.push('forecasts') },
  } as unknown as ControlParts);
  const call = { query: new URLSearchParams(query), progress() {} };
  return [await routes['POST /rebuild']!(call as never), done];
}

it('a rebuild of everything ends with what forecasts have learned; one of a projection leaves it alone', async () => {
  expect(await rebuild('projection=teams&learned=true')).toEqual([rebuilt, ['teams', 'forecasts']]);
  expect(await rebuild('projection=teams&learned=false')).toEqual([rebuilt, ['teams']]);
});
