import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Engine, EngineMissing, type EngineStart, type RunningEngine } from './engine.ts';
import { type EngineCommand, startProcess } from './engine-process.ts';
import { folderOf, type ServerUser, userInPlaceOfRoot } from './postgres-user.ts';

const run = promisify(execFile);

/** Where Debian's packages install the programs of each version, outside the path. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const USERS = ['postgres', 'nobody'];
const NAME = 'ledgerline';
const CONNECTIONS = 200;
const ORPHANS_MS = 15_000;
const ORPHANS_LOOK_MS = 250;

/** A PostgreSQL server, which listens on this machine alone, and asks for a password there too. */
export const postgresEngine: Engine = {
  name: 'registry',

  async fetch() {
    await findPrograms();
  },

  async start({ folder, port }: EngineStart): Promise<RunningEngine> {
    const programs = await findPrograms();
    const user = userInPlaceOfRoot(USERS);
    const home = user ? await folderOf(user, folder) : folder;
    const data = join(home, 'data');
    const password = await begin(programs, home, data, user);
    const url = `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
    return onceAlone({
      name: 'registry',
      url,
      folder: home,
      ...(user && { user }),
      program: join(programs, 'postgres'),
      arguments: [
        ...['-D', data, '-p', String(port)],
        ...Object.entries({
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          fsync: 'on',
          max_connections: String(CONNECTIONS),
          // Serializable transactions of large batches do not block others.
          max_pred_locks_per_transaction: '256',
        }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // Fast shutdown: does not wait for clients.
      stopBy: 'SIGINT',
      answers: () => hasDatabase(url),
    });
  },
};

/** After a kill the processes end a moment later; until then no other server starts on the data. */
async function onceAlone(command: EngineCommand): Promise<RunningEngine> {
  for (const deadline = performance.now() + ORPHANS_MS; ; ) {
    try {
      return await startProcess(command);
    } catch (error) {
      if (!/shared memory block/.test(String(error)) || performance.now() > deadline) throw error;
      await setTimeout(ORPHANS_LOOK_MS);
    }
  }
}

/** The newest version in Debian's folder, else the one on the path. @throws EngineMissing */
async function findPrograms(): Promise<string> {
  const versions = (await readdir(DEBIAN_FOLDER).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const debian = versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(':')];
  const found = folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))));
  if (found === undefined) throw new EngineMissing('registry', 'PostgreSQL', 'apt-get install postgresql');
  return found;
}

/** Creates the server's files if there are none. @returns the password of its only user */
async function begin(programs: string, home: string, data: string, user: ServerUser | undefined): Promise<string> {
  const file = join(home, 'password');
  if (existsSync(data)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
  // Renamed in one step, so an aborted creation is never used.
  const unfinished = `${data}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await run(
    join(programs, 'initdb'),
    [
      ...['-D', unfinished, '-U', NAME, `--pwfile=${file}`, '-A', 'scram-sha-256'],
      ...['-E', 'UTF8', '--locale=C', '--no-instructions'],
    ],
    { cwd: home, ...user },
  );
  await rename(unfinished, data);
  return password;
}

/** Whether it answers. Creates the database at the first answer. */
async function hasDatabase(url: string): Promise<boolean> {
  const common = new URL(url);
  common.pathname = '/postgres';
  const client = new Client({ connectionString: common.href, connectionTimeoutMillis: 2000, query_timeout: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`create database ${NAME}`);
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
