import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';
import { dayOfSport } from './day-of-sport.ts';

// Schemathesis reads /openapi.json, makes requests of it, right and wrong ones, and judges the answers: by the document,
// and by what holds of every API. It comes from PyPI, into a folder that git does not see, once.

const HERE = fileURLToPath(new URL('./schemathesis/', import.meta.url));
const venv = pythonVenv('schemathesis', join(HERE, 'requirements.txt'));
const BOOTSTRAP_KEY = `llk_schemathesis.${'A'.repeat(43)}`;
const INGEST_KEY = 'ingest';
const MINUTES = 60_000;

describe.skipIf(!hasPython('schemathesis'))('schemathesis', () => {
  beforeAll(venv.install, 10 * MINUTES);

  it(
    'finds nothing',
    async () => {
      const folder = temporaryFolder();
      // Where the webhooks go that it makes.
      const WEBHOOK_ALLOW = '127.0.0.1/32';
      const server = await startServer(folder, { BOOTSTRAP_KEY, INGEST_KEY, WEBHOOK_ALLOW, FEEDS: 'none' });
      await feed(server.url);
      const { code, output } = await judge(server.url, folder);
      expect(output).toContain(`Tested: ${operations.filter(({ streaming }) => !streaming).length}`);
      expect(code, output).toBe(0);
    },
    10 * MINUTES,
  );
});

async function feed(url: string): Promise<void> {
  const messages = dayOfSport(Date.now());
  const response = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  expect(await response.json()).toMatchObject({ accepted: messages.length, errors: [] });
}

/** @param folder for what it leaves behind */
async function judge(url: string, folder: string): Promise<{ readonly code: number; readonly output: string }> {
  const config = ['--config-file', join(HERE, 'schemathesis.toml'), '--no-color'];
  const what = ['run', `${url}/openapi.json`, '--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'];
  const args = [...config, ...what, '--header', `Authorization: Bearer ${BOOTSTRAP_KEY}`];
  try {
    return { code: 0, output: await venv.run('st', args, { cwd: folder, env: { PYTHONPATH: HERE } }) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}\n${stderr}` };
  }
}
