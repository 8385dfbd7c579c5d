/**
 * Record ids, `WRITER.NUMBER`: each writer has a unique name and numbers its records. A writer that does not know
 * whether an append succeeded repeats it with the same ids, and a reader of the stream skips the duplicates. A writer
 * appends in order of number, and only after earlier records are stored or given up, so the last number of each writer
 * is enough to detect duplicates.
 */
export const makeRecordId = (writer: string, number: number): string => `${writer}.${number}`;

/** The last number of each writer; the most recent writer is at the end. */
export type LastRecordNumbers = [writer: string, number: number][];

/** Limit of remembered writers: after so many other writers, nobody repeats an append. */
const MAX_WRITERS = 64;

/** Registers a record id; false for a duplicate. A record without an id is never a duplicate. */
export function registerRecordId(written: LastRecordNumbers, id: string | undefined): boolean {
  if (id === undefined) return true;
  const end = id.lastIndexOf('.');
  const writer = id.slice(0, end);
  const number = Number(id.slice(end + 1));
  // Search from the end: the most recent writer usually writes again.
  const index = written.findLastIndex(([name]) => name === writer);
  const known = written[index];
  if (known && number <= known[1]) return false;
  if (known) written.splice(index, 1);
  else if (written.length === MAX_WRITERS) written.shift();
  written.push([writer, number]);
  return true;
}
