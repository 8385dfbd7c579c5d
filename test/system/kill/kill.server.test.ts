import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Launched, launch, reportOf, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { type Dump, differences, dumpFolder } from './dump.ts';
import { generatedFeed, seeded } from './generated-feed.ts';

const KILLS = Number(process.env['KILLS'] ?? 3);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const MINUTES = 60_000;
const timeout = (2 + KILLS) * MINUTES;

/** Projects everything, as the next start of the server does. */
async function project(folder: string): Promise<Dump> {
  const server = await startServer(folder);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  return dumpFolder(folder);
}

const command = (...args: string[]) => run(args).then(({ code, stdout, stderr }) => ({ code, stdout, stderr }));

/** The folder is as that of a run that nothing disturbed, `verify` says so, and so is what `rebuild` makes of it. */
async function expectSame(folder: string, undisturbed: Dump, about: string) {
  const projected = await project(folder);
  expect(differences(undisturbed.facts, projected.facts), `facts ${about}`).toEqual([]);
  expect(differences(undisturbed.documents, projected.documents), `documents ${about}`).toEqual([]);
  expect(projected.waiting, `waiting ${about}`).toEqual(undisturbed.waiting);
  expect(await command('verify', '--data-dir', folder), about).toMatchObject({ code: 0, stderr: '' });
  expect(await command('rebuild', '--data-dir', folder), about).toMatchObject({ code: 0 });
  const rebuilt = await dumpFolder(folder);
  expect(differences(projected.documents, rebuilt.documents), `rebuilt ${about}`).toEqual([]);
}

/** Ends the process without a chance to finish anything. @returns whether it was still running */
async function kill({ child, ended }: Launched): Promise<boolean> {
  const running = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return running;
}

/** Resolves when the command has opened the folder's database, or is over. */
async function opened(folder: string, { child }: Launched): Promise<void> {
  while (child.exitCode === null && !existsSync(join(folder, 'ledgerline.db'))) await delay(2);
}

/** Runs a command to its end. @returns how long it worked on the folder, in milliseconds */
async function runWhole(folder: string, args: readonly string[]): Promise<number> {
  const command = launch(args);
  command.child.stdin.end();
  await opened(folder, command);
  const begun = performance.now();
  const ended = await command.ended;
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  return performance.now() - begun;
}

/** Runs a command, and kills it a while after it began to work. @returns whether it was still running */
async function runAndKill(folder: string, args: readonly string[], milliseconds: number): Promise<boolean> {
  const command = launch(args);
  command.child.stdin.end();
  await opened(folder, command);
  await Promise.race([delay(milliseconds), command.ended]);
  return kill(command);
}

describe(`killed without warning, ${KILLS} times (SEED ${SEED})`, () => {
  async function killAndRunAgain(argsFor: (folder: string) => readonly string[]) {
    const random = seeded(SEED);
    const clean = join(temporaryFolder(), 'data');
    // The quickest run tells how late a kill may come: the machine has other work too.
    let quickest = await runWhole(clean, argsFor(clean));
    const undisturbed = await project(clean);
    expect(undisturbed.facts.size).toBeGreaterThan(1000);
    for (let kills = 0; kills < KILLS; ) {
      const folder = join(temporaryFolder(), 'data');
      // Some are killed twice before they may finish.
      let landed = 0;
      for (let more = random() < 0.3 ? 2 : 1; more > 0; more--) {
        if (await runAndKill(folder, argsFor(folder), random() * quickest)) landed++;
      }
      const again = await runWhole(folder, argsFor(folder));
      if (landed === 0) {
        quickest = Math.min(quickest * 0.9, again);
        continue;
      }
      kills += landed;
      await expectSame(folder, undisturbed, `after kill ${kills} (SEED ${SEED})`);
    }
    console.log(JSON.stringify({ kills: KILLS, seed: SEED, facts: undisturbed.facts.size, quickest }));
  }

  it('an ingest that is run again ends as if nothing had been', { timeout }, async () => {
    const file = join(temporaryFolder(), 'feed.ndjson');
    writeFileSync(file, generatedFeed(SEED).join('\n'));

    await killAndRunAgain((folder) => ['ingest', '--data-dir', folder, file]);
  });

  const data = process.env['LEDGERLINE_DATA'];
  it.skipIf(!data)(
    `an import of a real file does too${data ? '' : ' (LEDGERLINE_DATA names none)'}`,
    { timeout },
    async () => {
      const file = join(data!, 'nfl/nflverse_schedules_2016_2025.csv.gz');

      await killAndRunAgain((folder) => ['import', 'nflverse', '--data-dir', folder, file]);
    },
  );

  it('a server keeps every message that it has acknowledged', { timeout }, async () => {
    const random = seeded(SEED);
    const lines = generatedFeed(SEED);
    const PIECE = 40;
    const pieces = Array.from({ length: Math.ceil(lines.length / PIECE) }, (_, n) =>
      lines.slice(n * PIECE, (n + 1) * PIECE).join('\n'),
    );
    const env = { INGEST_KEY: 'an-ingest-key-of-the-tests' };
    const send = async (url: string, body: string) => {
      const headers = { authorization: `Bearer ${env.INGEST_KEY}`, 'content-type': 'application/x-ndjson' };
      const response = await fetch(`${url}/ingest/v1/messages`, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      return (await response.json()) as Record<string, number>;
    };
    const clean = temporaryFolder();
    const server = await startServer(clean, env);
    for (const piece of pieces) await send(server.url, piece);
    server.child.kill('SIGTERM');
    await server.ended;
    const undisturbed = await project(clean);

    for (let n = 1; n <= KILLS; n++) {
      const folder = temporaryFolder();
      const victim = await startServer(folder, env);
      const victims = Math.floor(random() * pieces.length);
      let acknowledged = 0;
      const sending = (async () => {
        for (const piece of pieces) {
          await send(victim.url, piece);
          acknowledged++;
          // From here on the kill comes within the next few messages.
          if (acknowledged === victims + 1) void delay(random() * 20).then(() => victim.child.kill('SIGKILL'));
        }
      })().catch((error: Error) => expect(error.message).toMatch(/fetch failed|terminated/));
      await sending;
      await kill(victim);

      const next = await startServer(folder, env);
      for (const piece of pieces.slice(0, acknowledged)) {
        const { received, unchanged } = await send(next.url, piece);
        expect(unchanged, `acknowledged before kill ${n} (SEED ${SEED})`).toBe(received);
      }
      for (const piece of pieces.slice(acknowledged)) await send(next.url, piece);
      next.child.kill('SIGTERM');
      await next.ended;
      await expectSame(folder, undisturbed, `after kill ${n} of the server (SEED ${SEED})`);
    }
    expect(reportOf(await run(['ingest', '--data-dir', clean, '-'], { input: lines.join('\n') }))).toMatchObject({
      accepted: 0,
      rejected: 0,
    });
  });
});
