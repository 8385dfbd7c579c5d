import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askServer, serverListens } from '../../src/control/control-client.ts';
import { ControlError } from '../../src/control/control-messages.ts';
import { type ControlRoute, openControl } from '../../src/control/control-server.ts';
import { controlSocket } from '../../src/data-folder/paths.ts';
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

    const answer = await askServer(folder, 'POST /count?unit=byte', bytes('ab', 'c'), ({ done }) =>
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

    await expect(askServer(folder, 'GET /refused')).rejects.toThrow('not today');
    await expect(askServer(folder, 'GET /broken')).rejects.toThrow('a fault');
    await expect(askServer(folder, 'GET /unknown')).rejects.toThrow('/unknown');
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

    const answer = askServer(folder, 'POST /wait', silentAfter('x'));
    const refused = expect(answer).rejects.toThrow('the server is stopping');
    await begun.promise;
    await server.close();

    await refused;
    expect(await serverListens(folder)).toBe(false);
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

    await expect(askServer(folder, 'POST /take', broken())).rejects.toThrow('the disk is gone');
  });

  it('replaces a socket that was left behind', async () => {
    const folder = newFolder();
    writeFileSync(controlSocket(folder).path, '');
    expect(await serverListens(folder)).toBe(false);

    await open(folder, { 'GET /here': async () => 'yes' });

    expect(await askServer(folder, 'GET /here')).toBe('yes');
  });

  it('opens elsewhere for a folder whose path is too long for a socket', async () => {
    const folder = join(newFolder(), 'x'.repeat(120));
    mkdirSync(folder);

    await open(folder, { 'GET /here': async () => 'yes' });

    expect(controlSocket(folder).path.startsWith(folder)).toBe(false);
    expect(await askServer(folder, 'GET /here')).toBe('yes');
  });
});

function later() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
