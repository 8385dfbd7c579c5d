import { fromWhereCalled } from '../../platform/where-called.ts';
import { isArchiveName } from '../../sources/archive-importer.ts';
import type { Importer } from '../../sources/importing/importer.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type InputFile, openInput } from './input-file.ts';
import { showProgress } from './progress.ts';
import { type Note, type TranslationOptions, translated, translatedInThread } from './translation.ts';

async function help(): Promise<string> {
  const { IMPORTERS } = await import('../../sources/importers.ts');
  const width = Math.max(...IMPORTERS.map(({ name }) => name.length)) + 2;
  return `
import SOURCE FILE...    takes a provider's own files in

SOURCE is one of
${IMPORTERS.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n')}

FILE may be gzip; - is standard input; archives of a connector (HH.ndjson, HH.ndjson.gz) are given in their order. A file may be taken in again at any time.

  --dry-run             print the feed messages as NDJSON, and take nothing in
  --at TIME             when the source was asked, in UTC (2025-01-31T12:00:00Z), for files that do not say
  --odds-format FORMAT  american or decimal, where the file leaves it open
  --encoding NAME       of the files (windows-1252, utf-16le, ...); by default UTF-8, or what a mark at the beginning
                        says; a file that is no UTF-8 is read as Windows-1252, and the notes say so
  --data-dir DIR        the data folder (DATA_DIR, or ./data)

The last line on standard output is the outcome report over all files, as one line of JSON, with what the importer
left out, by reason, as notes: [{code, count, example}]; lines in errors count the messages of a file. With --dry-run
the notes stand on standard error.
Exit codes: 0 nothing was rejected; 1 something was, or a file could not be read to its end; 2 bad arguments; 3 the
server ended before it had taken everything: run the same command again.`;
}

async function importFiles(args: Arguments): Promise<number> {
  const { IMPORTERS } = await import('../../sources/importers.ts');
  const [source, ...names] = args.positionals;
  const importer = IMPORTERS.find(({ name }) => name === source);
  const sources = IMPORTERS.map(({ name }) => name).join(', ');
  if (source === undefined) throw new UsageError(`import needs a SOURCE (${sources}) and at least one FILE`);
  if (!importer) throw new UsageError(`there is no source ${source}; there are ${sources}`);
  if (names.length === 0) throw new UsageError('import needs at least one FILE');
  const { commandTarget: workplace } = await import('./command-target.ts');
  const options: TranslationOptions = await readOptions(args);
  const config = await workplace(args.dataDir, { command: 'import', engines: ['event-log', 'registry'] });
  const { recordedStarts } = await import('./recorded-starts.ts');
  const starts = importer.needsStarts ? await recordedStarts(config) : undefined;
  if (starts) options.starts = starts;
  const archives = importer.openArchives?.();
  if (archives) options.archives = archives;
  const paths = names.map((name) => fromWhereCalled(name));
  const files = names.map((name, index) => openInput(name, paths[index]!));
  const notes = new NoteCounts();
  const say = (text: string) => process.stderr.write(`${text}\n`);

  if (args.flag('dry-run')) {
    for (const file of files) {
      const onNote = (note: Note) => notes.add(file.name, note);
      for await (const bytes of translated(importer, file, options, onNote)) process.stdout.write(bytes);
    }
    await starts?.close();
    for (const { code, count, example } of notes.list()) say(`${code}: ${count}, for example ${example}`);
    return 0;
  }

  const { ingestInputs: takeInputs } = await import('./ingest-inputs.ts');
  const inputs = files.map((file, index) => inputOf(importer, file, paths[index]!, options, notes));
  const { report, exitCode } = await takeInputs(config, 'import', inputs, say);
  await starts?.close();
  process.stdout.write(`${JSON.stringify({ ...report, notes: notes.list() })}\n`);
  return exitCode;
}

async function readOptions(args: Arguments): Promise<TranslationOptions> {
  const { parseTime } = await import('../../domain/primitives/time.ts');
  const at = args.text('at');
  if (at !== undefined && parseTime(at) === null) {
    throw new UsageError(`--at ${at} is no UTC time such as 2025-01-31T12:00:00Z`);
  }
  const oddsFormat = args.text('odds-format');
  if (oddsFormat !== undefined && oddsFormat !== 'american' && oddsFormat !== 'decimal') {
    throw new UsageError(`--odds-format is american or decimal, not ${oddsFormat}`);
  }
  const read: TranslationOptions = { now: Date.now(), at, oddsFormat };
  const label = args.text('encoding');
  if (label === undefined) return read;
  const { encodingByLabel } = await import('./text-encoding.ts');
  const encoding = encodingByLabel(label);
  if (encoding === undefined) throw new UsageError(`--encoding ${label} is no encoding (utf-8, windows-1252, ...)`);
  return { ...read, encoding };
}

/** Another thread can open files only, and can only translate without shared state. */
const canRunApart = (importer: Importer, file: InputFile): boolean =>
  file.size !== undefined && !importer.needsStarts && !isArchive(importer, file);

/** Archives are read in order, since answers of one depend on the ones before. */
const isArchive = (importer: Importer, { name }: InputFile): boolean =>
  importer.openArchives !== undefined && isArchiveName(name);

function inputOf(importer: Importer, file: InputFile, path: string, options: TranslationOptions, notes: NoteCounts) {
  let progress: ReturnType<typeof showProgress> | undefined;
  let readApart = 0;
  const onNote = (note: Note) => notes.add(file.name, note);
  const bytes = () => {
    if (!canRunApart(importer, file)) return translated(importer, file, options, onNote);
    const { starts: _, archives: __, ...plain } = options;
    const work = { importer: importer.name, file: file.name, path, options: plain };
    return translatedInThread(work, onNote, (read) => {
      readApart = read;
    });
  };
  return {
    name: file.name,
    bytes,
    onProgress: (messages: number) => {
      progress ??= showProgress(`import ${file.name}`, file.size === undefined ? 'messages' : 'bytes');
      if (file.size === undefined) progress.update(messages);
      else progress.update(readApart || file.bytesRead(), file.size);
    },
    onEnd: () => progress?.end(),
  };
}

const form = {
  help,
  options: {
    'dry-run': { type: 'boolean' },
    at: { type: 'string' },
    'odds-format': { type: 'string' },
    encoding: { type: 'string' },
  },
  run: importFiles,
} as const;

export const run = (argv: readonly string[]) => runCommand(form, argv);

/** What an importer left out: a count and the first example for each code. */
export interface NoteCount {
  readonly code: string;
  count: number;
  readonly example: string;
}

export class NoteCounts {
  readonly #counts = new Map<string, NoteCount>();

  add(file: string, note: { readonly code: string; readonly message: string; readonly line?: number }): void {
    const known = this.#counts.get(note.code);
    if (known) known.count++;
    else {
      const place = note.line === undefined ? file : `${file} line ${note.line}`;
      this.#counts.set(note.code, { code: note.code, count: 1, example: `${place}: ${note.message}` });
    }
  }

  list(): NoteCount[] {
    return [...this.#counts.values()];
  }
}
