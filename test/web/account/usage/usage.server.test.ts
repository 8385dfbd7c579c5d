import { expect, it, vi } from 'vitest';
import { run, startServer, temporaryFolder } from '../../../server/cli/launching.ts';
import { patientTimeout } from '../../../support/patient-timeout.ts';
import { createVisitor } from '../visitor.ts';

const EMAIL = 'ops@example.com';
const PASSWORD = 'a long password of nobody else 7';

it('shows a call within 2 s of its answer, on its pages, as CSV and in the audit', async () => {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  const create = ['users', 'create', '--email', EMAIL, '--password-stdin', '--data-dir', folder];
  expect(await run(create, { input: `${PASSWORD}\n` })).toMatchObject({ code: 0 });
  const made = await run(['keys', 'create', '--name', 'Mine', '--email', EMAIL, '--data-dir', folder]);
  const { key, account_id: account } = JSON.parse(made.stdout) as { key: string; account_id: number };
  const visitor = createVisitor(server.url);
  expect((await visitor.post('/login', { email: EMAIL, password: PASSWORD })).status).toBe(303);
  expect((await visitor.get('/usage')).text).toContain('No call fits');

  const answer = await fetch(`${server.url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } });
  const requestId = answer.headers.get('x-request-id')!;
  const isThere = async () => (await visitor.get(`/usage?q=${requestId}`)).text.includes(`<code>${requestId}</code>`);
  await vi.waitUntil(isThere, { timeout: patientTimeout(2000), interval: 50 });

  const csv = await visitor.get('/usage?format=csv');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [, row] = csv.text.split('\r\n');
  expect(row).toMatch(new RegExp(`^[^,]+,\\d+,Mine,list_sports,200,1,\\d+,${requestId}$`));
  const { text } = await visitor.get('/analytics?format=json&days=1');
  expect(JSON.parse(text)).toMatchObject({
    days: [{ calls: 1, errors: 0, credits: 1 }],
    operations: [{ operation: 'list_sports', calls: 1, credits: 1 }],
  });
  const audit = await run(['audit', 'calls', String(account), '--json', '--data-dir', folder]);
  expect(JSON.parse(audit.stdout)).toMatchObject({ request_id: requestId, operation: 'list_sports', credits: 1 });
});
