import type { NamedDocument, SealFault } from '../../domain/proof/check-seals.ts';
import { fromWhereCalled } from '../../platform/where-called.ts';
import { type Arguments, CommandError, runCommand, UsageError } from './arguments.ts';

const help = `
verify-seals    checks the seals of a record, with nothing but the documents that are named: no server, no data folder

  FILE|URL...   files or addresses of /record/seals/DATE.json and /record/seals/latest, and answers of
                /v1/grade/receipts/ID and /v1/experiments/ID: receipts and experiments that these days hold; - is
                standard input

Each public leaf is hashed again, the root of each day is built from the hashes, and each seal must name that of the day
before where both are given. What was changed has a line with its path in the leaf, the root that was sealed and the
root now. An address has 60 seconds to answer; a document may have 256 MiB.
Exit codes: 0 all is as it was sealed; 1 something was changed, or could not be read; 2 bad arguments.`;

const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT = 60_000;
const MAX_DOCUMENTS = 1000;
const BOUNDS = { maxBytes: MAX_BYTES, maxDepth: 64, maxValues: 20_000_000 };

async function verifySeals({ positionals }: Arguments): Promise<number> {
  if (positionals.length === 0) throw new UsageError('verify-seals needs the name of a file, or an address');
  if (positionals.length > MAX_DOCUMENTS) throw new UsageError(`verify-seals takes ${MAX_DOCUMENTS} documents at most`);
  const { checkSeals } = await import('../../domain/proof/check-seals.ts');
  const documents: NamedDocument[] = [];
  for (const name of positionals) documents.push({ name, value: await readDocument(name) });
  const { files, leaves, hidden, faults } = checkSeals(documents);
  for (const fault of faults) process.stdout.write(`${lineOf(fault)}\n`);
  const counted = `${files} ${files === 1 ? 'day' : 'days'}, ${leaves} leaves, ${hidden} of them by their hash alone`;
  process.stdout.write(`${counted}: ${faults.length === 0 ? 'all as sealed' : 'NOT as sealed'}\n`);
  return faults.length === 0 ? 0 : 1;
}

function lineOf({ document, date, leaf, says, sealedRoot, root }: SealFault): string {
  const where = [document, ...(date === null ? [] : [date]), ...(leaf === null ? [] : [`leaf ${leaf}`])].join(' ');
  const roots = sealedRoot === null ? '' : `; sealed root ${sealedRoot}, root now ${root}`;
  return `${where}: ${says}${roots}`;
}

async function readDocument(name: string): Promise<unknown> {
  const { JsonRefused, parseBoundedJson } = await import('../../platform/json/bounded-json.ts');
  try {
    return await parseBoundedJson(await (/^https?:\/\//i.test(name) ? readAddress(name) : readFile(name)), BOUNDS);
  } catch (error) {
    if (error instanceof JsonRefused) throw new CommandError(`${name} ${error.message}`);
    throw error;
  }
}

async function readAddress(url: string): Promise<Buffer> {
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address`);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
    if (response.status !== 200) throw new CommandError(`${url} answered ${response.status}`);
    return await collect(response.body ?? [], url);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { cause, message } = error as Error;
    throw new CommandError(`${url} cannot be read: ${(cause as Error | undefined)?.message ?? message}`);
  }
}

async function readFile(name: string): Promise<Buffer> {
  const { openInput } = await import('./input-file.ts');
  return collect(openInput(name, name === '-' ? name : fromWhereCalled(name)).bytes(), name);
}

async function collect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name: string): Promise<Buffer> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new CommandError(`${name} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    all.push(chunk);
  }
  return Buffer.concat(all);
}

const form = { help, run: verifySeals } as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
