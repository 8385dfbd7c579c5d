import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { VARIABLES } from '../../src/platform/settings/variables.ts';
import { SERVER_FLAGS } from '../../src/server/bin/server-flags.mjs';
import { DEPLOY } from './tools.ts';

const unit = readFileSync(join(DEPLOY, 'systemd/ledgerline.service'), 'utf8');
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

it('the unit starts the program with settings that it knows, on the folder that systemd makes for it', () => {
  const { NODE_OPTIONS, ...settings } = Object.fromEntries(
    valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2))),
  ) as Record<string, string>;
  const nodeOptions = valuesOf('Environment')
    .join(' ')
    .match(/NODE_OPTIONS=(\S+)/)![1];

  expect(valuesOf('ExecStart')).toEqual(['/usr/bin/env ledgerline start']);
  expect(NODE_OPTIONS).toBeDefined();
  expect(nodeOptions).toBe(SERVER_FLAGS.join(','));
  for (const name of Object.keys(settings)) expect(Object.keys(VARIABLES)).toContain(name);
  expect(readConfig(settings).dataDir).toBe(join('/var/lib', valuesOf('StateDirectory')[0]!));
  expect([valuesOf('User'), valuesOf('StateDirectoryMode')]).toEqual([['ledgerline'], ['0700']]);
  // The server ends within 9 s.
  expect(Number.parseInt(valuesOf('TimeoutStopSec')[0]!, 10)).toBeGreaterThan(9);
});
