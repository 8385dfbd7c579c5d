/** One line of numbers, as Prometheus reads it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?\d[\d.]*(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
/** What a histogram calls its lines. */
const PARTS = ['_bucket', '_sum', '_count'];

/**
 * Prometheus' text format 0.0.4, as strictly as a test can have it.
 * @throws Error at the first line that is none of it, or stands in the wrong place
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { help: string; type: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let last = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`${name} comes twice`);
      families.set(name, { help: rest, type: '', samples: [] });
      last = name;
    } else if (keyword === 'TYPE') {
      if (name !== last || families.get(name)!.type !== '') throw new Error(`a type out of place: ${line}`);
      families.get(name)!.type = rest;
    } else if (line !== '') {
      const sample = parseSample(line);
      const family = families.get(last);
      const isPart = family?.type === 'histogram' && PARTS.some((part) => sample.name === last + part);
      if (!family || !(sample.name === last || isPart)) throw new Error(`a sample out of place: ${line}`);
      const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(series)) throw new Error(`a series comes twice: ${line}`);
      seen.add(series);
      family.samples.push(sample);
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const found: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labels.length) {
    const at = LABEL.lastIndex;
    const [, key, text] = LABEL.exec(labels) ?? [];
    if (key === undefined) throw new Error(`no label at ${at}: ${line}`);
    found[key] = text!;
  }
  return { name, labels: found, value: Number(value!.replace('Inf', 'Infinity')) };
}

/** Buckets rise, and the last one has all. */
function checkHistogram(name: string, { samples }: Family): void {
  const groups = new Map<string, { buckets: Sample[]; count: number | undefined }>();
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { buckets: [], count: undefined };
    groups.set(key, group);
    if (le !== undefined) group.buckets.push(sample);
    else if (sample.name === `${name}_count`) group.count = sample.value;
  }
  for (const { buckets, count } of groups.values()) {
    const bounds = buckets.map(({ labels }) => Number(labels['le']!.replace('Inf', 'Infinity')));
    const rises = (values: readonly number[], by: (a: number, b: number) => boolean) =>
      values.every((value, index) => index === 0 || by(values[index - 1]!, value));
    if (!rises(bounds, (a, b) => a < b)) throw new Error(`${name}: bounds do not rise`);
    if (
      !rises(
        buckets.map(({ value }) => value),
        (a, b) => a <= b,
      )
    )
      throw new Error(`${name}: counts fall`);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)!.value !== count) {
      throw new Error(`${name}: the last bucket has not all`);
    }
  }
}

/** The value of the one series with these labels; undefined where there is none. */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  const text = JSON.stringify(Object.entries(labels).sort());
  return family?.samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === text,
  )?.value;
}
