import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { type Engine, EngineMissing, type EngineStart, type RunningEngine } from './engine.ts';
import { startProcess } from './engine-process.ts';

const run = promisify(execFile);

const DATABASE = 'ledgerline';
const REPLICA_SET = 'ledgerline';
/**
 * A server in Python that speaks MongoDB's protocol, on MongoDB's storage engine. It is not mongod: for trying and testing
 * only, and some ten times slower. Killed without warning it may forget its last commits, whatever its settings say about syncing.
 * Python's registry has it, which has no mongod.
 */
const SUBSTITUTE = 'SecantusDB==0.7.0b3';
const SUBSTITUTE_FOLDER = 'secantusdb-0.7.0b3';
const GET = `python3 -m pip install ${SUBSTITUTE}`;
const INSTALLED_WITHIN_MS = 300_000;

/** A server of MongoDB's protocol, which listens on this machine alone: mongod where it is on the path. */
export const mongoEngine: Engine = {
  name: 'read-store',

  async fetch(programs) {
    if (findMongod() === undefined) await findSubstitute(programs);
  },

  async start({ folder, port, programs }: EngineStart): Promise<RunningEngine> {
    const mongod = findMongod();
    const query = mongod === undefined ? '' : `?replicaSet=${REPLICA_SET}`;
    const url = `mongodb://127.0.0.1:${port}/${DATABASE}${query}`;
    const common = { name: 'read-store', url, folder, answers: () => answers(port, mongod !== undefined) } as const;
    if (mongod !== undefined) {
      const listening = ['--bind_ip', '127.0.0.1', '--port', String(port)];
      const storing = ['--dbpath', folder, '--replSet', REPLICA_SET];
      return startProcess({ ...common, program: mongod, arguments: [...listening, ...storing] });
    }
    const substitute = await findSubstitute(programs);
    const listening = ['--host', '127.0.0.1', '--port', String(port)];
    const storing = ['--storage-path', join(folder, 'data')];
    return startProcess({
      ...common,
      // Not by its script, which contains the folder of the first installation.
      program: join(substitute, 'bin', 'python'),
      arguments: ['-m', 'secantus', ...listening, ...storing, '--log-level', 'WARNING'],
    });
  },
};

const findMongod = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'mongod'))
    .find((program) => existsSync(program));

/** The folder of the substitute, which is fetched where it is missing. @throws EngineMissing */
async function findSubstitute(programs: string): Promise<string> {
  const folder = join(programs, SUBSTITUTE_FOLDER);
  if (existsSync(folder)) return folder;
  // Renamed in one step, since several processes may fetch it at once. An aborted download is never used.
  await mkdir(programs, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await run('python3', ['-m', 'venv', unfinished]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SUBSTITUTE];
    await run(join(unfinished, 'bin', 'python'), pip, { timeout: INSTALLED_WITHIN_MS });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } catch (error) {
    throw new EngineMissing('read-store', 'a server of MongoDB (mongod)', GET, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Whether it accepts writes. Initiates the replica set of a new mongod first. */
async function answers(port: number, isReplica: boolean): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    connectTimeoutMS: 1000,
    serverSelectionTimeoutMS: 1000,
    socketTimeoutMS: 5000,
  });
  try {
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    if (hello['isWritablePrimary'] === true) return true;
    if (isReplica && hello['setName'] === undefined) {
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    }
    return false;
  } finally {
    await client.close();
  }
}
