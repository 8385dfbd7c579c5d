import { expect, it } from 'vitest';
import { createClient } from '../../../src/api/client/index.ts';
import { reportOf, run, startServer, temporaryFolder } from './launching.ts';

const of = { sport: 'nfl', league: 'nfl' };
const score = (ref: string, minute: number) => ({
  kind: 'score',
  source: 'feed',
  at: `2026-09-10T19:${String(minute).padStart(2, '0')}:00Z`,
  ref,
  status: 'inprogress',
});
const injury = { kind: 'injury', source: 'news', at: '2026-09-09T00:00:00Z', ...of, player: 'Nobody', status: 'out' };
const participants = ['home', 'away'].map((role) => ({ role, name: `Team ${role}` }));
const schedule = {
  kind: 'schedule',
  source: 'feed',
  at: '2026-09-01T00:00:00Z',
  ...of,
  ref: 'g1',
  starts_at: '2026-09-10T18:00:00Z',
  participants,
};
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const byRef = { source: 'feed', what: 'an event by its ref', first: 'feed has no event g1 here yet' };

it('what waits is told by the report, by the audit and by health, over restarts', async () => {
  const folder = temporaryFolder();
  const ingest = (input: string) => run(['ingest', '--data-dir', folder, '-'], { input });
  const audit = (...args: string[]) => run(['audit', 'quarantine', '--data-dir', folder, ...args]);
  const quarantined = async ({ url: baseUrl, key: apiKey }: { url: string; key: string }) =>
    (await createClient({ baseUrl, apiKey }).getHealth()).quarantined;

  let server = await startServer(folder);
  const { key } = server;
  expect(await quarantined(server)).toBe(0);
  const first = await ingest(lines(score('g1', 1), score('g1', 2), score('g2', 3), { ...injury, team: 'Team home' }));
  expect(reportOf(first)).toMatchObject({
    quarantined: 4,
    waits_for: [
      { ...byRef, messages: 3 },
      { source: 'news', what: 'a team of nfl by name', messages: 1 },
    ],
  });
  expect(first.stderr).toContain('3 of feed wait for an event by its ref, first: feed has no event g1 here yet');
  expect(await quarantined(server)).toBe(4);
  server.child.kill('SIGKILL');
  const { stderr } = await server.ended;
  expect(stderr).toMatch(/"source":"feed","waits_for":"an event by its ref","messages":3/);

  const { stdout } = await audit();
  expect(stdout).toMatch(/^4 messages wait\n/);
  expect(stdout).toMatch(/^ +3 {2}feed +an event by its ref$/m);
  expect(stdout).toMatch(/^ +2 {2}event\|feed\|g1$/m);
  expect(stdout).toMatch(/feed has no event g2 here yet +\{/);
  const json = (await audit('--json')).stdout.trim().split('\n');
  expect(json).toHaveLength(4);
  expect(JSON.parse(json[0]!)).toMatchObject({ waits_for: ['event|feed|g1'], message: { at: '2026-09-10T19:01:00Z' } });

  server = await startServer(folder);
  expect(await quarantined({ ...server, key })).toBe(4);
  // The injury is accepted then, and waits for its player alone.
  expect(reportOf(await ingest(lines(schedule)))).not.toHaveProperty('waits_for');
  expect(await quarantined({ ...server, key })).toBe(1);
  expect((await audit()).stdout).toMatch(/^1 messages wait\n1 more were accepted, and wait to be completed\n/);
});

it('QUARANTINE_MAX_MESSAGES bounds what waits, of a server and of the command', async () => {
  const folder = temporaryFolder();
  const env = { QUARANTINE_MAX_MESSAGES: '2', INGEST_KEY: 'an-ingest-key-of-the-tests' };
  const { url, child, ended } = await startServer(folder, env);
  const posted = await fetch(`${url}/ingest/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${env.INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: lines(score('g1', 1), score('g1', 2), score('g1', 3)),
  });
  expect(await posted.json()).toMatchObject({ quarantined: 2, rejected: 1, errors: [{ code: 'quarantine_full' }] });
  child.kill('SIGTERM');
  await ended;

  const told = await run(['ingest', '--data-dir', folder, '-'], { input: lines(score('g1', 4)), env });

  expect(reportOf(told)).toMatchObject({ quarantined: 0, rejected: 1 });
});
