import { addReport, createOutcomeReport, type OutcomeReport } from '../../ingest/intake/intake.ts';
import { readBounded } from '../../platform/json/bounded-json.ts';
import { CommandError } from './arguments.ts';

/** Where replayed messages go. */
export interface Sink {
  send(message: unknown): Promise<void>;
  /** Sends the buffered messages, before a pause. */
  flush(): Promise<void>;
  /** The command's exit code. */
  end(): Promise<number>;
}

const HELD_CHARACTERS = 64 * 1024;

export function stdoutSink(): Sink {
  let held = '';
  const flush = async () => {
    process.stdout.write(held);
    held = '';
  };
  return {
    async send(message) {
      held += `${JSON.stringify(message)}\n`;
      if (held.length >= HELD_CHARACTERS) await flush();
    },
    flush,
    end: async () => 0,
  };
}

/** The endpoint accepts 16 MiB at once. Far less keeps the answer quick. */
const BODY_CHARACTERS = 1024 * 1024;

/** @param url the other server's public address */
export function serverSink(url: string, key: string, send: typeof fetch): Sink {
  const endpoint = new URL('ingest/v1/messages', `${url.replace(/\/+$/, '')}/`);
  const total = createOutcomeReport();
  let body = '';
  let linesBefore = 0;
  let lines = 0;
  const flush = async () => {
    if (body === '') return;
    const report = await post(endpoint, key, body, send);
    // Line numbers count over the whole replay, not in one body.
    const before = linesBefore;
    addReport(total, { ...report, errors: report.errors.map((error) => ({ ...error, line: error.line + before })) });
    linesBefore += lines;
    lines = 0;
    body = '';
  };
  return {
    async send(message) {
      body += `${JSON.stringify(message)}\n`;
      lines++;
      if (body.length >= BODY_CHARACTERS) await flush();
    },
    flush,
    async end() {
      await flush();
      process.stdout.write(`${JSON.stringify(total)}\n`);
      return total.rejected === 0 ? 0 : 1;
    },
  };
}

/** A report has a hundred errors at most. */
const REPORT_BOUNDS = { maxBytes: 4 * 1024 * 1024 };

async function post(endpoint: URL, key: string, body: string, send: typeof fetch): Promise<OutcomeReport> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const response = await send(endpoint, { method: 'POST', headers, body }).catch((error: Error) => {
    throw new CommandError(
      `${endpoint.origin} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const answer = (await readBounded(response.body ?? [], REPORT_BOUNDS)).toString('utf8');
  // A 400 has the report too, if every message was rejected.
  const report = response.status === 200 || response.status === 400 ? reportOf(answer) : undefined;
  if (report) return report;
  const hint =
    response.status === 401 ? ': is the key right?' : response.status === 404 ? ': has it an INGEST_KEY?' : '';
  throw new CommandError(`${endpoint.origin} answered ${response.status}${hint}`);
}

function reportOf(text: string): OutcomeReport | undefined {
  try {
    const report = JSON.parse(text) as OutcomeReport;
    return Array.isArray(report.errors) && typeof report.received === 'number' ? report : undefined;
  } catch {
    return undefined;
  }
}
