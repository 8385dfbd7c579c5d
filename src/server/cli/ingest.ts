import { fromWhereCalled } from '../../platform/where-called.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type InputFile, openInput } from './input-file.ts';
import { showProgress } from './progress.ts';

const help = `
ingest FILE...    takes feed messages in (docs/feed.md)

FILE is NDJSON, one message a line; gzip is recognised, whatever the name. - is standard input.
A message that is known already changes nothing, so a file may be taken in again at any time.

  --data-dir DIR    the data folder (DATA_DIR, or ./data)

The last line on standard output is the outcome report over all files, as one line of JSON:
{received, accepted, unchanged, quarantined, rejected, errors: [{line, code, message, path}]}
Where something is quarantined, waits_for tells for what: [{source, what, messages, first}]
Exit codes: 0 nothing was rejected; 1 something was, or a file could not be read to its end; 2 bad arguments; 3 the
server ended before it had taken everything: run the same command again.`;

async function ingest(args: Arguments): Promise<number> {
  const names = args.positionals;
  if (names.length === 0) throw new UsageError('ingest needs at least one FILE');
  if (names.filter((name) => name === '-').length > 1) throw new UsageError('- can be named once');
  const files = names.map((name) => openInput(name, fromWhereCalled(name)));
  const { commandTarget: workplace } = await import('./command-target.ts');
  const config = await workplace(args.dataDir, { command: 'ingest', engines: ['event-log', 'registry'] });
  const { ingestInputs: takeInputs } = await import('./ingest-inputs.ts');
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const { report, exitCode } = await takeInputs(config, 'ingest', files.map(inputOf), say);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  return exitCode;
}

function inputOf(file: InputFile) {
  const counted = file.size === undefined ? 'messages' : 'bytes';
  let progress: ReturnType<typeof showProgress> | undefined;
  return {
    name: file.name,
    bytes: file.bytes,
    onProgress: (messages: number) => {
      progress ??= showProgress(`ingest ${file.name}`, counted);
      if (file.size === undefined) progress.update(messages);
      else progress.update(file.bytesRead(), file.size);
    },
    onEnd: () => progress?.end(),
  };
}

export const run = (argv: readonly string[]) => runCommand({ help, run: ingest }, argv);
