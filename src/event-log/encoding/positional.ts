import { formatTime, parseTime } from '../../domain/time.ts';

/**
 * Pieces of a positional form: a value as a row of plain values without the names of its members, which are in the form
 * instead. A form is exact, or says that it is not: what `take` gives has the same JSON as what `put` was given, with
 * its members in the same order. Forms that have been written stay readable for ever: they are never changed, a better
 * one comes beside them.
 */
export interface Piece {
  /** Appends what stands for the value. False where it has no place in this form; then the row is of no use. */
  put(value: unknown, row: WrittenRow): boolean;
  /** Takes as many values as `put` has appended. */
  take(row: ReadRow): unknown;
}

export interface WrittenRow {
  readonly values: unknown[];
  /** The number in the name of the record's stream. */
  readonly id: number;
}

export interface ReadRow {
  readonly values: readonly unknown[];
  readonly id: number;
  /** Of the next value. */
  at: number;
}

const next = (row: ReadRow): unknown => row.values[row.at++];

const plain = (fits: (value: unknown) => boolean): Piece => ({
  put(value, { values }) {
    if (!fits(value)) return false;
    values.push(value);
    return true;
  },
  take: next,
});

export const text = plain((value) => typeof value === 'string');
export const number = plain(Number.isFinite);
export const numberOrNull = plain((value) => value === null || Number.isFinite(value));
export const flag = plain((value) => typeof value === 'boolean');

/** The number in the name of the stream, which stands there already. */
export const idOfStream: Piece = {
  put: (value, { id }) => value === id,
  take: ({ id }) => id,
};

/** A time in the server's spelling, as milliseconds; any other text as it is. */
export const time: Piece = {
  put(value, { values }) {
    if (typeof value !== 'string') return false;
    const milliseconds = parseTime(value);
    values.push(milliseconds !== null && formatTime(milliseconds) === value ? milliseconds : value);
    return true;
  },
  take(row) {
    const value = next(row);
    return typeof value === 'number' ? formatTime(value) : value;
  },
};

/** A text that mostly is one of these. What has been written depends on their order. */
export function word(...words: readonly string[]): Piece {
  const places = new Map(words.map((one, place) => [one, place]));
  return {
    put(value, { values }) {
      if (typeof value !== 'string') return false;
      values.push(places.get(value) ?? value);
      return true;
    },
    take(row) {
      const value = next(row);
      return typeof value === 'number' ? words[value] : value;
    },
  };
}

export function list(of: Piece): Piece {
  return {
    put(value, row) {
      if (!Array.isArray(value)) return false;
      row.values.push(value.length);
      for (const one of value) if (!of.put(one, row)) return false;
      return true;
    },
    take(row) {
      const length = next(row) as number;
      const taken: unknown[] = [];
      for (let i = 0; i < length; i++) taken.push(of.take(row));
      return taken;
    },
  };
}

/** An array of always as many members. */
export function tuple(...members: readonly Piece[]): Piece {
  return {
    put: (value, row) =>
      Array.isArray(value) &&
      value.length === members.length &&
      members.every((member, place) => member.put(value[place], row)),
    take: (row) => members.map((member) => member.take(row)),
  };
}

/** An object whose members' names are not known before. */
export function table(name: Piece, of: Piece): Piece {
  return {
    put(value, row) {
      if (!isPlainObject(value)) return false;
      const names = Object.keys(value);
      row.values.push(names.length);
      // Assigning it would set the prototype instead.
      return names.every((one) => one !== '__proto__' && name.put(one, row) && of.put(value[one], row));
    },
    take(row) {
      const taken: Record<string, unknown> = {};
      for (let left = next(row) as number; left > 0; left--) {
        const key = name.take(row) as string;
        taken[key] = of.take(row);
      }
      return taken;
    },
  };
}

/** What the piece has no place for stands as JSON. The piece's own first value must be no object and not null. */
export function orJson(piece: Piece): Piece {
  return {
    put(value, row) {
      const { values } = row;
      const { length } = values;
      if (piece.put(value, row)) return true;
      values.length = length;
      if (typeof value !== 'object' || (value !== null && 'toJSON' in value)) return false;
      values.push(value);
      return true;
    },
    take(row) {
      const value = row.values[row.at];
      if (typeof value !== 'object') return piece.take(row);
      row.at++;
      return value;
    },
  };
}

/** A plain object: an object with a prototype of its own may come out of JSON as something else. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
