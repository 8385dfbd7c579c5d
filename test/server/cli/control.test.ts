import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlSocket } from '../../../src/platform/data-folder/folder-paths.ts';
import { callServer, isServerListening } from '../../../src/server/control/control-client.ts';
import { ControlError } from '../../../src/server/control/control-messages.ts';
import { type ControlRoute, openControl } from '../../../src/server/control/control-server.ts';
import { temporaryFolder } from './launching.ts';

async function open(folder: string, routes: Record<string, ControlRoute>) {
  const faults: unknown[] = [];
  const server = await openControl(folder, routes, (error) => faults.push(error));
  onTestFinished(() => server.close());
  return { server, faults };
}
async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
/** Gives what it is given, and then stays silent. */
async function* silentAfter(text: string) {
  yield Buffer.from(text);
  await new Promise(() => {});
}
const newFolder = () => realpathSync(temporaryFolder());
/** Its path is longer than a socket's may be. */
function deepFolder(): string {
  const folder = join(newFolder(), 'x'.repeat(120));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
/** In the place of the one that all share, for this test. */
function ownTemporaryFolder(): string {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync('/tmp/ll-');
  process.env['TMPDIR'] = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Somebody who listens, and whoever has come to him. */
async function listener(path: string) {
  const came: string[] = [];
  const server = createServer((socket) => {
    came.push('a connection');
    socket.on('data', (bytes) => came.push(String(bytes)));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return came;
}

describe('the control door', () => {
  it('takes a body, tells of progress, and answers', async () => {
    const folder = newFolder();
    const progress: number[] = [];
    await open(folder, {
      'POST /count': async (request) => {
        let sum = 0;
        for await (const piece of request.body) {
          sum += piece.length;
          request.progress({ done: sum });
        }
        return { sum, unit: request.query.get('unit') };
      },
    });

    const answer = await callServer(folder, 'POST /count?unit=byte', bytes('ab', 'c'), ({ done }) =>
      progress.push(done),
    );

    expect(answer).toEqual({ sum: 3, unit: 'byte' });
    expect(progress.at(-1)).toBe(3);
  });

  it('tells a refusal in its own words, and logs what is a fault', async () => {
    const folder = newFolder();
    const { faults } = await open(folder, {
      'GET /refused': async () => {
        throw new ControlError('not today');
      },
      'GET /broken': async () => {
        throw new TypeError('a fault');
      },
    });

    await expect(callServer(folder, 'GET /refused')).rejects.toThrow('not today');
    await expect(callServer(folder, 'GET /broken')).rejects.toThrow('a fault');
    await expect(callServer(folder, 'GET /unknown')).rejects.toThrow('/unknown');
    expect(faults).toMatchObject([{ message: 'a fault' }]);
  });

  it('ends what is under way when it closes, although the command still has something to say', async () => {
    const folder = newFolder();
    const begun = later();
    const { server } = await open(folder, {
      'POST /wait': async ({ body }) => {
        for await (const _ of body) begun.resolve();
      },
    });

    const answer = callServer(folder, 'POST /wait', silentAfter('x'));
    const refused = expect(answer).rejects.toThrow('the server is stopping');
    await begun.promise;
    await server.close();

    await refused;
    expect(await isServerListening(folder)).toBe(false);
  });

  it('passes on why the input could not be read', async () => {
    const folder = newFolder();
    await open(folder, {
      'POST /take': async ({ body }) => {
        for await (const _ of body);
      },
    });
    async function* broken() {
      yield Buffer.from('x');
      throw new Error('the disk is gone');
    }

    await expect(callServer(folder, 'POST /take', broken())).rejects.toThrow('the disk is gone');
  });

  it('replaces a socket that was left behind', async () => {
    const folder = newFolder();
    writeFileSync(controlSocket(folder), '');
    expect(await isServerListening(folder)).toBe(false);

    await open(folder, { 'GET /here': async () => 'yes' });

    expect(await callServer(folder, 'GET /here')).toBe('yes');
  });

  it('opens in a folder whose path is too long for a socket, and leaves no link behind', async () => {
    const folder = deepFolder();
    const links = ownTemporaryFolder();

    const { server } = await open(folder, { 'GET /here': async () => 'yes' });

    expect(lstatSync(join(folder, 'control.sock')).isSocket()).toBe(true);
    expect(await isServerListening(folder)).toBe(true);
    expect(await callServer(folder, 'GET /here')).toBe('yes');
    expect(readdirSync(links)).toEqual([]);
    await server.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('fault 9: a control socket that others could have put there', () => {
  const root = process.getuid?.() === 0;
  const someone = 65_534;
  const closed = (path: string) => chmodSync(path, 0o600);

  it.each<[string, (folder: string, socket: string) => void, boolean]>([
    ['is open to others', (_, socket) => chmodSync(socket, 0o666), false],
    ['lies in a folder that others read', (folder) => chmodSync(folder, 0o755), false],
    ['lies in a folder that others write', (folder) => chmodSync(folder, 0o777), false],
    ['belongs to somebody else', (_, socket) => chownSync(socket, someone, someone), true],
    ['lies in a folder of somebody else', (folder) => chownSync(folder, someone, someone), true],
    [
      'is a link',
      (folder, socket) => {
        renameSync(socket, join(folder, 'other.sock'));
        symlinkSync(join(folder, 'other.sock'), socket);
      },
      false,
    ],
  ])('and that %s is not spoken to: one line names the path', async (_, change, needsRoot) => {
    if (needsRoot && !root) return;
    const folder = newFolder();
    const socket = join(folder, 'control.sock');
    const came = await listener(socket);
    closed(socket);
    expect(await isServerListening(folder)).toBe(true);
    came.length = 0;
    change(folder, socket);

    for (const ask of [isServerListening, (of: string) => callServer(of, 'POST /keys/create', bytes('a secret'))]) {
      const error = await ask(folder).then(
        () => undefined,
        (failure: Error & { code?: string }) => failure,
      );
      expect(error).toMatchObject({ code: 'foreign_socket' });
      expect(error!.message).toContain(folder);
      expect(error!.message).not.toContain('\n');
    }
    expect(came).toEqual([]);
  });

  it('in the temporary folder, under the name that a deep data folder once had there, is not looked for', async () => {
    const temporary = ownTemporaryFolder();
    const folder = deepFolder();
    const once = join(temporary, `ledgerline-${process.getuid?.()}`);
    mkdirSync(once, { mode: 0o777 });
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
    const came = await listener(join(once, `${name}.sock`));

    expect(await isServerListening(folder)).toBe(false);
    await expect(callServer(folder, 'POST /keys/create', bytes('a secret'))).rejects.toThrow('the server ended');
    expect(came).toEqual([]);
  });
});

function later() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
