import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CLUSTER_METRICS } from '../../src/server/metrics/cluster-metrics.ts';
import { type Definition, METRICS } from '../../src/server/metrics/metric-definitions.ts';
import { DEPLOY } from './tools.ts';

// `test/server/metrics/documented.test.ts` holds these definitions to what a server tells.
const definitions: readonly Definition[] = [...Object.values(METRICS), ...Object.values(CLUSTER_METRICS)];

/** The names in Prometheus of a metric: those of a histogram have endings. */
const namesOf = ({ name, type }: Definition) =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name];

/** The labels of each name, those that Prometheus adds included. */
const labelsOf = new Map<string, Set<string>>();
for (const definition of definitions) {
  for (const name of namesOf(definition)) {
    const labels = labelsOf.get(name) ?? new Set(['job', 'instance', 'le']);
    for (const label of definition.labels) labels.add(label);
    labelsOf.set(name, labels);
  }
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const file = join(DEPLOY, 'prometheus/alerts.yml');
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: readonly { rules: readonly Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana/ledgerline.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: unknown }[] };
};

const expressions = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Each selector of an expression: the metric, and the labels that it names in braces. */
const selectorsOf = (expr: string) =>
  [...expr.matchAll(/\b((?:ledgerline|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g)].map(([, name, braces = '']) => ({
    name: name!,
    labels: [...braces.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }));

describe.each(expressions)('%s', (_, expr) => {
  it('names metrics and labels that the server has', () => {
    const selectors = selectorsOf(expr);
    const known = new Set(selectors.flatMap(({ name }) => [...(labelsOf.get(name) ?? [])]));
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/,\s*/));

    expect(selectors.length > 0 || expr.startsWith('up{')).toBe(true);
    expect(selectors.filter(({ name }) => !labelsOf.has(name))).toEqual([]);
    for (const { name, labels } of selectors) {
      expect([name, labels.filter((label) => !labelsOf.get(name)!.has(label))]).toEqual([name, []]);
    }
    expect(grouped.filter((label) => !known.has(label))).toEqual([]);
  });
});

it('there is an alert for each thing that goes wrong, with what to do', () => {
  const about = (pattern: RegExp) => alerts.filter(({ expr }) => pattern.test(expr)).length;
  const things = [
    /_lag_seconds/,
    /projection_state/,
    /quarantined_messages/,
    /feed_state/,
    /disk_free/,
    /5xx/,
    /duration_seconds/,
  ];

  expect(things.map(about).every((count) => count > 0)).toBe(true);
  for (const { labels, annotations } of alerts) {
    expect(['warning', 'critical']).toContain(labels.severity);
    expect(Object.keys(annotations).sort()).toEqual(['do', 'summary']);
  }
  const used = alerts.flatMap(({ annotations }) => [...JSON.stringify(annotations).matchAll(/ledgerline ([a-z]+) /g)]);
  expect(used.length).toBeGreaterThan(2);
});

it('the states in the alerts are those of the metrics', () => {
  const page = readFileSync(join(DEPLOY, '../docs/metrics.md'), 'utf8');
  const statesOf = (row: string) =>
    [...page.match(new RegExp(`^\\| ${row} \\| (.*)$`, 'm'))![1]!.matchAll(/`([\w-]+)`/g)].map(([, one]) => one!);
  const known = new Set([...statesOf('`state` of feeds'), ...statesOf('`state`')]);
  const named = alerts.flatMap(({ expr }) =>
    [...expr.matchAll(/state=~?"([^"]+)"/g)].flatMap(([, states]) => states!.split('|')),
  );

  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((state) => !known.has(state))).toEqual([]);
});

it('no panel of the dashboard lies on another one', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );

  expect(new Set(cells).size).toBe(cells.length);
  expect(dashboard.panels.filter(({ description }) => !description.endsWith('.'))).toEqual([]);
});
