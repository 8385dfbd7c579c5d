import { setTimeout as delay } from 'node:timers/promises';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { Broken } from './check-kept.ts';
import { ask } from './clients.ts';
import type { Fault } from './disk-faults.ts';
import type { Prepared } from './prepared-folder.ts';
import type { Life } from './server-life.ts';

/** Whether it said which file it cannot rely on: at `fatal` once it runs, else in any line. */
export function namesFile(stderr: string, folder: string, hasRun: boolean): boolean {
  const fatal = stderr.split('\n').filter((line) => line.includes('"level":60'));
  if (!hasRun && fatal.length === 0) return stderr.includes(folder);
  return fatal.length === 1 && (JSON.parse(fatal[0]!) as { file: string }).file.startsWith(folder);
}

/**
 * SQLite looks at no error of some reads, such as a first look at the header, and of flushes of names. A write-ahead file
 * that it cannot open for writing it opens for reading: a connection that only reads, such as the one that counts the
 * track record in a thread of its own, misses nothing. The thread that moves commits is refused at once, and tells it.
 * @param what as `whatHappened` tells it
 */
export const isDispensable = ({ files, operations: [operation] }: Fault, what: string): boolean =>
  operation === 'read' ||
  (operation === 'sync' && (files === 'folder' || files === 'any')) ||
  /^open \d+ of (wal|archive): .*-wal, in another thread$/.test(what);

const CUT_OFF = /charges-\d\.journal is damaged from byte/;

/**
 * The lines at `error` and `fatal`.
 * @param mayBeCutOff a charge that nobody was told of may be in the journal by half: then the start tells of damage
 */
export const errorsIn = (stderr: string, mayBeCutOff: boolean): readonly string[] =>
  stderr.split('\n').filter((line) => /"level":(50|60)/.test(line) && !(mayBeCutOff && CUT_OFF.test(line)));

/** Whether this failure left a write into the journal of charges done by half. @param what as `whatHappened` tells it */
export const cutsOffCharge = ({ torn }: Fault, what: string | undefined): boolean =>
  torn && what !== undefined && /^write \d+ of journal/.test(what);

/** A line at `warn`, `error` or `fatal`. */
export const isTold = (life: Life): boolean => /"level":(40|50|60)/.test(life.stderr());

export async function isDegraded(life: Life, { owner }: Prepared): Promise<boolean> {
  try {
    const { text } = await ask(`${life.url}/v1/health`, owner.keys[0]!);
    return (JSON.parse(text) as { status: string }).status !== 'ok';
  } catch (error) {
    if (error instanceof Broken) throw error;
    return false;
  }
}

/** Within so many milliseconds of a failure the process tells of it. */
export const TELLS_WITHIN = 1500;

export async function untilTold(life: Life): Promise<void> {
  for (const end = Date.now() + patientTimeout(TELLS_WITHIN); !life.hasEnded() && !isTold(life); await delay(10))
    if (Date.now() > end) return;
}
