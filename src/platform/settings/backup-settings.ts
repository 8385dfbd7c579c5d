import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { S3Settings } from '../s3/s3-request.ts';

/** Where a backup is kept. Plain data; it has secrets. */
export type BackupAddress =
  | { readonly kind: 'folder'; readonly url: string /** An absolute path. */; readonly root: string }
  | {
      readonly kind: 's3';
      readonly url: string;
      /** What the keys begin with, without a slash at either end; may be empty. */
      readonly prefix: string;
      readonly s3: S3Settings;
    };

export interface BackupSettings {
  readonly address: BackupAddress;
  /** 32 bytes in base64; undefined: the backup is not encrypted. */
  readonly key: string | undefined;
  readonly keepDays: number;
  readonly drill: 'weekly' | 'off';
}

/** The variables that a backup goes by. */
interface BackupVariables {
  readonly BACKUP_URL?: string | undefined;
  readonly BACKUP_KEY?: string | undefined;
  readonly BACKUP_KEEP: number;
  readonly BACKUP_DRILL: 'weekly' | 'off';
  readonly BACKUP_S3_ENDPOINT?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_REGION?: string | undefined;
  readonly AWS_DEFAULT_REGION?: string | undefined;
}

/** AWS's own default, which servers that are not AWS take too. */
const DEFAULT_REGION = 'us-east-1';
/** It becomes a part of a host's name. */
const REGION = /^[a-z0-9][a-z0-9-]{0,40}$/;
const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_.-]+)*)\/?$/;

type ParsedUrl =
  | { readonly kind: 'folder'; readonly root: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export const BACKUP_URL_FORM = 'must be a folder, as file:///path, or a bucket, as s3://bucket/prefix';

/** @returns undefined if it is no address of a backup */
export function parseBackupUrl(text: string): ParsedUrl | undefined {
  const s3 = S3_ADDRESS.exec(text);
  if (s3 && !/(^|\/)\.{1,2}(\/|$)/.test(s3[2]!)) return { kind: 's3', bucket: s3[1]!, prefix: s3[2]!.slice(1) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFolder = url?.protocol === 'file:' && url.host === '' && url.pathname.length > 1;
  return isFolder && url.search + url.hash === '' ? { kind: 'folder', root: fileURLToPath(url) } : undefined;
}

/** A bucket needs credentials, and a region that can be one. */
export function checkBackup(values: BackupVariables, context: z.RefinementCtx): void {
  if (values.BACKUP_URL === undefined || parseBackupUrl(values.BACKUP_URL)?.kind !== 's3') return;
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const) {
    if (values[name] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'must be set, since BACKUP_URL is a bucket' });
    return;
  }
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION'] as const) {
    if (REGION.test(values[name] ?? DEFAULT_REGION)) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'must be a region, such as eu-central-1' });
  }
}

export function toBackupSettings(values: BackupVariables): BackupSettings | undefined {
  const { BACKUP_URL: url } = values;
  const parsed = url === undefined ? undefined : parseBackupUrl(url);
  if (url === undefined || !parsed) return undefined;
  return {
    address:
      parsed.kind === 'folder'
        ? { ...parsed, url }
        : { kind: 's3', url, prefix: parsed.prefix, s3: toS3Settings(values, parsed.bucket) },
    key: values.BACKUP_KEY,
    keepDays: values.BACKUP_KEEP,
    drill: values.BACKUP_DRILL,
  };
}

const toS3Settings = (values: BackupVariables, bucket: string): S3Settings => ({
  bucket,
  endpoint: values.BACKUP_S3_ENDPOINT,
  region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION ?? DEFAULT_REGION,
  accessKeyId: values.AWS_ACCESS_KEY_ID!,
  secretAccessKey: values.AWS_SECRET_ACCESS_KEY!,
  sessionToken: values.AWS_SESSION_TOKEN,
});
