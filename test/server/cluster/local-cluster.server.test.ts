import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/platform/settings/deployment-profile.ts';
import { ENGINE_NAMES } from '../../../src/platform/settings/engine-settings.ts';
import { type Engine, EngineMissing } from '../../../src/server/engines/engine.ts';
import { startProcess } from '../../../src/server/engines/engine-process.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import {
  clusterFolder,
  eventually,
  lives,
  modeOf,
  startReadyToys,
  startToys,
  stateOf,
  TOY_ENGINES,
  toyEngine,
} from './toy-cluster.ts';

const rolesOf = (folder: string) => stateOf(folder).processes.map(({ role }) => role);
/** Undefined before anything was started. */
const stateIn = (folder: string) => (existsSync(join(folder, 'cluster.json')) ? stateOf(folder) : undefined);
const pidsOf = (folder: string) =>
  [...stateOf(folder).processes, ...stateOf(folder).engines].map(({ pid }) => pid!).filter((pid) => pid !== null);
const connectsTo = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy());
    socket.once('error', () => resolve(false)).once('close', () => resolve(true));
  });
const kill = (pid: number | null) => process.kill(pid!, 'SIGKILL');

describe('a cluster on one machine', () => {
  it('runs a process for each role and the engines that are given nowhere, and tells where', async () => {
    const folder = clusterFolder();
    await startReadyToys(folder, { LIMITS_URL: 'redis://me:hidden@127.0.0.1:1/3' });

    const { processes, engines } = stateOf(folder);
    expect(rolesOf(folder)).toEqual(['api', 'api', 'ingest', 'projector', 'webhooks', 'relay', 'intelligence']);
    expect(engines.map(({ name }) => name)).toEqual(ENGINE_NAMES);
    expect(engines.find(({ name }) => name === 'limits')).toEqual({
      name: 'limits',
      url: 'redis://127.0.0.1:1/3',
      pid: null,
    });
    expect(readFileSync(join(folder, 'cluster.json'), 'utf8')).not.toMatch(/secret|hidden/);
    expect(modeOf(folder)).toBe(0o600);
    for (const { port } of processes) expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    for (const pid of pidsOf(folder)) expect(lives(pid)).toBe(true);
  });

  it('runs all roles in one process, which answers for each of them', async () => {
    const folder = clusterFolder();
    const cluster = await startReadyToys(folder, {}, { processes: [{ name: 'all-1', roles: ROLES }] });

    expect(rolesOf(folder)).toEqual(ROLES);
    const { processes } = stateOf(folder);
    expect(new Set(processes.map(({ pid, port }) => `${pid} ${port}`)).size).toBe(1);
    expect(existsSync(join(folder, 'logs', 'all-1.log'))).toBe(true);
    for (const path of ['/v1/health', '/ingest/v1']) {
      const answer = (await (await fetch(`${cluster.listening}${path}`)).json()) as { role: string };
      expect(answer.role).toBe(ROLES.join(','));
    }
    const pid = processes[0]!.pid!;
    kill(pid);
    await eventually(() => stateOf(folder).processes.every((one) => one.pid !== null && one.pid !== pid));
  });

  it('gives each process its role, the addresses, the secrets of the folder and the address of the front', async () => {
    const folder = clusterFolder();
    const cluster = await startReadyToys(folder, { INGEST_KEY: 'key', LIMITS_URL: 'redis://me:hidden@127.0.0.1:1' });
    const environmentOf = async (port: number) =>
      (await (await fetch(`http://127.0.0.1:${port}/env`)).json()) as Record<string, string>;

    const [api, , ingest] = await Promise.all(stateOf(folder).processes.map(({ port }) => environmentOf(port)));

    expect(api).toMatchObject({
      ROLES: 'api',
      HOST: '127.0.0.1',
      INGEST_KEY: 'key',
      GROUP_SESSION_SECONDS: '1.5',
      LIMITS_URL: 'redis://me:hidden@127.0.0.1:1',
      REGISTRY_URL: expect.stringMatching(/^registry:\/\/me:secret@/),
      BASE_URL: cluster.listening,
      TRUST_PROXY: '127.0.0.0/8',
    });
    expect(api!['KEY_PEPPER']!.length).toBeGreaterThanOrEqual(32);
    expect(ingest).toMatchObject({ KEY_PEPPER: api!['KEY_PEPPER'], SESSION_SECRET: api!['SESSION_SECRET'] });
    expect(api!['DATA_DIR']).toBeUndefined();
  });

  it('answers at the front, by one process and the other', async () => {
    const cluster = await startReadyToys(clusterFolder());
    const answered = async (path: string) =>
      (await (await fetch(`${cluster.listening}${path}`)).json()) as { role: string; pid: number };

    const [one, other] = [await answered('/v1/x'), await answered('/v1/x')];

    expect([one.role, other.role]).toEqual(['api', 'api']);
    expect(one.pid).not.toBe(other.pid);
    expect((await answered('/ingest/v1')).role).toBe('ingest');
  });

  it('starts again at the same port what has died, and tells its id within two seconds', async () => {
    const folder = clusterFolder();
    const cluster = await startReadyToys(folder);
    const before = stateOf(folder);
    const role = before.processes.find((one) => one.role === 'relay')!;
    const engine = before.engines.find(({ name }) => name === 'broker')!;

    for (let times = 0; times < 3; times++) {
      const { pid } = stateOf(folder).processes.find(({ port }) => port === role.port)!;
      kill(pid);
      const { value, after } = await eventually(() =>
        stateOf(folder).processes.find((one) => one.port === role.port && one.pid !== pid && one.pid !== null),
      );
      expect(value.role).toBe('relay');
      expect(after).toBeLessThan(patientTimeout(2000));
      await eventually(async () => (await fetch(`http://127.0.0.1:${role.port}/healthz`).catch(() => undefined))?.ok);
    }
    kill(engine.pid);
    await eventually(() => {
      const { pid, url } = stateOf(folder).engines.find(({ name }) => name === 'broker')!;
      return pid !== null && pid !== engine.pid && url === engine.url;
    });
    const starts = async () => (await fetch(engine.url.replace(/^broker/, 'http'))).text().catch(() => '');
    await eventually(async () => (await starts().catch(() => '')) === 'started\nstarted\n');
    expect((await fetch(`${cluster.listening}/v1/x`)).status).toBe(200);
  });

  it('goes on answering while an answering process dies', async () => {
    const folder = clusterFolder();
    const cluster = await startReadyToys(folder);
    const { pid, port } = stateOf(folder).processes[0]!;
    kill(pid);
    // What the kernel had taken for it meanwhile is reset, and is not to be repeated.
    await eventually(() => connectsTo(port).then((isTaken) => !isTaken || stateOf(folder).processes[0]!.pid !== pid));

    const statuses = [];
    for (let calls = 0; calls < 50; calls++) statuses.push((await fetch(`${cluster.listening}/v1/x`)).status);

    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('tries what dies at once again every two seconds, with one line', async () => {
    const folder = clusterFolder();
    const cluster = await startToys(folder, { TOY_DIES: 'relay' });
    const pids = new Set<number>();
    await eventually(() => {
      const { pid } = stateOf(folder).processes.find(({ role }) => role === 'relay')!;
      if (pid !== null) pids.add(pid);
      return pids.size >= 4;
    });

    expect(cluster.warnings).toEqual([expect.stringMatching(/^relay-1 ends as soon as it is started \(exit code 3; /)]);
    expect((await fetch(`${cluster.listening}/v1/x`)).status).toBe(200);
  });

  it('leaves alone what is silent', async () => {
    const folder = clusterFolder();
    await startReadyToys(folder);
    const { pid } = stateOf(folder).processes.find(({ role }) => role === 'projector')!;
    process.kill(pid!, 'SIGSTOP');

    kill(stateOf(folder).processes.find(({ role }) => role === 'relay')!.pid);
    await eventually(() => {
      const relay = stateOf(folder).processes.find(({ role }) => role === 'relay')!;
      return relay.pid !== null;
    });

    expect(stateOf(folder).processes.find(({ role }) => role === 'projector')!.pid).toBe(pid);
    process.kill(pid!, 'SIGCONT');
  });

  it('ends the front, then the roles, which tell their streams, then the engines', async () => {
    const folder = clusterFolder();
    const cluster = await startReadyToys(folder);
    const pids = pidsOf(folder);
    const stream = await fetch(`${cluster.listening}/v1/stream`);

    await cluster.stop();

    expect(await stream.text()).toMatch(/^data: \d+\n\ndata: bye\n\n$/);
    expect(pids.filter(lives)).toEqual([]);
    expect(() => stateOf(folder)).toThrow('ENOENT');
    const again = await startReadyToys(folder);
    expect((await fetch(`${again.listening}/v1/x`)).status).toBe(200);
  });

  it('refuses a second one in its folder, and says who is there', async () => {
    const folder = clusterFolder();
    await startToys(folder);

    await expect(startToys(folder)).rejects.toMatchObject({
      code: 'folder_in_use',
      message: expect.stringContaining(`cluster (process ${process.pid})`),
    });
    expect(pidsOf(folder).every(lives)).toBe(true);
  });

  it('tells of each engine that cannot be had how to get it, and leaves nothing running', async () => {
    const missing = (name: 'registry' | 'broker') => ({
      ...toyEngine(name),
      fetch: async () => {
        throw new EngineMissing(name, 'Toy', `get ${name}`);
      },
    });
    const engines = { ...TOY_ENGINES, registry: missing('registry'), broker: missing('broker') };
    const folder = clusterFolder();

    const failure = await startToys(folder, {}, { engines: async () => engines }).catch((error) => error);

    expect(failure).toMatchObject({
      lines: [
        'registry: Toy is not on this machine; get it by `get registry`, or give the address of one elsewhere in REGISTRY_URL',
        'broker: Toy is not on this machine; get it by `get broker`, or give the address of one elsewhere in BROKER_URL',
      ],
    });
    expect(() => stateOf(folder)).toThrow('ENOENT');
  });

  it('leaves nothing running where it is stopped while an engine does not answer yet', async () => {
    const folder = clusterFolder();
    const silent: Engine = {
      ...toyEngine('broker'),
      start: (place) =>
        startProcess({
          name: 'broker',
          folder: place.folder,
          program: process.execPath,
          url: 'broker://127.0.0.1',
          arguments: ['-e', 'setInterval(() => {}, 1000)'],
          answers: async () => false,
        }),
    };
    const stopping = new AbortController();
    const engines = { ...TOY_ENGINES, broker: silent };
    const starting = startToys(folder, {}, { engines: async () => engines }, stopping.signal).catch(
      (error: Error) => error.message,
    );
    const { value: pids } = await eventually(() => {
      const started = stateIn(folder)?.engines.map(({ pid }) => pid);
      return started?.every((pid) => pid !== null) ? (started as number[]) : undefined;
    });

    stopping.abort(new Error('stopped'));

    expect(await starting).toBe('stopped');
    expect(pids.filter(lives)).toEqual([]);
  });

  it('says that its port is taken before it starts anything', async () => {
    const taken = createServer();
    const port = await listenBelow32768(taken);
    try {
      await expect(startToys(clusterFolder(), { PORT: String(port) })).rejects.toThrow(`PORT: ${port}`);
    } finally {
      taken.close();
    }
  });

  it('ends no process that has the id of one that was started earlier', async () => {
    const folder = clusterFolder();
    writeFileSync(join(folder, 'started.json'), JSON.stringify([{ pid: process.pid, birth: 'long ago' }]));

    await startToys(folder);

    expect(lives(process.pid)).toBe(true);
  });
});
