import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';
import { showProgress } from './progress.ts';
import { asCommandError, backupVariable } from './restore.ts';

const help = `
backup status    shows each timeline of the backup: from when to when its moments can be restored
backup now       backs up at once: by the server that runs on the data folder, or without one
backup verify    reads every file of the backup, and compares it with its checksum

  --from URL        the backup, as file:///path or s3://bucket/prefix (BACKUP_URL)
  --data-dir DIR    the data folder (DATA_DIR, or ./data), for now

BACKUP_KEY opens an encrypted backup.
Exit codes: 0 all is well; 1 something is missing or damaged, and is named.`;

async function backup(args: Arguments): Promise<number> {
  const [action, ...rest] = args.positionals;
  if (rest.length > 0) throw new UsageError(`backup takes no ${rest[0]}`);
  if (action !== 'status' && action !== 'now' && action !== 'verify')
    throw new UsageError('backup needs status, now or verify');
  const { readFolderConfig } = await import('../../platform/settings/stored-settings.ts');
  const config = readFolderConfig({ ...process.env, ...backupVariable(args.text('from')) }, args.dataDir);
  if (action === 'now') return backUpNow(config);
  if (!config.backup) throw new UsageError(`backup ${action} needs --from URL, or BACKUP_URL`);
  const { describeBackup, verifyBackup } = await import('../backup/verify-backup.ts');
  const { withTarget } = await import('../backup/open-target.ts');
  const { address, key } = config.backup;
  const progress = showProgress('verify', 'segments');
  let read = 0;
  const keyBytes = key === undefined ? undefined : Buffer.from(key, 'base64');
  const found = await withTarget(address, (target) =>
    action === 'status' ? describeBackup(target) : verifyBackup(target, keyBytes, () => progress.update(++read)),
  ).catch(asCommandError);
  progress.end();
  for (const { timeline, segments, records, from, to, problems, isLeftOut } of found) {
    const span = from === null || to === null ? 'nothing can be restored' : `${timeOf(from)} to ${timeOf(to)}`;
    process.stdout.write(`${timeline}: ${span}, ${records} records, ${segments} segments\n`);
    if (isLeftOut)
      process.stdout.write(
        `NOT RESTORED ${timeline}: another server held the lease; restore --timeline ${timeline} takes it all the same\n`,
      );
    for (const problem of problems) process.stdout.write(`DAMAGED ${problem}\n`);
  }
  if (found.length === 0) process.stdout.write(`there is no backup in ${address.url}\n`);
  return found.length > 0 && found.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

const timeOf = (time: number): string => new Date(time).toISOString();

type Config = ReturnType<typeof import('../../platform/settings/stored-settings.ts')['readFolderConfig']>;

async function backUpNow(config: Config): Promise<number> {
  const { findDataFolder } = await import('../../platform/data-folder/data-folder.ts');
  const { callServer } = await import('../control/control-client.ts');
  const { withWriter } = await import('../control/with-writer.ts');
  const folder = findDataFolder(config.dataDir);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await withWriter<unknown>(folder, 'backup', say, {
    handOver: () => callServer(folder, 'POST /backup'),
    alone: () => backUpAlone(folder, config),
  });
  process.stdout.write('everything is backed up\n');
  return 0;
}

async function backUpAlone(folder: string, config: Config): Promise<void> {
  if (!config.backup) throw new UsageError('backup now needs BACKUP_URL');
  const { assertBackupPossible, backupWork } = await import('../backup/backup-work.ts');
  const { openFolderBackup } = await import('../backup/folder-backup.ts');
  const { assertWrittenAlone } = await import('../standby/folder-role.ts');
  const { assertDatabaseKept } = await import('../embedded/begun-database.ts');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { databaseFile } = await import('../../platform/data-folder/folder-paths.ts');
  assertWrittenAlone(folder);
  assertDatabaseKept(folder);
  if (!existsSync(databaseFile(folder))) throw new CommandError(`the data folder ${folder} is empty`);
  assertBackupPossible(folder, config, config.backup);
  const { openLeaseBook } = await import('../standby/open-standby.ts');
  const lease = await openLeaseBook(config.backup, join(folder, 'backup-unsent', 'lease'))
    .newest()
    .catch(asCommandError);
  if (lease)
    throw new CommandError(
      'another server holds the lease in this backup, so nothing that this folder adds would count. Start the server of ' +
        'this folder: it takes the lease over, if that has run out and the folder has the newest state; else it says what to do',
    );
  const backup = openFolderBackup(backupWork(folder, config, config.backup), Date.now);
  try {
    await backup.capture().catch(asCommandError);
  } finally {
    backup.close();
  }
}

const form = { help, options: { from: { type: 'string' } }, run: backup } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
