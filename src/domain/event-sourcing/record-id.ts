/**
 * Names of records, `WRITER.NUMBER`: each writer has a name of its own, and numbers what it writes. Whoever does not know
 * whether the log took its records appends them again, under the same names; whoever folds the stream leaves out what
 * is in the fold already. A writer appends its records of a stream in the order of their numbers, and nothing behind
 * them before they are there or given up, so that the last number of each writer tells enough.
 */
export const makeRecordId = (writer: string, number: number): string => `${writer}.${number}`;

/** Of each writer its last number; the one that wrote last stands last. */
export type LastRecordNumbers = [writer: string, number: number][];

/** Writers that are remembered: a record of one that so many others have followed is not appended again. */
const MAX_WRITERS = 64;

/** Notes a record of this name. False where it was noted before; records without a name never were. */
export function registerRecordId(written: LastRecordNumbers, id: string | undefined): boolean {
  if (id === undefined) return true;
  const end = id.lastIndexOf('.');
  const writer = id.slice(0, end);
  const number = Number(id.slice(end + 1));
  // From the end: nearly always it writes again who wrote last.
  const place = written.findLastIndex(([name]) => name === writer);
  const known = written[place];
  if (known && number <= known[1]) return false;
  if (known) written.splice(place, 1);
  else if (written.length === MAX_WRITERS) written.shift();
  written.push([writer, number]);
  return true;
}
