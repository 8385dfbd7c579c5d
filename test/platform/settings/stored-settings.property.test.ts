import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { dataDirArgument, withStoredLeaguesFile } from '../../../src/platform/settings/stored-leagues-file.ts';
import {
  changeStoredSettings,
  readFolderConfig,
  readStoredSettings,
  type SettingChanges,
  sourceOf,
  withStoredSettings,
} from '../../../src/platform/settings/stored-settings.ts';
import { VARIABLES } from '../../../src/platform/settings/variables.ts';
import { cases } from '../../support/cases.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'll-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Values that are right, two of each, for settings that need no other. */
const RIGHT = {
  PORT: ['0', '8080'],
  FEEDS: ['espn', 'none'],
  FEED_LEAGUES: ['nba', 'nfl,mlb'],
  RETAIN_ODDS: ['30d', '365d'],
  REGISTRATION: ['open', 'closed'],
  SMTP_URL: ['smtp://127.0.0.1:25', 'smtps://ann:secret@mail.example'],
  LOG_LEVEL: ['info', 'warn'],
} as const;
const NAMES = Object.keys(RIGHT) as (keyof typeof RIGHT)[];

const someOf = fc
  .record(Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom(...RIGHT[name])])), { requiredKeys: [] })
  .map((given) => given as Partial<Record<keyof typeof RIGHT, string>>);

describe('settings of a folder', () => {
  it('count below the environment, one by one', () => {
    fc.assert(
      fc.property(someOf, someOf, (stored, env) => {
        rmSync(settingsFile(folder), { force: true });
        changeStoredSettings(folder, stored, {});

        const all = withStoredSettings({ ...env, DATA_DIR: folder });

        for (const name of NAMES) expect([name, all[name]]).toEqual([name, env[name] ?? stored[name]]);
        for (const name of NAMES) {
          const from =
            env[name] !== undefined ? 'environment' : stored[name] !== undefined ? 'settings.json' : 'default';
          expect(sourceOf(name, readStoredSettings(folder), env)).toBe(from);
        }
      }),
      { numRuns: cases(200) },
    );
  });

  it('are changed all or nothing, and only to what the next start takes', () => {
    const wrong = fc.constantFrom<SettingChanges>(
      { PORT: '70000' },
      { FEEDS: 'espn,nobody' },
      { FEEDS: 'the-odds-api' },
      { BACKUP_URL: 's3://bucket/prefix' },
      { LOG_LEVEL: ' ' },
      { DATA_DIR: '/elsewhere' },
      { EVENT_LOG_URL: 'esdb://127.0.0.1' },
      { FEDS: 'espn' } as SettingChanges,
      { toString: 'x' } as unknown as SettingChanges,
    );
    fc.assert(
      fc.property(someOf, someOf, wrong, (before, more, bad) => {
        rmSync(settingsFile(folder), { force: true });
        changeStoredSettings(folder, before, {});
        const bytes = readFileSync(settingsFile(folder), 'utf8');

        expect(() => changeStoredSettings(folder, { ...more, ...bad }, {})).toThrow(/^[A-Z_a-z]+: \S/);

        expect(readFileSync(settingsFile(folder), 'utf8')).toBe(bytes);
        expect(readdirSync(folder)).toEqual(['settings.json']);
      }),
      { numRuns: cases(200) },
    );
  });

  it('come back as they were given, and go when they are unset', () => {
    fc.assert(
      fc.property(someOf, someOf, (first, second) => {
        rmSync(settingsFile(folder), { force: true });
        changeStoredSettings(folder, first, {});
        changeStoredSettings(folder, second, {});
        expect(readStoredSettings(folder)).toEqual({ ...first, ...second });

        changeStoredSettings(folder, Object.fromEntries(NAMES.map((name) => [name, null])), {});
        expect(readStoredSettings(folder)).toEqual({});
      }),
      { numRuns: cases(100) },
    );
  });

  it('are a file that only its owner can read', () => {
    changeStoredSettings(folder, { INGEST_KEY: 'very-secret' }, {});

    expect(statSync(settingsFile(folder)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'must be an object'],
    ['null', 'must be an object'],
    ['{"FEDS":"espn"}', 'FEDS: there is no such setting'],
    ['{"__proto__":"espn"}', '__proto__: there is no such setting'],
    ['{"PORT":3000}', 'PORT: must be text'],
    ['{"PORT":"x"}', 'PORT: must be a whole number'],
    ['{"PORT":""}', 'PORT: must not be empty'],
    ['{"DATA_DIR":"/x"}', 'DATA_DIR: says in which folder'],
    ['{"ROLES":"api"}', 'ROLES: belongs to a cluster'],
  ])('stop a start where they are %s', (text, reason) => {
    writeFileSync(settingsFile(folder), text);

    expect(() => readFolderConfig({}, folder)).toThrow(`${settingsFile(folder)}: ${reason}`);
  });

  it('never show a secret in what is wrong with the file', () => {
    writeFileSync(settingsFile(folder), '{"STRIPE_SECRET_KEY": "hidden-away", "BACKUP_KEY": hidden-away}');
    expect(() => readFolderConfig({}, folder)).toThrow(/^(?!.*hidden-away)/);

    writeFileSync(settingsFile(folder), '{"STRIPE_SECRET_KEY": "hidden-away"}');
    expect(() => readFolderConfig({}, folder)).toThrow(/^(?!.*hidden-away).*STRIPE_SECRET_KEY: must be/);
  });

  it('do not count for a cluster, which has no folder', () => {
    changeStoredSettings(folder, { RETAIN_ODDS: '30d' }, {});
    const env = { DATA_DIR: folder, EVENT_LOG_URL: 'esdb://127.0.0.1' };

    expect(withStoredSettings(env)).toEqual(env);
  });

  it('can all be kept, but those that only the environment can give', () => {
    const refused = Object.keys(VARIABLES).filter((name) => {
      try {
        changeStoredSettings(folder, { [name]: '\u0000' }, {});
      } catch (error) {
        return /environment/.test((error as Error).message);
      }
      return false;
    });

    const ofCluster = ['ROLES', 'GROUP_SESSION_SECONDS', 'EVENT_LOG_URL', 'READ_STORE_URL', 'REGISTRY_URL'];
    expect(refused.sort()).toEqual([...ofCluster, 'LIMITS_URL', 'BROKER_URL', 'DATA_DIR', 'DETACH'].sort());
  });
});

describe('the leagues of a folder', () => {
  it('are those of the CONFIG that it keeps, unless the environment has its own', () => {
    changeStoredSettings(folder, { CONFIG: '/leagues.json' }, {});

    expect(withStoredLeaguesFile({ DATA_DIR: folder })['CONFIG']).toBe('/leagues.json');
    expect(withStoredLeaguesFile({ DATA_DIR: folder, CONFIG: '/own.json' })['CONFIG']).toBe('/own.json');
    expect(withStoredLeaguesFile({ DATA_DIR: folder, BROKER_URL: 'kafka://k:1' })['CONFIG']).toBeUndefined();
    expect(withStoredLeaguesFile({ DATA_DIR: `${folder}/none` })['CONFIG']).toBeUndefined();
  });

  it.each([
    [['--data-dir', 'x'], 'x'],
    [['--data-dir=x=y', '--json'], 'x=y'],
    [['--data-dir', 'x', '--data-dir', 'y'], 'y'],
    [['--data-dir'], undefined],
    [['list'], undefined],
  ])('are looked for where %j says', (args, wanted) => {
    expect(dataDirArgument(args)).toBe(wanted);
  });
});
