import { Readable } from 'node:stream';
import { JsonRefused, parseBoundedJson } from '../platform/json/bounded-json.ts';
import { parseAnswer } from './connectors/answer-classification.ts';
import { type ArchiveReader, type Importer, type ImportItem, UnknownFileShape } from './importing/importer.ts';
import { peekBeginning } from './importing/peek-beginning.ts';
import { ANSWER_BOUNDS } from './parsing/json-bounds.ts';
import { asRecord, asText, asTime, type JsonObject } from './parsing/json-values.ts';
import { guardScores } from './provider-base/guarded-provider.ts';
import { cacheAgeMs, type Provider, UnknownAnswerShape } from './provider-base/provider.ts';
import { createScoreGuard } from './provider-base/score-guard.ts';

/** The connector believed no more than this when the answers came. */
const believed = (provider: Provider): Provider => guardScores(provider, createScoreGuard(1));

const ARCHIVE_NAME = /\.ndjson(\.gz)?$/i;
const BEGINNING = /^\s*\{\s*"received_at"\s*:/;

export const isArchiveName = (name: string): boolean => ARCHIVE_NAME.test(name);

/** Lets an importer also read archives of its provider's answers. @param createProvider creates a provider without any
 *  state */
export function withArchiveImport(importer: Importer, createProvider: () => Provider): Importer {
  return {
    ...importer,
    summary: `${importer.summary}, and archives of its connector`,
    openArchives: () => createArchiveReader(believed(createProvider())),
    async *translate(file, options) {
      const { beginning, bytes } = await peekBeginning(file.open());
      if (!isArchiveName(file.name) && !BEGINNING.test(beginning)) {
        const open = () => Readable.from(bytes, { objectMode: false });
        yield* importer.translate({ name: file.name, open }, options);
        return;
      }
      let answerCount = 0;
      const reader = options.archives ?? createArchiveReader(believed(createProvider()));
      for await (const item of reader.read(bytes)) {
        answerCount++;
        yield item;
      }
      // A non-empty file without any answer is not an archive.
      if (answerCount === 0 && beginning.trim() !== '' && !BEGINNING.test(beginning)) {
        throw new UnknownFileShape(file.name, 'an archive of answers');
      }
    },
  };
}

/** Number of URLs whose newest `Last-Modified` is remembered. */
const MAX_URLS = 100_000;

function createArchiveReader(provider: Provider): ArchiveReader {
  const newest = new Map<string, number>();

  async function* readAnswer(answer: ArchivedLine): AsyncGenerator<ImportItem> {
    const { receivedAt, headers, body, url } = answer;
    const modified = Date.parse(headers['last-modified'] ?? '');
    if (modified < (newest.get(url) ?? Number.NEGATIVE_INFINITY)) {
      yield { note: { code: 'stale_answer', message: 'An answer was left out: a newer one had been taken before.' } };
      return;
    }
    const address = addressOf(url);
    const value = await parseAnswer(body ?? null);
    if (!address || value instanceof JsonRefused) {
      const why = value instanceof JsonRefused ? value.message : 'has no address';
      yield { note: { code: 'broken_answer', message: `An answer was left out: it ${why}.` } };
      return;
    }
    const times = { observedAt: receivedAt - cacheAgeMs(headers), arrivedAt: receivedAt };
    const items: ImportItem[] = [];
    try {
      for await (const item of provider.read({ request: address, body: value, ...times })) {
        if ('message' in item) items.push(item);
        else if ('note' in item) items.push(item);
        else if ('rejected' in item) items.push({ note: item.rejected });
        else items.push({ note: { code: 'drift', message: `${item.drift.path}: ${item.drift.problem}` } });
      }
    } catch (error) {
      if (!(error instanceof UnknownAnswerShape)) throw error;
      yield { note: { code: 'unknown_answer', message: `An answer was left out: ${error.message}.` } };
      return;
    }
    if (!Number.isNaN(modified)) {
      if (newest.size >= MAX_URLS) newest.delete(newest.keys().next().value!);
      newest.set(url, modified);
    }
    yield* items;
  }

  return {
    async *read(bytes) {
      for await (const { line, answer } of readArchiveLines(bytes)) {
        if (!answer) yield { note: { code: 'no_answer', message: 'A line was left out: it is no answer.', line } };
        // A failed request has no content.
        else if (answer.status === 200) yield* readAnswer(answer);
      }
    },
  };
}

function addressOf(url: string): { path: string; query: Record<string, string> } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  return { path: pathname, query: Object.fromEntries(searchParams) };
}

/** One answer of an archive. */
interface ArchivedLine {
  /** When the response head arrived, in milliseconds. */
  readonly receivedAt: number;
  readonly url: string;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if no body came. */
  readonly body: string | undefined;
}

/** An answer's text grows when it is written as JSON. */
const MAX_LINE_BYTES = 2 * ANSWER_BOUNDS.maxBytes + 1024 * 1024;
/** The line of an answer has its headers in it, and no more. */
const LINE_BOUNDS = { maxBytes: MAX_LINE_BYTES, maxDepth: 40, maxValues: 10_000 };
const NEWLINE = 10;

/** The answers of an archive file in order, with their line numbers; undefined for a line that is no answer. An
 *  incomplete last line without a line break is left out: it was still being written. */
async function* readArchiveLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: number; readonly answer: ArchivedLine | undefined }> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const isTooLong = length + end - from > MAX_LINE_BYTES;
      const bytes = isTooLong ? EMPTY : Buffer.concat([...pieces, chunk.subarray(from, end)]);
      pieces = [];
      length = 0;
      from = end + 1;
      line++;
      if (isTooLong) yield { line, answer: undefined };
      else if (!isBlank(bytes)) yield { line, answer: await readLine(bytes) };
    }
    length += chunk.length - from;
    // Do not buffer a line that is too long for an answer.
    if (length > MAX_LINE_BYTES) pieces = [];
    else pieces.push(chunk.subarray(from));
  }
  const last = await readLine(Buffer.concat(pieces));
  if (last) yield { line: line + 1, answer: last };
}

const EMPTY = Buffer.alloc(0);
const isBlank = (bytes: Buffer): boolean => bytes.length < 1024 && bytes.toString().trim() === '';

async function readLine(bytes: Buffer): Promise<ArchivedLine | undefined> {
  let given: JsonObject;
  try {
    given = asRecord(await parseBoundedJson(bytes, LINE_BOUNDS));
  } catch (error) {
    if (error instanceof JsonRefused) return undefined;
    throw error;
  }
  const receivedAt = asTime(given['received_at']);
  const url = asText(given['url']);
  if (receivedAt === undefined || url === undefined || !('status' in given)) return undefined;
  const headers = Object.entries(asRecord(given['headers'])).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  );
  return {
    receivedAt,
    url,
    status: typeof given['status'] === 'number' ? given['status'] : undefined,
    headers: Object.fromEntries(headers),
    body: typeof given['body'] === 'string' ? given['body'] : undefined,
  };
}
