import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../../../src/server/metrics/metric-definitions.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { composed } from '../../support/composed.ts';
import { parseExposition } from './exposition.ts';

const PAGE = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/metrics.md'), 'utf8');

/** The rows of the page's table of metrics. */
const documented = PAGE.split('\n')
  .map((line) => /^\| `(\w+)` \| (counter|gauge|histogram) \| (.*) \| (.+) \|$/.exec(line))
  .flatMap((row) => (row ? [{ name: row[1]!, type: row[2]!, labels: namesIn(row[3]!), help: row[4]! }] : []));

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

it('every metric is documented as it is, and every documented one is told', async () => {
  const server = await composed({ settings: { bootstrapKey: BOOTSTRAP_KEY } });
  const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
  const told = parseExposition(await (await fetch(`${server.url}/metrics`, { headers })).text());
  await server.close();

  expect(documented).toEqual(Object.values(METRICS));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect([...told].map(([name, { type, help }]) => ({ name, type, help })).sort(byName)).toEqual(
    documented.map(({ name, type, help }) => ({ name, type, help })).sort(byName),
  );
  for (const { name, labels } of documented) {
    for (const sample of told.get(name)!.samples) {
      expect([name, Object.keys(sample.labels).filter((label) => label !== 'le')]).toEqual([name, labels]);
    }
  }
});

it("names are Prometheus': counters end in _total, and everything measured in its base unit", () => {
  for (const { name, type } of Object.values(METRICS)) {
    expect(name).toMatch(/^(ledgerline|process|nodejs)(_[a-z]+)+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|kib|mib|percent)(_|$)/);
  }
});
