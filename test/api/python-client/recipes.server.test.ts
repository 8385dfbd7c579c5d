import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';

// What docs/python.md shows is run as one program, and must print what its comments say: `# → text`.

const ROOT = resolve(import.meta.dirname, '../../..');
const MINUTES = 60_000;
const INGEST_KEY = 'ingest';
const page = readFileSync(join(ROOT, 'docs/python.md'), 'utf8');
const program = [...page.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code!).join('\n');
const shown = [...program.matchAll(/# → (.*)/g)].map(([, text]) => text!);
const venv = pythonVenv('python-client', join(import.meta.dirname, 'requirements.txt'));

describe.skipIf(!hasPython('the blocks of docs/python.md'))('docs/python.md', () => {
  beforeAll(venv.install, 10 * MINUTES);

  it(
    'prints what it says, and plots',
    async () => {
      const data = temporaryFolder();
      const made = await run(['keys', 'create', '--name', 'me', '--plan', 'enterprise', '--data-dir', data]);
      const { key } = JSON.parse(made.stdout) as { key: string };
      const server = await startServer(data, { INGEST_KEY, WEBHOOK_ALLOW: '0.0.0.0/0', FEEDS: 'none' });
      const fed = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(dayOfSport(Date.now())),
      });
      expect(await fed.json()).toMatchObject({ errors: [] });

      const folder = temporaryFolder();
      const here = program
        .replaceAll('http://localhost:3000', server.url)
        .replaceAll('llk_your.key', key)
        // There is no network in which the name could be found.
        .replaceAll('https://example.com/in', 'https://127.0.0.1/in');
      writeFileSync(join(folder, 'program.py'), here);
      const env = { PYTHONPATH: join(ROOT, 'clients/python'), MPLBACKEND: 'Agg' };
      const printed = await venv.run('python', ['program.py'], { cwd: folder, env, timeout: MINUTES });
      expect(printed.trimEnd().split('\n')).toEqual(shown);
      const picture = readFileSync(join(folder, 'closing-lines.png'));
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
    },
    2 * MINUTES,
  );

  it('names the version that the server would hand out', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(page).toContain(`/client/ledgerline-${version}-py3-none-any.whl`);
  });
});
