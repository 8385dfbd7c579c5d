import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { S3Client } from '../../platform/s3/s3-client.ts';
import type { BackupTarget } from './backup-target.ts';

interface S3TargetParts {
  readonly client: S3Client;
  /** `s3://bucket/prefix` */
  readonly name: string;
  /** What the keys begin with, without a slash at its end; may be empty. */
  readonly prefix: string;
  /** A folder of its own, for files on their way. */
  readonly staging: string;
}

/** A backup in a bucket. An object is there when it is whole, and its content is that of its checksum. */
export function createS3Target({ client, name: address, prefix, staging }: S3TargetParts): BackupTarget {
  const before = prefix === '' ? '' : `${prefix}/`;
  const fileOf = (name: string) => join(staging, name.replaceAll('/', '_'));
  const draftOf = (name: string) => {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    return fileOf(name);
  };
  const names = async (folder: string, beginning = '') =>
    (await client.list(`${before}${folder}/${beginning}`)).map((key) => key.slice(before.length));
  const remove = (name: string) => client.remove(`${before}${name}`);

  return {
    name: address,
    mayBeAway: false,
    folders: () => client.listFolders(before),
    names,
    begin: async () => {},
    draftOf,
    async publish(name) {
      await client.putFile(`${before}${name}`, fileOf(name));
      rmSync(fileOf(name), { force: true });
    },
    removeDrafts: async () => rmSync(staging, { recursive: true, force: true }),
    has: (name) => client.has(`${before}${name}`),
    async fetch(name) {
      const file = `${draftOf(name)}.fetched`;
      if (!(await client.getFile(`${before}${name}`, file))) throw new Error(`${address}/${name} is missing`);
      return { file, release: () => rmSync(file, { force: true }) };
    },
    remove,
    create: (name, content) => client.create(`${before}${name}`, content),
    read: (name) => client.read(`${before}${name}`),
    async removeFolder(folder) {
      for (const name of await names(folder)) await remove(name);
    },
  };
}
