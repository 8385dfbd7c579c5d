import { createServer } from 'node:http';
import { Router } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createResponder } from '../../../src/api/http/responder.ts';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import { hashOfSeal } from '../../../src/domain/proof/seal.ts';
import { run } from '../../../src/server/cli/verify-seals.ts';
import { sealRoutes } from '../../../src/web/record/seal-routes.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { type SealedLog, sealedLog, threeDays } from '../../domain/proof/sealed-days.ts';

async function serve({ log }: SealedLog) {
  const responder = createResponder({ baseUrl: () => '', newRequestId: () => 'made', log: { error() {} } });
  const router = Router({ caseSensitive: true, strict: true });
  sealRoutes({ log, responder })(router);
  const server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  const url = `http://127.0.0.1:${await listenBelow32768(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}

/** Runs the command, and returns its exit code with what it wrote. */
async function verify(...names: string[]) {
  const write = process.stdout.write;
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => [name, process.listeners(name as never)] as const);
  const umask = process.umask();
  let text = '';
  process.stdout.write = ((piece: string) => {
    text += piece;
    return true;
  }) as never;
  try {
    return { code: await run(names), lines: text.trim().split('\n') };
  } finally {
    process.stdout.write = write;
    process.umask(umask);
    for (const [name, before] of listeners) {
      for (const one of process.listeners(name as never)) {
        if (!before.includes(one)) process.removeListener(name, one as never);
      }
    }
  }
}

it('given sealed days, when anybody asks without a key, then each day comes with its public leaves', async () => {
  const given = await threeDays();
  const url = await serve(given);
  const seals = await given.seal();
  const answer = await fetch(`${url}/record/seals/2026-03-01.json`);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400, immutable');
  const file = (await answer.json()) as { leaves: { content?: { kind: string } }[] };
  expect(file.leaves.map(({ content }) => content?.kind)).toEqual(['forecast', 'selection', undefined, 'forecast']);
  expect(checkSeals([{ name: 'day', value: file }]).faults).toEqual([]);
  const latest = await (await fetch(`${url}/record/seals/latest`)).json();
  expect(latest).toEqual({ ...seals[2], hash: hashOfSeal(seals[2]!) });
});

it('given a day that the client has, when it asks with its tag, then it gets 304, and HEAD gets no body', async () => {
  const given = await threeDays();
  const url = await serve(given);
  await given.seal();
  const address = `${url}/record/seals/2026-03-03.json`;
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const again = await fetch(address, { headers: { 'if-none-match': head.headers.get('etag')! } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('given no seal, a day that is not sealed, a name that is no date or another method, then it is refused', async () => {
  const given = sealedLog();
  const url = await serve(given);
  const ask = async (path: string, method = 'GET') => (await fetch(`${url}/record/seals/${path}`, { method })).status;
  expect(await ask('latest')).toBe(404);
  expect(await ask('2026-03-01.json')).toBe(404);
  await threeDays(given);
  await given.seal();
  for (const path of ['2026-03-04.json', '2026-02-28.json', '2026-02-30.json', 'x.json', '2026-03-01']) {
    expect(await ask(path)).toBe(404);
  }
  expect(await ask('latest', 'POST')).toBe(405);
});

it('given addresses of sealed days, when the command checks them, then it exits with 0, and with 1 if one was changed', async () => {
  const given = await threeDays();
  const url = await serve(given);
  await given.seal();
  const days = [1, 2, 3].map((day) => `${url}/record/seals/2026-03-0${day}.json`);
  expect(await verify(...days, `${url}/record/seals/latest`)).toEqual({
    code: 0,
    lines: ['3 days, 7 leaves, 1 of them by their hash alone: all as sealed'],
  });
  const text = await (await fetch(days[2]!)).text();
  const server = createServer((_, response) => response.end(text.replace('"price":-110', '"price":-111')));
  const changed = `http://127.0.0.1:${await listenBelow32768(server)}/`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { code, lines } = await verify(days[0]!, changed);
  expect(code).toBe(1);
  expect(lines[0]).toMatch(
    /^http.* 2026-03-03 leaf 1: was changed: prices\[0\]\.price is -111 now; sealed root \w{64}, root now \w{64}$/,
  );
  expect(lines[1]).toBe('2 days, 7 leaves, 1 of them by their hash alone: NOT as sealed');
});
