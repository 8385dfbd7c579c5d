import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AdoptedOwner } from '../../accounts/users/user-service.ts';
import { syncFolder } from '../../platform/data-folder/folder-file.ts';
import {
  archiveFile,
  clockFile,
  databaseFile,
  demoStateFile,
  journalFiles,
} from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { DEMO_SOURCE } from '../../sources/demo/demo-day.ts';
import { readSetupState, writeSetupState } from './setup-state.ts';

/**
 * Empties a folder that nothing but the demo has fed, if its owner has asked for that: its games are simulated, and must
 * not stand beside real ones. The caller has the lock of the folder, and nothing has it open. Settings, secrets and
 * mails stay.
 * @returns the owner, who is to be adopted by the new database; undefined: nothing was removed
 */
export function removeDemo(folder: string): AdoptedOwner | undefined {
  const state = readSetupState(folder);
  if (!state?.removesDemo || !existsSync(databaseFile(folder))) return undefined;
  const owner = readOwner(folder, state.email);
  if (owner) {
    const file = databaseFile(folder);
    const begun = `${file}.new`;
    rmSync(begun, { force: true });
    openSqliteDatabase({ file: begun, cacheMib: 1 }).close();
    const beside = [file, archiveFile(folder)].flatMap((one) => [`${one}-wal`, `${one}-shm`]);
    const others = [demoStateFile(folder), clockFile(folder), archiveFile(folder), join(folder, 'backup.json')];
    for (const one of [...others, ...journalFiles(folder), ...beside]) rmSync(one, { force: true });
    // Last, and at once: a crash before leaves the demo's database, which the next start removes.
    renameSync(begun, file);
    syncFolder(folder);
  }
  writeSetupState(folder, { ...state, removesDemo: false });
  return owner;
}

/** Undefined if something else than the demo and the owner would be lost. */
function readOwner(folder: string, email: string): AdoptedOwner | undefined {
  const database = openSqliteDatabase({ file: databaseFile(folder), mustExist: true });
  try {
    const get = (query: string, ...values: unknown[]) =>
      database.prepare(query).get(...values) as Record<string, unknown> | undefined;
    if (get('SELECT 1 FROM named_sources WHERE source <> ? LIMIT 1', DEMO_SOURCE)) return undefined;
    if (get('SELECT 1 FROM api_keys WHERE name <> ? LIMIT 1', 'demo')) return undefined;
    if (get('SELECT 1 FROM users WHERE email IS NOT ? LIMIT 1', email)) return undefined;
    const user = get('SELECT id, name, password_hash FROM users WHERE email = ? AND is_staff = 1', email);
    if (typeof user?.['password_hash'] !== 'string') return undefined;
    const sessions = database.prepare('SELECT token_hash FROM sessions WHERE user_id = ?').all(user['id']);
    return {
      email,
      name: (user['name'] ?? null) as string | null,
      passwordHash: user['password_hash'],
      sessionTokenHashes: (sessions as { token_hash: string }[]).map(({ token_hash }) => token_hash),
    };
  } finally {
    database.close();
  }
}
