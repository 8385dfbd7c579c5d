import { oddsStream } from '../../domain/streams/stream-definitions.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ClusterSizes } from '../cluster/cluster-sizes.ts';
import { groupOfTable, TABLE_GROUPS, type TableGroup } from '../composition/table-groups.ts';
import type { FolderSizes } from '../embedded/folder-sizes.ts';
import { growingTable } from './audit-table.ts';
import { showProgress } from './progress.ts';

/** Prints what a data folder or a cluster holds, and what each kind of fact takes. @param now milliseconds */
export async function printSizes(config: Config, json: boolean, now: number): Promise<void> {
  const summary = config.cluster ? clusterSummaryOf(await measureEngines(config)) : await folderSummary(config, now);
  const lines = json ? [JSON.stringify(summary)] : 'kinds' in summary ? folderText(summary) : clusterText(summary);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

const measureEngines = async (config: Config): Promise<ClusterSizes> =>
  (await import('../cluster/cluster-sizes.ts')).measureCluster(config);

async function folderSummary({ dataDir }: Config, now: number): Promise<Summary> {
  const { measureFolder } = await import('../embedded/folder-sizes.ts');
  const counting = showProgress('audit size', 'records');
  const measuring = showProgress('audit size', 'bytes');
  const sizes = await measureFolder(dataDir, {
    now,
    onRecords: counting.update,
    onBytes(done, total) {
      counting.end();
      measuring.update(done, total);
    },
  });
  counting.end();
  measuring.end();
  return summaryOf(sizes);
}

type Summary = ReturnType<typeof summaryOf>;

/** As `--json` prints it. Bytes of facts of the log are those in its file, with the index. */
export function summaryOf({ files, kinds, archive, tables, freeBytes, days }: FolderSizes) {
  const emptied = kinds.find(({ type }) => type === '');
  const prices = kinds.filter(({ type }) => Object.hasOwn(oddsStream.versions, type));
  const [records, bytes] = [total(prices, 'records'), total(prices, 'bytes')];
  const readModels = new Map<string, { documents: number; bytes: number }>();
  for (const { projection, rows = 0, bytes } of tables) {
    if (projection === undefined) continue;
    const sum = readModels.get(projection) ?? { documents: 0, bytes: 0 };
    readModels.set(projection, { documents: sum.documents + rows, bytes: sum.bytes + bytes });
  }
  return {
    bytes: total(files, 'bytes'),
    files,
    kinds: kinds
      .filter(({ type }) => type !== '')
      .map((kind) => ({ ...kind, bytes_per_record: each(kind.bytes, kind.records) })),
    price_ticks: { records, bytes, bytes_per_record: each(bytes, records) },
    /** What retention has moved to the archive: odds of past events. */
    archived: archive && {
      records: archive.records,
      bytes: archive.bytes,
      bytes_per_record: each(archive.bytes, archive.records),
      bytes_left_in_log: emptied?.bytes ?? 0,
      bytes_left_per_record: each(emptied?.bytes ?? 0, emptied?.records ?? 0),
    },
    read_models: [...readModels].map(([projection, size]) => ({ projection, ...size })).sort(bySize),
    tables: groupsOf(tables),
    quarantined: tables.find(({ table }) => table === 'quarantine')?.rows ?? 0,
    free_bytes: freeBytes,
    days,
  };
}

function folderText(summary: Summary): string[] {
  const { price_ticks: prices, archived } = summary;
  const lines = [
    ...section(['BYTES', 'FILE'], [...summary.files.map(({ name, bytes }) => [count(bytes), name])]),
    ...section(
      ['RECORDS', 'BYTES', 'A RECORD', 'OF THE LOG'],
      summary.kinds.map((kind) => [count(kind.records), count(kind.bytes), count(kind.bytes_per_record), kind.type]),
    ),
    `price ticks in the log: ${count(prices.records)}, of ${count(prices.bytes_per_record)} bytes each with the index`,
  ];
  if (archived) {
    lines.push(
      `archived: ${count(archived.records)}, of ${count(archived.bytes_per_record)} bytes each; ` +
        `${count(archived.bytes_left_per_record)} bytes of each are left in the log`,
    );
  }
  lines.push(
    '',
    ...readModelsText(summary.read_models),
    ...section(
      ['TABLES', 'BYTES', 'OF THE DATABASE'],
      [...groupRows(summary.tables), ['', count(summary.free_bytes), 'free, taken first by what comes']],
    ),
    `messages in quarantine: ${count(summary.quarantined)}`,
    '',
    ...growingTable(['DAY', 'RECORDS', 'BYTES OF THE LOG'], { numbers: ['RECORDS', 'BYTES OF THE LOG'] })(
      summary.days.map(({ day, records, bytes }) => [day, count(records), count(bytes)]),
    ),
  );
  return lines;
}

/** The parts of a cluster that tell their sizes. */
function clusterSummaryOf({ readModels, tables, quarantined }: ClusterSizes) {
  return {
    log: null,
    read_models: [...readModels].sort(bySize),
    tables: groupsOf(tables.map(({ table, bytes }) => ({ group: groupOfTable(table), bytes }))),
    quarantined,
  };
}

const clusterText = (summary: ReturnType<typeof clusterSummaryOf>): string[] => [
  'the event log: its engine does not tell what records take; look at its own pages, or at its disk',
  '',
  ...readModelsText(summary.read_models),
  ...section(['TABLES', 'BYTES', 'OF THE REGISTRY'], groupRows(summary.tables)),
  `messages in quarantine: ${count(summary.quarantined)}`,
];

const readModelsText = (sizes: Summary['read_models']): string[] =>
  section(
    ['DOCUMENTS', 'BYTES', 'READ MODEL'],
    sizes.map(({ projection, documents, bytes }) => [count(documents), count(bytes), projection]),
  );

function groupsOf(tables: readonly { readonly group: TableGroup; readonly bytes: number }[]) {
  return TABLE_GROUPS.map((group) => {
    const own = tables.filter((one) => one.group === group);
    return { group, tables: own.length, bytes: total(own, 'bytes') };
  });
}

const groupRows = (groups: ReturnType<typeof groupsOf>): string[][] =>
  groups.map(({ group, tables, bytes }) => [count(tables), count(bytes), group]);

/** A table whose last column is text, and a blank line. */
const section = (headings: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  ...growingTable(headings, { numbers: headings.slice(0, -1) })(rows),
  '',
];

const bySize = (a: { readonly bytes: number }, b: { readonly bytes: number }): number => b.bytes - a.bytes;

const count = (number: number | null): string => (number === null ? '-' : number.toLocaleString('en'));

const each = (bytes: number, records: number): number | null =>
  records === 0 ? null : Math.round((10 * bytes) / records) / 10;

const total = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  all.reduce((sum, one) => sum + one[name], 0);
