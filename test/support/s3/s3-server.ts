import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { freePort } from '../../server/cli/launching.ts';
import { pythonVenv } from '../python-venv.ts';

const venv = pythonVenv('s3-server', join(import.meta.dirname, 'requirements.txt'));

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A server that speaks S3, from PyPI (moto). */
export interface S3Server {
  /** A program of its Python, which has AWS's own library. */
  readonly python: (script: string, input: unknown) => Promise<string>;
  readonly endpoint: string;
  readonly bucket: string;
  /** May do everything in it. */
  readonly user: Credentials;
  /** May do nothing. */
  readonly stranger: Credentials;
  stop(): Promise<void>;
}

/** Calls of the API of its users, before it asks who calls. */
const UNCHECKED_CALLS = 6;

/**
 * @param checks whether it asks who calls. It takes no address of a request with an encoded slash then, whoever signs
 *   it (AWS's own client neither).
 */
export async function startS3Server({ checks = false } = {}): Promise<S3Server> {
  await venv.install();
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'll-s3-'));
  const unchecked = checks ? { INITIAL_NO_AUTH_ACTION_COUNT: String(UNCHECKED_CALLS) } : {};
  const env = { PATH: process.env['PATH'], HOME: home, ...unchecked };
  const child = spawn(venv.program('moto_server'), ['-H', '127.0.0.1', '-p', String(port)], { env, stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint, child);
  const root = new AwsClient({ accessKeyId: 'root', secretAccessKey: 'root', region: 'us-east-1' });
  const bucket = 'backups';
  const all = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };

  async function call(service: string, method: string, url: string, body = ''): Promise<string> {
    const headers: Record<string, string> = {};
    if (service === 'iam') headers['content-type'] = 'application/x-www-form-urlencoded';
    const given = method === 'GET' ? {} : { body };
    const answer = await root.fetch(url, { method, headers, ...given, aws: { service } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text;
  }

  const iam = (Action: string, fields: Record<string, string>) =>
    call('iam', 'POST', `${endpoint}/`, String(new URLSearchParams({ Action, Version: '2010-05-08', ...fields })));

  async function keyOf(UserName: string): Promise<Credentials> {
    const made = await iam('CreateAccessKey', { UserName });
    const part = (tag: string) => new RegExp(`<${tag}>([^<]+)<`).exec(made)![1]!;
    return { accessKeyId: part('AccessKeyId'), secretAccessKey: part('SecretAccessKey') };
  }

  await call('s3', 'PUT', `${endpoint}/${bucket}`);
  for (const UserName of ['user', 'stranger']) await iam('CreateUser', { UserName });
  await iam('PutUserPolicy', { UserName: 'user', PolicyName: 'all', PolicyDocument: JSON.stringify(all) });
  const [user, stranger] = [await keyOf('user'), await keyOf('stranger')];
  return {
    endpoint,
    bucket,
    user,
    stranger,
    python: (script, input) => venv.run('python', [join(import.meta.dirname, script), JSON.stringify(input)]),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function answers(endpoint: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the S3 server has ended');
    const isUp = await fetch(`${endpoint}/moto-api/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
}
