import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertBackupSettings } from '../../../src/server/backup/backup-work.ts';
import { temporaryFolder } from '../cli/launching.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');

describe('settings of a backup that are changed', () => {
  it('are refused, given a backup within the data folder, as the next start would refuse them', () => {
    const folder = temporaryFolder();
    const stored = { BACKUP_URL: pathToFileURL(join(folder, 'backup')).href, BACKUP_KEY: KEY };
    expect(() => assertBackupSettings(folder, ['BACKUP_URL'], stored, {})).toThrow(
      /^BACKUP_URL: must be a folder beside the data folder/,
    );
  });

  it('are refused, given no key and secrets that the folder makes itself', () => {
    const folder = temporaryFolder();
    const stored = { BACKUP_URL: pathToFileURL(join(temporaryFolder(), 'backup')).href };
    expect(() => assertBackupSettings(folder, ['BACKUP_URL'], stored, {})).toThrow(
      /^BACKUP_KEY: BACKUP_URL needs BACKUP_KEY, or KEY_PEPPER and SESSION_SECRET/,
    );
    expect(() => assertBackupSettings(folder, ['BACKUP_KEY'], { ...stored, BACKUP_KEY: KEY }, {})).not.toThrow();
    const secrets = { KEY_PEPPER: 'p'.repeat(40), SESSION_SECRET: 's'.repeat(40) };
    expect(() => assertBackupSettings(folder, ['BACKUP_URL'], stored, secrets)).not.toThrow();
  });

  it('stand in the way of no other setting', () => {
    const stored = { BACKUP_URL: pathToFileURL(join(temporaryFolder(), 'backup')).href, TRIAL: 'on' };
    expect(() => assertBackupSettings(temporaryFolder(), ['TRIAL'], stored, {})).not.toThrow();
  });
});
