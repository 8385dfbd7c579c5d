import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { VARIABLES } from '../../../src/platform/settings/variables.ts';
import { SERVER_FLAGS } from '../../../src/server/bin/server-flags.mjs';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { composed } from '../../support/composed.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly profiles: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
}

const file = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: { readonly front: { readonly content: string } };
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(file.services);
/** Those that run this program. */
const own = services.filter(([, { build }]) => build !== undefined);
const ofCluster = own.filter(([, { profiles }]) => profiles.includes('cluster'));

/** What whoever starts it has set. */
const SET: Readonly<Record<string, string>> = {
  INGEST_KEY: 'an-ingest-key',
  BOOTSTRAP_KEY,
  KEY_PEPPER: 'p'.repeat(32),
  SESSION_SECRET: 's'.repeat(32),
  ENGINE_PASSWORD: 'a-password',
};

/** With `${NAME:-default}` replaced, as docker does; an empty value counts as not set by whoever reads it. */
function interpolated(environment: Readonly<Record<string, string>> = {}): Record<string, string> {
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+):-([^}]*)\}/g, (_, of: string, otherwise: string) => SET[of] ?? otherwise),
  ]);
  return Object.fromEntries(filled);
}

describe('the compose file', () => {
  it('is valid by the schema of the compose specification', () => {
    const folder = resolve(createRequire(import.meta.url).resolve('dclint'), '../..');
    const schema = JSON.parse(readFileSync(resolve(folder, 'schemas/compose.schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(schema);
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
  });

  it('pins every image to a version', () => {
    for (const [name, { image }] of services) expect(image, name).toMatch(/:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  it.each(own)('%s sets variables that exist, to what the program takes', (_, { environment }) => {
    for (const name of Object.keys(environment!)) expect(Object.keys(VARIABLES)).toContain(name);
    expect(() => readConfig(interpolated(environment))).not.toThrow();
  });

  it('asks only for variables that exist', () => {
    const asked = [...read('docker-compose.yml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name!);
    const known = [...Object.keys(VARIABLES), 'ENGINE_PASSWORD'];
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('plays every role, each in processes of its own, on all five engines', () => {
    const configs = ofCluster.map(([, { environment }]) => readConfig(interpolated(environment)));
    expect(configs.flatMap(({ roles }) => roles).sort()).toEqual([
      'api',
      'ingest',
      'intelligence',
      'projector',
      'relay',
      'webhooks',
    ]);
    for (const { cluster } of configs) expect(cluster).toBeDefined();
    // The addresses are those of services that stand in the file, with the ports that their images listen on.
    const hosts = ofCluster.flatMap(([, { environment }]) =>
      Object.entries(interpolated(environment)).flatMap(([name, value]) =>
        name.endsWith('_URL') && name !== 'BASE_URL' ? [new URL(value.replace(/^\w+:/, 'http:')).host] : [],
      ),
    );
    expect(new Set(hosts)).toEqual(
      new Set(['event-log:2113', 'read-store:27017', 'registry:5432', 'limits:6379', 'broker:9092']),
    );
    for (const host of hosts) expect(Object.keys(file.services)).toContain(host.split(':')[0]);
  });

  it('runs one process with its own stores on one machine', () => {
    const [[, one] = [], ...others] = own.filter(([, { profiles }]) => profiles.includes('one'));
    expect(others).toEqual([]);
    const config = readConfig(interpolated(one!.environment));
    expect([config.cluster, config.dataDir, config.roles.length]).toEqual([undefined, '/data', 6]);
    expect(one!.volumes).toEqual(['data:/data']);
  });

  it('publishes the port that is listened on, and its front knows the services', () => {
    const ports = own.map(([, { environment }]) => readConfig(interpolated(environment)).port);
    expect(new Set(ports)).toEqual(new Set([3000]));
    for (const [name, { ports: published }] of services) {
      expect(published ?? [], name).toEqual(['front', 'ledgerline'].includes(name) ? ['3000:3000'] : []);
    }
    const { content } = file.configs.front;
    const reached = [...content.matchAll(/http:\/\/([a-z-]+):(\d+);/g)].map(([, host, port]) => [host, port]);
    expect(reached).toEqual([
      ['api', '3000'],
      ['ingest', '3000'],
    ]);
  });

  it('looks at the health of every engine and of the front, and the image at its own', async () => {
    for (const [name, { build, healthcheck }] of services) {
      if (build === undefined) expect(healthcheck?.test.length, name).toBeGreaterThan(1);
    }
    const path = /process\.env\.PORT \+ '(\/\w+)'/.exec(read('Dockerfile'))![1]!;
    const server = await composed();
    try {
      const answer = await fetch(`${server.url}${path}`);
      expect(answer.status).toBe(200);
    } finally {
      await server.close();
    }
  });

  it('keeps what is served in volumes', () => {
    const kept = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!));
    expect(kept.sort()).toEqual(Object.keys(file.volumes).sort());
  });
});

describe('the image', () => {
  const dockerfile = read('Dockerfile');
  const [building = '', running = ''] = dockerfile.split(/^(?=FROM )/m).slice(1);

  it('starts what npm start starts, with the flags of the server, and in the place of a shell', () => {
    const { start } = JSON.parse(read('package.json')).scripts as { start: string };
    const command: readonly string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(running)![1]!);

    expect(start).toContain(`node $(node src/server/bin/known-flags.mjs) ${command.slice(1).join(' ')}`);
    expect(command[0]).toBe('node');
    expect(/NODE_OPTIONS=(\S+)/.exec(running)![1]).toBe(SERVER_FLAGS.join(','));
  });

  it('runs as a user of its own, on a pinned base of several architectures, with a look at its health', () => {
    expect(dockerfile.match(/^FROM .*/gm)).toEqual([
      expect.stringMatching(/^FROM node:24\.\d+\.\d+-bookworm-slim AS build$/),
      expect.stringMatching(/^FROM node:24\.\d+\.\d+-bookworm-slim$/),
    ]);
    expect(running).toMatch(/usermod --login ledgerline .* node/);
    expect(running).toMatch(/^USER 1000:1000$/m);
    expect(running.indexOf('USER ')).toBeGreaterThan(running.indexOf('\nRUN '));
    expect(running).toMatch(/^HEALTHCHECK /m);
  });

  it('holds what the build reads, and nothing else', () => {
    const copied = [...building.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, files]) => files!.split(' '));
    const let_in = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(copied.map((name) => `!${name}`).sort()).toEqual(let_in.sort());
  });

  it('has what a package has, and neither sources nor what builds', () => {
    const taken = [...running.matchAll(/^COPY --from=build \/build\/(\S+) (\S+)$/gm)];
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };

    expect(taken.map(([, from, to]) => from === to)).toEqual(taken.map(() => true));
    expect(taken.map(([, from]) => from!).sort()).toEqual([
      'dist/server',
      'docs',
      'node_modules',
      'package.json',
      'src/server/bin',
    ]);
    for (const folder of ['dist/server', 'src/server/bin']) expect(files).toContain(folder);
    expect(building).toContain('npm prune --omit=dev');
    for (const tool of ['npm', 'npx', 'corepack', 'yarn', 'yarnpkg']) {
      expect(running).toMatch(new RegExp(`rm -f .*/usr/local/bin/${tool}( |$)`, 'm'));
    }
  });

  it('may have a read-only root, as in the compose file', () => {
    for (const [name, { read_only, tmpfs, cap_drop }] of own) {
      expect([name, read_only, tmpfs, cap_drop]).toEqual([name, true, ['/tmp'], ['ALL']]);
    }
  });
});
