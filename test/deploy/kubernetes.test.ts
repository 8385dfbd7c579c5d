import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/platform/settings/config.ts';
import { ROLES } from '../../src/platform/settings/deployment-profile.ts';
import { VARIABLES } from '../../src/platform/settings/variables.ts';
import { DEPLOY } from './tools.ts';

const folder = join(DEPLOY, 'kubernetes');
const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8');
const variablesIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    read(file)
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
const settings = { ...variablesIn('settings.env'), ...variablesIn('secrets.env.example') };

const { resources } = parse(read('kustomization.yaml')) as { resources: readonly string[] };
const roles = readdirSync(join(folder, 'roles'));
const rolePatches = roles.map((role) => {
  const { patches } = parse(read('roles', role, 'kustomization.yaml')) as { patches: readonly { patch: string }[] };
  return [role, parse(patches[0]!.patch) as readonly { path: string; value: any }[]] as const;
});

describe('the manifests of Kubernetes', () => {
  it('have a deployment for each role, in the order in which a new version is brought in: readers before writers', () => {
    const order = resources.filter((path) => path.startsWith('roles/')).map((path) => path.slice('roles/'.length));

    expect(order).toEqual(['relay', 'projector', 'webhooks', 'intelligence', 'api', 'ingest']);
    expect([...order].sort()).toEqual([...ROLES].sort());
    expect([...roles].sort()).toEqual([...ROLES].sort());
  });

  it.each(rolePatches)('the role %s has settings that the program takes', (role, patch) => {
    const own = patch.find(({ path }) => path.endsWith('/env'))!.value as readonly { name: string; value: string }[];
    const env = { ...settings, ...Object.fromEntries(own.map(({ name, value }) => [name, value])) };

    for (const name of Object.keys(env)) expect(Object.keys(VARIABLES)).toContain(name);
    expect(readConfig(env)).toMatchObject({ roles: [role], host: '0.0.0.0', cluster: expect.anything() });
  });

  it.each(rolePatches)('the role %s asks for memory and has a bound of it', (_, patch) => {
    const { requests, limits } = patch.find(({ path }) => path.endsWith('/resources'))!.value;

    expect([requests.cpu, requests.memory, limits.memory]).toEqual([
      expect.stringMatching(/^\d+m$/),
      expect.stringMatching(/^\d+Mi$/),
      expect.stringMatching(/^\d+[MG]i$/),
    ]);
  });

  it('have no rights, a root that is only read, and probes of the paths that every process answers', () => {
    const { spec } = parse(read('role/deployment.yaml')).spec.template;
    const [container] = spec.containers;

    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(settings['PORT']) }]);
  });

  it('lead clients to the roles that answer them, and nobody to the metrics', () => {
    const documents = parseAllDocuments(read('front.yaml')).map((document) => document.toJS());
    const { paths } = documents.find(({ kind }) => kind === 'Ingress').spec.rules[0].http;
    const selectorOf = (path: string) => {
      const { name } = paths.find((one: { path: string }) => one.path === path).backend.service;
      return documents.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name).spec.selector;
    };

    expect(selectorOf('/')['app.kubernetes.io/component']).toBe('api');
    expect(selectorOf('/ingest/')['app.kubernetes.io/component']).toBe('ingest');
    expect(selectorOf('/metrics')).toBeUndefined();
  });
});
