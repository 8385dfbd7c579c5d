import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { run, type startServer, temporaryFolder } from '../cli/launching.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');
export const INGEST_KEY = 'feed';

type Server = Awaited<ReturnType<typeof startServer>>;

/** A backup, and new folders beside it. @param target the settings of a backup elsewhere */
export function givenBackup(target: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder();
  const backup = join(root, 'backup');
  const env: Record<string, string> & { BACKUP_URL: string } = {
    BACKUP_URL: pathToFileURL(backup).href,
    BACKUP_KEY: KEY,
    BACKUP_DRILL: 'off',
    INGEST_KEY,
    ...target,
  };
  const folder = (name: string) => join(root, name);
  const command = (...args: string[]) => run(args, { env });
  return { root, backup, env, folder, command };
}

let prefixes = 0;

/** A backup in a bucket. @param endpoint of a way there */
export const givenBucket = ({ endpoint: own, bucket, user }: S3Server, endpoint = own) =>
  givenBackup({
    BACKUP_URL: `s3://${bucket}/of/test-${prefixes++}`,
    BACKUP_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: user.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'the-secret',
  });

export async function send(server: Pick<Server, 'url'>, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
}

export async function ask(server: Pick<Server, 'url'>, key: string, path: string) {
  const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const used = Number(answer.headers.get('x-credits-used'));
  return {
    status: answer.status,
    used,
    requestId: answer.headers.get('x-request-id') ?? '',
    body: await answer.text(),
  };
}

export async function end(server: Server): Promise<void> {
  server.child.kill('SIGTERM');
  await server.ended;
}
