import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createS3Client } from '../../platform/s3/s3-client.ts';
import type { Waits } from '../../platform/s3/s3-request.ts';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import type { BackupTarget } from './backup-target.ts';
import { createFolderTarget } from './folder-target.ts';
import { createS3Target } from './s3-target.ts';

/**
 * @param staging a folder of its own for files on their way to a bucket and from it; it need not exist
 * @param waits for a bucket; absent: patient
 */
export function openTarget(address: BackupAddress, staging: string, waits?: Waits): BackupTarget {
  if (address.kind === 'folder') return createFolderTarget(address.root);
  const { url: name, prefix } = address;
  return createS3Target({ client: createS3Client(address.s3, waits), name, prefix, staging });
}

/** Calls this with the target, and removes what it has fetched. */
export async function withTarget<T>(address: BackupAddress, use: (target: BackupTarget) => Promise<T>): Promise<T> {
  const staging = mkdtempSync(join(tmpdir(), 'ledgerline-backup-'));
  try {
    return await use(openTarget(address, staging));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
