import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClientAddressReader } from '../../src/api/http/requests/client-address.ts';
import { listenBelow32768 } from '../api/http/listening.ts';
import { freePort } from '../server/cli/launching.ts';
import { certificateFor, DEPLOY, said, toolNamed } from './tools.ts';

const HOST = 'ledgerline.example';

interface Proxy {
  /** Writes its configuration as it ships, but for ports and certificate. @returns how to check it, and to start it */
  prepare(folder: string, port: number, backend: number): { check: readonly string[]; start: readonly string[] };
  readonly request: typeof httpRequest;
}

const nginx: Proxy = {
  request: httpsRequest as typeof httpRequest,
  prepare(folder, port, backend) {
    const { certificate, key } = certificateFor(HOST, folder);
    const shipped = readFileSync(join(DEPLOY, 'nginx/ledgerline.conf'), 'utf8');
    const site = shipped
      .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
      .replace('listen 80;', `listen 127.0.0.1:${port + 1};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace(/^ *listen \[::\].*$/gm, '')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    writeFileSync(join(folder, 'site.conf'), site);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n');
    const whole = `daemon off;\nmaster_process off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\ninclude ${join(folder, 'site.conf')};\n}\n`;
    writeFileSync(join(folder, 'nginx.conf'), whole);
    const options = ['-p', folder, '-c', join(folder, 'nginx.conf')];
    return { check: ['-t', ...options], start: options };
  },
};

const caddy: Proxy = {
  request: httpRequest,
  prepare(folder, port, backend) {
    const shipped = readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8');
    const site = shipped
      .replace('127.0.0.1:3000', `127.0.0.1:${backend}`)
      .replace(`${HOST} {`, `http://${HOST}:${port} {\n\tbind 127.0.0.1`);
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${site}`);
    return {
      check: ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'caddy/Caddyfile')],
      start: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
    };
  },
};

/** What stands behind the proxy, and what it was asked. */
async function backend(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listenBelow32768(server), asked };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const found = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return found;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'll-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function started(tool: string, proxy: Proxy, to: number) {
  const folder = temporaryFolder();
  const port = await freePort();
  const home = join(folder, 'home');
  mkdirSync(home);
  const child: ChildProcess = spawn(tool, [...proxy.prepare(folder, port, to).start], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: home },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await expect.poll(() => listens(port)).toBe(true);
  return (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const options = {
      port,
      host: '127.0.0.1',
      path,
      method,
      agent: false,
      rejectUnauthorized: false,
      servername: HOST,
    };
    const request = proxy.request({ ...options, headers: { host: `${HOST}:${port}`, ...headers } });
    request.end();
    return once(request, 'response').then(([response]) => response as IncomingMessage);
  };
}

describe.each([
  ['nginx', nginx],
  ['caddy', caddy],
] as const)('%s', (name, proxy) => {
  const tool = toolNamed(name);

  it.skipIf(tool === undefined)('takes the configuration as it ships', async () => {
    const { check } = proxy.prepare(temporaryFolder(), 20_001, 3000);
    expect(await said(tool!, check)).toMatchObject({ code: 0 });
  });

  it.skipIf(tool === undefined)('names the client as TRUST_PROXY needs it, whatever the client has said', async () => {
    const { port, asked } = await backend((_, response) => response.end('there'));
    const ask = await started(tool!, proxy, port);

    const { statusCode } = await ask('/v1/sports', { 'X-Forwarded-For': '203.0.113.9' });

    expect(statusCode).toBe(200);
    expect([asked[0]!.headers['x-forwarded-for'], asked[0]!.headers.host!.split(':')[0]]).toEqual(['127.0.0.1', HOST]);
    expect(createClientAddressReader(['127.0.0.1/32'])(asked[0]!)).toBe('127.0.0.1');
  });

  it.skipIf(tool === undefined)('passes a stream on as it comes, and a call that fails once', async () => {
    const { port, asked } = await backend((request, response) => {
      if (request.url === '/v1/stream')
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      else request.socket.destroy();
    });
    const ask = await started(tool!, proxy, port);

    const stream = await ask('/v1/stream');
    const [first] = (await once(stream, 'data')) as [Buffer];
    const failed = await ask('/v1/query', {}, 'POST');

    expect(first.toString()).toBe('data: 1\n\n');
    expect(failed.statusCode).toBe(502);
    expect(asked.map(({ url }) => url)).toEqual(['/v1/stream', '/v1/query']);
    stream.destroy();
  });

  it.skipIf(tool === undefined)('shows nobody the metrics', async () => {
    const { port, asked } = await backend((_, response) => response.end('there'));
    const ask = await started(tool!, proxy, port);

    expect((await ask('/metrics')).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });
});
