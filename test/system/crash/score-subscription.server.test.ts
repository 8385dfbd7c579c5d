import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendMessages } from './clients.ts';
import { type Prepared, prepareFolder } from './prepared-folder.ts';
import { ScoreSubscription } from './score-subscription.ts';
import { type Life, warmServer } from './server-life.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

let place: string;
let prepared: Prepared;
let receiver: Receiver;
let server: Life;
let subscription: ScoreSubscription;

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'll-scores-'));
  receiver = await startReceiver();
  prepared = await prepareFolder(place);
  server = await warmServer().start(prepared.folder, prepared.env);
  expect(await server.ready, server.stderr()).toBe(true);
  subscription = new ScoreSubscription(prepared.folder, receiver, 'scores');
});
afterEach(async () => {
  server.kill('SIGTERM');
  await server.ended;
  await receiver.close();
  rmSync(place, { recursive: true });
});

async function score(home: number): Promise<void> {
  const scores = [
    { role: 'home', score: String(home) },
    { role: 'away', score: '0' },
  ];
  const at = new Date().toISOString();
  const message = { kind: 'score', source: 'crash', at, ref: 'g0', status: 'inprogress', period: '1', scores };
  expect((await sendMessages(server.url, [message])).status).toBe(200);
}
const subscribe = () => subscription.ensure(server.url, prepared.owner.keys[0]!);
const allCame = () => subscription.expectAllCame(server.stderr);
const came = () => [...(receiver.bodies.get('/scores')?.values() ?? [])];

it('is owed no score from before it, when the check that would have made it had failed', async () => {
  await score(1);
  await subscribe();
  await score(2);
  await allCame();
  expect(came().map((body) => JSON.parse(body).data.scores[0].score)).toEqual(['2']);
});

it('is made once, though it is asked for after each start', async () => {
  await subscribe();
  await subscribe();
  subscription = new ScoreSubscription(prepared.folder, receiver, 'scores');
  // Its answer was lost.
  await subscribe();
  await score(1);
  await allCame();
});

it('tells of a score that never came as soon as the store owes it no more', async () => {
  await subscribe();
  await score(1);
  await allCame();
  receiver.forget('/scores');
  await expect(allCame()).rejects.toThrow('webhooks that never came: 1 of 1');
});
