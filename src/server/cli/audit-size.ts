import { oddsStream } from '../../domain/streams/stream-definitions.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { FolderSizes } from '../embedded/folder-sizes.ts';
import { TABLE_GROUPS } from '../embedded/table-groups.ts';
import { growingTable } from './audit-table.ts';
import { showProgress } from './progress.ts';

/** Prints what a data folder holds, and what each kind of fact takes. @param now milliseconds */
export async function printSizes({ dataDir }: Config, json: boolean, now: number): Promise<void> {
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
  const told = summaryOf(sizes);
  const lines = json ? [JSON.stringify(told)] : sizesText(told);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
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
    tables: TABLE_GROUPS.map((group) => {
      const own = tables.filter((one) => one.group === group);
      return { group, tables: own.length, bytes: total(own, 'bytes') };
    }),
    quarantined: tables.find(({ table }) => table === 'quarantine')?.rows ?? 0,
    free_bytes: freeBytes,
    days,
  };
}

function sizesText(told: Summary): string[] {
  const { price_ticks: prices, archived } = told;
  const lines = [
    ...section(['BYTES', 'FILE'], [...told.files.map(({ name, bytes }) => [count(bytes), name])]),
    ...section(
      ['RECORDS', 'BYTES', 'A RECORD', 'OF THE LOG'],
      told.kinds.map((kind) => [count(kind.records), count(kind.bytes), count(kind.bytes_per_record), kind.type]),
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
    ...section(
      ['DOCUMENTS', 'BYTES', 'READ MODEL'],
      told.read_models.map(({ projection, documents, bytes }) => [count(documents), count(bytes), projection]),
    ),
    ...section(
      ['TABLES', 'BYTES', 'OF THE DATABASE'],
      [
        ...told.tables.map(({ group, tables, bytes }) => [count(tables), count(bytes), group]),
        ['', count(told.free_bytes), 'free, taken first by what comes'],
      ],
    ),
    `messages in quarantine: ${count(told.quarantined)}`,
    '',
    ...growingTable(['DAY', 'RECORDS', 'BYTES OF THE LOG'], { numbers: ['RECORDS', 'BYTES OF THE LOG'] })(
      told.days.map(({ day, records, bytes }) => [day, count(records), count(bytes)]),
    ),
  );
  return lines;
}

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
