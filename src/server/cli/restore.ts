import { BACKUP_URL_FORM, parseBackupUrl } from '../../platform/settings/backup-settings.ts';
import type { Restored } from '../backup/restore-folder.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';
import { showProgress } from './progress.ts';

const help = `
restore    makes an empty folder the data folder of any moment of the backup

  --from URL        the backup, as file:///path or s3://bucket/prefix (BACKUP_URL)
  --at TIME         the moment, such as 2030-01-31T12:00:00Z; absent: the newest that was backed up
  --timeline ID     of this history, as backup status names it; absent: of the one with the newest points
  --data-dir NEW    the new folder: missing or empty, such as a mounted one
  --promote         makes the standby of --data-dir the first server, beside the standby or without it; --from is the
                    backup that it follows, and only needed where it does not run
  --first-is-gone   with --promote, where the first has never held a lease: you have made sure that it never runs again

BACKUP_KEY opens an encrypted backup. A KEY_PEPPER or SESSION_SECRET that is set must be the one that was in use; one
that is not in the backup must be set. Where the first server is gone, start the server on the folder with the same
BACKUP_URL: its backup goes on there as a history of its own, and it takes the lease over. A copy to look at needs a
BACKUP_URL of its own, since two servers do not share one.
Exit codes: 0 restored; 1 not, and the folder is as it was.`;

async function restore(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`restore takes no ${args.positionals[0]}`);
  if (args.dataDir === undefined) throw new UsageError('restore needs --data-dir NEW');
  if (args.flag('promote')) return promoteStandby(args, args.dataDir);
  if (args.flag('first-is-gone')) throw new UsageError('--first-is-gone goes with --promote');
  const { parseTime } = await import('../../domain/primitives/time.ts');
  const { readFolderConfig } = await import('../../platform/settings/stored-settings.ts');
  const { givenSecrets } = await import('../backup/backup-secrets.ts');
  const { restoreFolder } = await import('../backup/restore-folder.ts');
  const { roleOfRestored, writeRole } = await import('../standby/folder-role.ts');
  const config = readFolderConfig({ ...process.env, ...backupVariable(args.text('from')) }, args.dataDir);
  if (!config.backup) throw new UsageError('restore needs --from URL, or BACKUP_URL');
  const time = args.text('at');
  const at = time === undefined ? undefined : parseTime(time);
  if (at === null) throw new UsageError('--at must be a UTC time such as 2030-01-31T12:00:00Z');
  const { openTarget } = await import('../backup/open-target.ts');
  const { address, key } = config.backup;
  const timeline = args.text('timeline');
  const progress = showProgress('restore', 'records');
  const done = await restoreFolder({
    target: (staging) => openTarget(address, staging),
    key: key === undefined ? undefined : Buffer.from(key, 'base64'),
    folder: config.dataDir,
    at,
    timeline,
    secrets: givenSecrets(config),
    onProgress: progress.update,
    finish: (draft, _, place) => writeRole(draft, roleOfRestored(place)),
  }).catch(asCommandError);
  progress.end();
  if (done.beside.length > 0) process.stderr.write(besideText(done));
  const when = new Date(done.reached).toISOString();
  const isEarlier = at !== undefined && done.reached < at;
  if (done.hiddenSettings.length > 0)
    process.stderr.write(
      `not in this backup, since it has no BACKUP_KEY: ${done.hiddenSettings.join(', ')}; set them as they were\n`,
    );
  process.stdout.write(
    `${config.dataDir}: ${done.records} records, as of ${when}${isEarlier ? ', the newest moment of this backup' : ''}, from ${done.timeline}\n`,
  );
  return 0;
}

function besideText({ timeline, beside }: Pick<Restored, 'timeline' | 'beside'>): string {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const lines = beside.map(
    (one) => `  ${one.timeline}: ${time(one.from)} to ${time(one.to)}, ${one.records} records\n`,
  );
  return `several servers have written to this backup at a time. ${timeline} was restored; beside it there is:\n${lines.join('')}--timeline ID restores another one\n`;
}

async function promoteStandby(args: Arguments, dataDir: string): Promise<number> {
  for (const name of ['at', 'timeline'] as const)
    if (args.text(name) !== undefined)
      throw new UsageError(`--promote takes no --${name}: a standby becomes the newest state`);
  const { readFolderConfig } = await import('../../platform/settings/stored-settings.ts');
  const { findDataFolder } = await import('../../platform/data-folder/data-folder.ts');
  const { callServer } = await import('../control/control-client.ts');
  const { withWriter } = await import('../control/with-writer.ts');
  const { finishPromotion, isStandby, promoteAlone } = await import('../standby/open-standby.ts');
  const folder = findDataFolder(dataDir);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const isFirstGone = args.flag('first-is-gone');
  const route = `POST /promote${isFirstGone ? '?first_is_gone=true' : ''}`;
  await withWriter<unknown>(folder, 'restore', say, {
    handOver: () => callServer(folder, route, undefined, ({ name = '' }) => say(name)),
    async alone() {
      if (!isStandby(folder)) throw new CommandError(`${folder} is not the folder of a standby`);
      const { backup } = readFolderConfig({ ...process.env, ...backupVariable(args.text('from')) }, dataDir);
      if (!backup) throw new UsageError('restore --promote needs --from URL, or BACKUP_URL, where no standby runs');
      if (await finishPromotion(folder, backup)) return;
      await promoteAlone(folder, backup, Date.now, { isFirstGone, say });
    },
  }).catch(asCommandError);
  process.stdout.write(`${folder} is the first server now; a server that starts on it writes and backs up\n`);
  return 0;
}

const EXPECTED = new Set([
  'promotion_refused',
  'damaged_lease',
  'follow',
  'hand_over_failed',
  'restore',
  'nothing_to_restore',
  'damaged_segment',
  'missing_backup',
  'backup_secret',
  'data_folder',
  'folder_in_use',
  's3',
]);

/** What needs no stack. */
export function asCommandError(error: unknown): never {
  throw EXPECTED.has(String((error as { code?: unknown }).code)) ? new CommandError((error as Error).message) : error;
}

/** An option in the place of the variable. @throws UsageError */
export function backupVariable(from: string | undefined, option = '--from'): { readonly BACKUP_URL?: string } {
  if (from === undefined) return {};
  if (!parseBackupUrl(from)) throw new UsageError(`${option} ${BACKUP_URL_FORM}`);
  return { BACKUP_URL: from };
}

const form = {
  help,
  options: {
    from: { type: 'string' },
    at: { type: 'string' },
    timeline: { type: 'string' },
    promote: { type: 'boolean' },
    'first-is-gone': { type: 'boolean' },
  },
  run: restore,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
