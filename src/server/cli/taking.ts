import { add, emptyReport, type OutcomeReport } from '../../ingest/intake.ts';
import { databaseFile, makeDataFolder } from '../../platform/data-folder/paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { type Projecting, projectBeside } from '../composition/projecting.ts';
import { asWriter } from '../control/as-writer.ts';
import { askServer, HandOverFailed } from '../control/control-client.ts';
import { explain } from '../control/explain.ts';
import { wholeLines } from './whole-lines.ts';

/** One input of a command that takes messages in. */
export interface Input {
  readonly name: string;
  /** NDJSON. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** Called from time to time, with the messages of this input that are through. */
  readonly onProgress: (messages: number) => void;
  readonly onEnd: () => void;
}

/** A few messages are projected by the server when it starts, sooner than a thread for them would have started. */
const BATCHES_ALONE = 2;

/** The server has ended before it had everything: what was refused, if anything, is told when it is sent again. */
const SEND_AGAIN = 3;

export interface Taken {
  readonly report: OutcomeReport;
  readonly exitCode: number;
}

type Take = (bytes: AsyncIterable<Uint8Array>, onProgress: (messages: number) => void) => Promise<OutcomeReport>;

/**
 * Takes the inputs in, one after another, through the server of the data folder or by itself. What goes wrong is
 * told in one line each; an input that fails does not keep the next from its turn.
 * @returns the report over all inputs, and the exit code
 */
export async function takeInputs(
  config: Config,
  command: string,
  inputs: readonly Input[],
  say: (text: string) => void,
): Promise<Taken> {
  if (config.cluster) return takeIntoCluster(config, inputs, say);
  const folder = makeDataFolder(config.dataDir);
  return asWriter(folder, command, say, {
    handOver: () =>
      takeAll(inputs, say, (bytes, onProgress) =>
        askServer<OutcomeReport>(folder, 'POST /ingest', bytes, ({ done }) => onProgress(done)),
      ),
    alone: async () => {
      const [{ openCommandFolder }, { takeLines }] = await Promise.all([
        import('../composition/command-folder.ts'),
        import('../../ingest/take-lines.ts'),
      ]);
      const opened = await openCommandFolder({ ...config, dataDir: folder }, say);
      let projecting: Projecting | undefined;
      let batches = 0;
      const onBatch = () => {
        if (++batches === BATCHES_ALONE) projecting = projectBeside(databaseFile(folder));
      };
      let isThrough = false;
      try {
        // Before anything is read.
        opened.ports.clock.assertOpen();
        const taken = await takeAll(inputs, say, (bytes, onProgress) => {
          const told = ({ received }: OutcomeReport) => {
            onProgress(received);
            onBatch();
          };
          return takeLines(opened.intake, bytes, { onBatch: told });
        });
        isThrough = true;
        return taken;
      } finally {
        const failure = await projecting?.finish();
        // Where the taking has failed, that is what is told.
        if (failure !== undefined && isThrough)
          say(`not everything could be projected, the server will do so: ${failure}`);
        await opened.close();
      }
    },
  });
}

/** Beside the processes of the cluster: one more that takes facts in. */
async function takeIntoCluster(config: Config, inputs: readonly Input[], say: (text: string) => void): Promise<Taken> {
  const [{ openClusterIntake }, { takeLines }] = await Promise.all([
    import('../composition/command-engines.ts'),
    import('../../ingest/take-lines.ts'),
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

async function takeAll(inputs: readonly Input[], say: (text: string) => void, take: Take): Promise<Taken> {
  const report = emptyReport();
  let complete = true;
  for (const input of inputs) {
    const lines = wholeLines(input.bytes());
    let ofInput: OutcomeReport;
    try {
      ofInput = await take(lines, input.onProgress);
    } catch (error) {
      if (!(error instanceof HandOverFailed)) throw error;
      input.onEnd();
      if (error.report) add(report, error.report);
      say(error.message);
      return { report, exitCode: error.again ? SEND_AGAIN : 1 };
    }
    input.onEnd();
    add(report, ofInput);
    if (ofInput.rejected > 0) say(rejections(input.name, ofInput));
    for (const kind of ofInput.waits_for ?? []) say(`${input.name}: ${waiting(kind)}`);
    if (lines.failure) {
      complete = false;
      say(explain(lines.failure));
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
