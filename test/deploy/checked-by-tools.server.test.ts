import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROLES } from '../../src/platform/settings/deployment-profile.ts';
import { DEPLOY, said, toolNamed } from './tools.ts';

// What each file of deploy/ is for says whether it takes it. A tool that this machine lacks is skipped.

/** The most that `systemd-analyze security` may find exposed, of 100. */
const MOST_EXPOSED = 20;

const promtool = toolNamed('promtool');
it.skipIf(promtool === undefined)('promtool takes the configuration, and the alerts fire as they should', async () => {
  const check = await said(promtool!, ['check', 'config', 'prometheus.yml'], join(DEPLOY, 'prometheus'));
  const fired = await said(promtool!, ['test', 'rules', join(import.meta.dirname, 'alerts.promtool.yml')]);

  expect([check.code, fired.code, fired.text]).toEqual([0, 0, expect.stringContaining('SUCCESS')]);
});

const systemdAnalyze = toolNamed('systemd-analyze');
it.skipIf(systemdAnalyze === undefined)('systemd takes the unit, and finds it hardened', async () => {
  const file = join(DEPLOY, 'systemd/ledgerline.service');
  const security = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, file];

  expect(await said(systemdAnalyze!, ['verify', file])).toEqual({ code: 0, text: '' });
  expect(await said(systemdAnalyze!, security)).toMatchObject({ code: 0 });
});

const kubectl = toolNamed('kubectl');
it.skipIf(kubectl === undefined)('kustomize builds deployments and budgets that select their own role', async () => {
  const { code, text } = await said(kubectl!, ['kustomize', join(DEPLOY, 'kubernetes')]);
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const named = (kind: string) => documents.filter((document) => document.kind === kind);
  const namesOf = (kind: string) =>
    named(kind)
      .map(({ metadata }) => metadata.name)
      .sort();

  expect(code).toBe(0);
  for (const kind of ['Deployment', 'PodDisruptionBudget']) {
    expect(namesOf(kind)).toEqual(ROLES.map((role) => `ledgerline-${role}`).sort());
    for (const { metadata, spec } of named(kind)) {
      const role = spec.selector.matchLabels['app.kubernetes.io/component'];
      expect(metadata).toMatchObject({ name: `ledgerline-${role}`, namespace: 'ledgerline' });
    }
  }
});
