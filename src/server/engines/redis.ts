import { access, constants, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Engine, EngineMissing } from './engine.ts';
import { startProcess } from './engine-process.ts';

const PROGRAM = 'redis-server';
const GET = `apt-get install --no-install-recommends ${PROGRAM}`;
/** The timeout of one answer while it starts, in milliseconds. */
const PATIENCE = 1000;

/** A Redis server for rate limits, slots and credit reservations. Writes reach the disk within a second, and nothing is evicted. */
export const redis: Engine = {
  name: 'limits',
  async fetch(programs) {
    await findProgram(programs);
  },
  async start({ folder, port, programs }) {
    const program = await findProgram(programs);
    await mkdir(folder, { recursive: true });
    const settings = {
      bind: '127.0.0.1',
      port: String(port),
      dir: folder,
      daemonize: 'no',
      save: '',
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
    };
    return startProcess({
      name: 'limits',
      url: `redis://127.0.0.1:${port}`,
      program,
      folder,
      arguments: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      answers: () => isServing(port),
    });
  },
};

/** The program in the folder of programs, else on the path. @throws EngineMissing */
async function findProgram(programs: string): Promise<string> {
  const folders = [programs, ...(process.env['PATH'] ?? '').split(delimiter)];
  for (const folder of folders) {
    const program = join(folder, PROGRAM);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return program;
  }
  throw new EngineMissing('limits', PROGRAM, GET);
}

/** While it loads its data it answers with an error. */
function isServing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE, () => done(false));
    socket.once('error', () => done(false));
    socket.once('data', (data) => done(data.toString().startsWith('+PONG')));
  });
}
