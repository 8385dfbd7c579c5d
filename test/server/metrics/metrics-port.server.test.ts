import { expect, it } from 'vitest';
import { freePort, run, startServer, temporaryFolder } from '../cli/launching.ts';
import { parseExposition, sampleOf } from './exposition.ts';

it('METRICS_PORT tells the metrics without a key, on HOST; the main port asks for one', async () => {
  const port = String(await freePort());
  const folder = temporaryFolder();
  // The server's own port is looked for from the same number on, when this one is not taken yet.
  const server = await startServer(folder, { PORT: String(Number(port) + 1), METRICS_PORT: port });
  const url = `http://127.0.0.1:${port}`;
  const told = parseExposition(await (await fetch(`${url}/metrics`)).text());

  expect(sampleOf(told, 'ledgerline_projection_state', { projection: 'events', state: 'live' })).toBe(1);
  expect(sampleOf(told, 'ledgerline_disk_bytes', { file: 'database' })).toBeGreaterThan(0);
  expect(sampleOf(told, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect((await fetch(`${url}/healthz`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${Number(port) + 1}/metrics`)).status).toBe(401);

  const other = await run(['start', '--data-dir', temporaryFolder()], { env: { PORT: '0', METRICS_PORT: port } });
  expect(other.code).toBe(1);
  expect(other.stderr).toMatch(/METRICS_PORT: \d+ on 127\.0\.0\.1 is taken .*\n$/);
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});
