import type { Cell, Column, Table } from '../calls/operation/table.ts';

/** The columns that the path of a file gives: readers of hive partitions add them. */
const IN_PATH: ReadonlySet<string> = new Set(['league']);
const EVENT_ID = 'event_id';

/** The table of an operation, with the id of the event first. */
export interface ExportTable<Answer = any> {
  readonly columns: readonly Column[];
  rows(answer: Answer): Iterable<readonly Cell[]>;
}

/**
 * The columns of an operation in their order, with `event_id` before them. What the path says is left out: readers
 * would meet two columns of one name.
 * @param idColumn what the operation calls the id of the event
 */
export function exportTable<Answer>(table: Table<Answer>, idColumn: string = EVENT_ID): ExportTable<Answer> {
  const idPlace = table.columns.findIndex(({ name }) => name === idColumn);
  const others = table.columns.flatMap(({ name }, place) => (place === idPlace || IN_PATH.has(name) ? [] : [place]));
  const places = [idPlace, ...others];
  const id: Column = { ...table.columns[idPlace]!, name: EVENT_ID, description: 'Id of the event.' };
  return {
    columns: [id, ...others.map((place) => table.columns[place]!)],
    *rows(answer) {
      for (const row of table.rows(answer)) yield places.map((place) => row[place]!);
    },
  };
}
