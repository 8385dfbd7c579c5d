import { requireJsonForFields } from './answer-fields.ts';
import { type AnswerFormat, formatsOf, JSON_FORMAT } from './answer-format.ts';
import { largestPageOf, MAX_ROWS_OF_PAGES, readManyPages } from './many-pages.ts';
import type { Operation } from './operation.ts';
import { createInputReader, type InputReader, validationError } from './operation-input.ts';
import { resolveRelativeDates } from './relative-dates.ts';

/** The read that an address of the API asks for. */
export interface FoundRead {
  readonly operation: Operation;
  readonly formats: ReadonlyMap<string, AnswerFormat>;
  /**
   * @param format as in `format=`
   * @throws ApiError validation_error
   */
  readInput(format: string): any;
}

const READS = '/v1/';

interface Asked {
  /** The path, with its query. */
  readonly path: string;
  /** As in `format=`. */
  readonly format: string;
  /** Milliseconds: relative dates count from it. */
  readonly now: number;
}

/**
 * Finds the operation that reads what a link asks for: a GET below `/v1` with one answer. Undefined: there is none.
 *
 * A link may ask for more than its path alone gives: dates that follow the day on which it is read, and the rows of
 * several pages.
 */
export function createReadFinder(operations: readonly Operation[]): (asked: Asked) => FoundRead | undefined {
  const reads = operations
    .filter(({ method, path, streaming }) => method === 'GET' && path.startsWith(READS) && !streaming)
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      formats: formatsOf(operation),
      reader: undefined as InputReader | undefined,
    }));
  return ({ path: pathAndQuery, format, now }) => {
    const at = pathAndQuery.indexOf('?');
    const [path, given] = at < 0 ? [pathAndQuery, ''] : [pathAndQuery.slice(0, at), pathAndQuery.slice(at + 1)];
    for (const read of reads) {
      const match = read.pattern.exec(path);
      const params = match && decoded(match.groups ?? {});
      if (!params) continue;
      read.reader ??= createInputReader(read.operation);
      const { operation, formats, reader } = read;
      const search = resolveRelativeDates(operation, given, now);
      const wide = wideReadOf(operation, search);
      if (!wide) {
        const readInput = () => {
          const input = reader.fromHttp(params, search, undefined);
          requireJsonForFields(operation, input, formats.get(format));
          return input;
        };
        return { operation, formats, readInput };
      }
      return {
        operation: wide.operation,
        formats: formatsOf(wide.operation),
        readInput() {
          checkWide(wide, format);
          const input = reader.fromHttp(params, wide.search, undefined);
          requireJsonForFields(operation, input, formats.get(format));
          return { ...input, limit: wide.rows };
        },
      };
    }
    return undefined;
  };
}

/** A read of more rows than a page has. */
interface WideRead {
  readonly operation: Operation;
  readonly rows: number;
  readonly page: number;
  /** The query of one page. */
  readonly search: string;
}

function wideReadOf(operation: Operation, search: string): WideRead | undefined {
  const page = largestPageOf(operation);
  const query = new URLSearchParams(search);
  const [limit, ...others] = query.getAll('limit');
  if (page === undefined || limit === undefined || others.length > 0 || !/^\d{1,9}$/.test(limit)) return undefined;
  const rows = Number(limit);
  if (rows <= page) return undefined;
  query.set('limit', String(page));
  return { operation: readManyPages(operation, page), rows, page, search: String(query) };
}

/** @throws ApiError validation_error */
function checkWide({ rows, page, search }: WideRead, format: string): void {
  const reason =
    rows > MAX_ROWS_OF_PAGES
      ? `must be at most ${MAX_ROWS_OF_PAGES}`
      : format === JSON_FORMAT
        ? `must be at most ${page} in JSON`
        : new URLSearchParams(search).get('sort') === 'status'
          ? `must be at most ${page} with sort=status, which has one page`
          : undefined;
  if (reason) throw validationError([{ loc: ['query', 'limit'], msg: reason, type: 'less_than_equal' }]);
}

/** Undefined if a parameter is no percent-encoding. */
function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
