import { addReport, createOutcomeReport, type OutcomeReport } from '../../ingest/intake/intake.ts';
import { MAX_LINE_BYTES } from '../../ingest/intake/ndjson-lines.ts';
import { makeDataFolder } from '../../platform/data-folder/data-folder.ts';
import { databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { callServer, HandOverFailed } from '../control/control-client.ts';
import { errorLine } from '../control/error-line.ts';
import { withWriter } from '../control/with-writer.ts';
import { type ProjectionThread, projectInThread } from '../embedded/projection-thread.ts';

/** One input of a command that ingests messages. */
export interface Input {
  readonly name: string;
  /** NDJSON. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** Called from time to time with the number of messages that are done. */
  readonly onProgress: (messages: number) => void;
  readonly onEnd: () => void;
}

/** With fewer messages no thread is started: the next start of the server projects them sooner. */
const BATCHES_ALONE = 2;

/** The server ended before it had everything. Rejected messages show when the input is sent again. */
const SEND_AGAIN = 3;

export interface IngestReport {
  readonly report: OutcomeReport;
  readonly exitCode: number;
}

type Take = (bytes: AsyncIterable<Uint8Array>, onProgress: (messages: number) => void) => Promise<OutcomeReport>;

/**
 * Ingests the inputs one after another, through the running server or by itself. Prints one line for each failure. A failed
 * input does not stop the next one.
 * @returns the report over all inputs, and the exit code
 */
export async function ingestInputs(
  config: Config,
  command: string,
  inputs: readonly Input[],
  say: (text: string) => void,
): Promise<IngestReport> {
  if (config.cluster) return takeIntoCluster(config, inputs, say);
  const folder = makeDataFolder(config.dataDir);
  return withWriter(folder, command, say, {
    handOver: () =>
      takeAll(inputs, say, (bytes, onProgress) =>
        callServer<OutcomeReport>(folder, 'POST /ingest', bytes, ({ done }) => onProgress(done)),
      ),
    alone: async () => {
      const [{ openCommandFolder }, { ingestLines: takeLines }] = await Promise.all([
        import('../embedded/command-folder.ts'),
        import('../../ingest/intake/ingest-lines.ts'),
      ]);
      const opened = await openCommandFolder({ ...config, dataDir: folder }, say);
      let projecting: ProjectionThread | undefined;
      let batches = 0;
      const onBatch = () => {
        if (++batches === BATCHES_ALONE) projecting = projectInThread(databaseFile(folder));
      };
      let isThrough = false;
      try {
        // Before anything is read.
        opened.ports.clock.assertOpen();
        const taken = await takeAll(inputs, say, (bytes, onProgress) => {
          const onTakenBatch = ({ received }: OutcomeReport) => {
            onProgress(received);
            onBatch();
          };
          return takeLines(opened.intake, bytes, { onBatch: onTakenBatch });
        });
        isThrough = true;
        return taken;
      } finally {
        const failure = await projecting?.finish();
        // If ingesting failed, report that failure.
        if (failure !== undefined && isThrough)
          say(`not everything could be projected, the server will do so: ${failure}`);
        await opened.close();
      }
    },
  });
}

/** Ingests in this process, beside the processes of the cluster. */
async function takeIntoCluster(
  config: Config,
  inputs: readonly Input[],
  say: (text: string) => void,
): Promise<IngestReport> {
  const [{ openClusterIntake }, { ingestLines: takeLines }] = await Promise.all([
    import('../cluster/command-engines.ts'),
    import('../../ingest/intake/ingest-lines.ts'),
  ]);
  const { intake, close } = await openClusterIntake(config);
  try {
    return await takeAll(inputs, say, (bytes, onProgress) =>
      takeLines(intake, bytes, { onBatch: ({ received }) => onProgress(received) }),
    );
  } finally {
    await close();
  }
}

async function takeAll(inputs: readonly Input[], say: (text: string) => void, take: Take): Promise<IngestReport> {
  const report = createOutcomeReport();
  let complete = true;
  for (const input of inputs) {
    const lines = wholeLines(input.bytes());
    let ofInput: OutcomeReport;
    try {
      ofInput = await take(lines, input.onProgress);
    } catch (error) {
      if (!(error instanceof HandOverFailed)) throw error;
      input.onEnd();
      if (error.report) addReport(report, error.report);
      say(error.message);
      return { report, exitCode: error.again ? SEND_AGAIN : 1 };
    }
    input.onEnd();
    addReport(report, ofInput);
    if (ofInput.rejected > 0) say(rejections(input.name, ofInput));
    for (const kind of ofInput.waits_for ?? []) say(`${input.name}: ${waiting(kind)}`);
    if (lines.failure) {
      complete = false;
      say(errorLine(lines.failure));
    }
  }
  return { report, exitCode: complete && report.rejected === 0 ? 0 : 1 };
}

const waiting = ({ source, what, messages, first }: NonNullable<OutcomeReport['waits_for']>[number]): string =>
  `${messages} of ${source} wait for ${what}, first: ${first}`;

function rejections(name: string, { rejected, received, errors }: OutcomeReport): string {
  const [first] = errors;
  return `${name}: ${rejected} of ${received} rejected${first ? `, first line ${first.line}: ${first.message}` : ''}`;
}

/** An input in whole lines. `failure` is set after the end if reading failed. */
export interface WholeLines extends AsyncIterable<Uint8Array> {
  readonly failure: Error | undefined;
}

/**
 * Ends instead of throwing if reading fails, so that the lines before are ingested and reported. Drops the partial line at the
 * end of a cut-off input. The caller checks `failure` afterwards.
 */
export function wholeLines(input: AsyncIterable<Uint8Array>): WholeLines {
  let failure: Error | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    let tail: Uint8Array = new Uint8Array();
    try {
      for await (const piece of input) {
        const end = piece.lastIndexOf(10) + 1;
        // A line beyond the limit is rejected anyway, so do not buffer it.
        if (end === 0 && tail.length + piece.length <= MAX_LINE_BYTES) {
          tail = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
          continue;
        }
        const until = end === 0 ? piece.length : end;
        if (tail.length > 0) yield tail;
        if (until > 0) yield piece.subarray(0, until);
        tail = piece.subarray(until);
      }
      if (tail.length > 0) yield tail;
    } catch (error) {
      failure = error as Error;
    }
  }
  return {
    get failure() {
      return failure;
    },
    [Symbol.asyncIterator]: read,
  };
}
