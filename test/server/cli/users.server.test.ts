import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { reportOf, run, startServer, temporaryFolder } from './launching.ts';

const PASSWORD = 'a fine password of Ann';

const usersIn =
  (folder: string) =>
  (args: readonly string[], input = '') =>
    run(['users', ...args, '--data-dir', folder], { input });

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the users command', () => {
  it('makes users, tells who is staff and sets passwords anew, without a server and beside one', async () => {
    const folder = temporaryFolder();
    const users = usersIn(folder);
    const ann = await users(
      ['create', '--email', 'Ann@example.com', '--staff', '--password-stdin'],
      `${PASSWORD}\nmore`,
    );
    expect(ann).toMatchObject({ code: 0, stderr: '' });
    const line = { account_id: 1, email: 'ann@example.com', verified: true, staff: true, role: 'admin', active: true };
    expect(reportOf(ann)).toEqual({ id: 1, ...line });
    expect(ann.stdout).not.toContain('reset_url');

    const server = await startServer(folder);
    const bob = await users(['create', '--email', 'bob@example.com', '--name', 'Bob']);
    expect(reportOf(bob)).toMatchObject({ id: 2, account_id: expect.any(Number), staff: false });
    expect(String(reportOf(bob)['reset_url'])).toMatch(`${server.url}/reset-password?token=`);
    expect(reportOf(await users(['staff', 'bob@example.com', 'on']))).toMatchObject({ staff: true, role: 'admin' });
    expect(reportOf(await users(['staff', 'bob@example.com', 'off']))).toMatchObject({ staff: false });
    expect(reportOf(await users(['reset', 'ann@example.com']))).toHaveProperty('reset_url');
    expect(linesOf((await users(['list'])).stdout).map(({ email }) => email)).toEqual([
      'ann@example.com',
      'bob@example.com',
    ]);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    // Nobody was mailed: the operator has the links.
    expect(readdirSync(folder)).not.toContain('mail');
  });

  it('ends with 1 and a line for what cannot be done, and with 2 for what makes no sense', async () => {
    const users = usersIn(temporaryFolder());
    const short = users(['create', '--email', 'ann@example.com', '--password-stdin'], 'short\n');
    expect(await short).toMatchObject({ code: 1, stdout: '', stderr: 'Use at least 10 characters.\n' });
    const nobody = users(['reset', 'nobody@example.com']);
    expect(await nobody).toMatchObject({ code: 1, stderr: 'there is no user with nobody@example.com\n' });
    const wrong = [
      [],
      ['make'],
      ['create'],
      ['create', '--email', 'ann'],
      ['staff', 'a@b.de', 'perhaps'],
      ['list', 'x'],
    ];
    const codes = await Promise.all(wrong.map(async (args) => (await users(args)).code));
    expect(codes).toEqual(wrong.map(() => 2));
  });
});

describe.skipIf(withoutPostgres !== '')(`the users command in a cluster ${withoutPostgres}`, () => {
  const server = postgresServer();

  it('works on the registry alone', async () => {
    const env = {
      REGISTRY_URL: await server.database(),
      KEY_PEPPER: 'p'.repeat(32),
      BASE_URL: 'https://sports.example',
    };
    const users = (...args: string[]) => run(['users', ...args], { env });
    const made = await users('create', '--email', 'ann@example.com', '--staff');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(reportOf(made)).toMatchObject({ id: 1, staff: true, role: 'admin' });
    expect(String(reportOf(made)['reset_url'])).toMatch('https://sports.example/reset-password?token=');
    expect(reportOf(await users('staff', 'ann@example.com', 'off'))).toMatchObject({ staff: false });
    expect(linesOf((await users('list')).stdout)).toHaveLength(1);
  });
});
