import { formatTime, parseTime } from '../../domain/primitives/time.ts';

/**
 * Pieces of a positional form: a value as a row of plain values without the names of its members, which are in the form
 * instead. A form is exact, or says that it is not: what `take` gives has the same JSON as what `put` was given, with
 * its members in the same order. Forms that have been written stay readable for ever: they are never changed, a better
 * one comes beside them.
 */
export interface PositionalCodec {
  /** Appends what stands for the value. False where it has no place in this form; then the row is of no use. */
  encode(value: unknown, row: EncodedRow): boolean;
  /** Takes as many values as `put` has appended. */
  decode(row: DecodingRow): unknown;
}

interface EncodedRow {
  readonly values: unknown[];
  /** The number in the name of the record's stream. */
  readonly id: number;
}

interface DecodingRow {
  readonly values: readonly unknown[];
  readonly id: number;
  /** Of the next value. */
  at: number;
}

const next = (row: DecodingRow): unknown => row.values[row.at++];

const plain = (fits: (value: unknown) => boolean): PositionalCodec => ({
  encode(value, { values }) {
    if (!fits(value)) return false;
    values.push(value);
    return true;
  },
  decode: next,
});

export const text = plain((value) => typeof value === 'string');
export const number = plain(Number.isFinite);
export const numberOrNull = plain((value) => value === null || Number.isFinite(value));
export const boolean = plain((value) => typeof value === 'boolean');

/** The number in the name of the stream, which stands there already. */
export const streamId: PositionalCodec = {
  encode: (value, { id }) => value === id,
  decode: ({ id }) => id,
};

/** A time in the server's spelling, as milliseconds; any other text as it is. */
export const time: PositionalCodec = {
  encode(value, { values }) {
    if (typeof value !== 'string') return false;
    const milliseconds = parseTime(value);
    values.push(milliseconds !== null && formatTime(milliseconds) === value ? milliseconds : value);
    return true;
  },
  decode(row) {
    const value = next(row);
    return typeof value === 'number' ? formatTime(value) : value;
  },
};

/** A text that mostly is one of these. What has been written depends on their order. */
export function oneOf(...words: readonly string[]): PositionalCodec {
  const places = new Map(words.map((one, place) => [one, place]));
  return {
    encode(value, { values }) {
      if (typeof value !== 'string') return false;
      values.push(places.get(value) ?? value);
      return true;
    },
    decode(row) {
      const value = next(row);
      return typeof value === 'number' ? words[value] : value;
    },
  };
}

export function list(of: PositionalCodec): PositionalCodec {
  return {
    encode(value, row) {
      if (!Array.isArray(value)) return false;
      row.values.push(value.length);
      for (const one of value) if (!of.encode(one, row)) return false;
      return true;
    },
    decode(row) {
      const length = next(row) as number;
      const taken: unknown[] = [];
      for (let i = 0; i < length; i++) taken.push(of.decode(row));
      return taken;
    },
  };
}

/** An array of always as many members. */
export function tuple(...members: readonly PositionalCodec[]): PositionalCodec {
  return {
    encode: (value, row) =>
      Array.isArray(value) &&
      value.length === members.length &&
      members.every((member, place) => member.encode(value[place], row)),
    decode: (row) => members.map((member) => member.decode(row)),
  };
}

/** An object whose members' names are not known before. */
export function dictionary(name: PositionalCodec, of: PositionalCodec): PositionalCodec {
  return {
    encode(value, row) {
      if (!isPlainObject(value)) return false;
      const names = Object.keys(value);
      row.values.push(names.length);
      // Assigning it would set the prototype instead.
      return names.every((one) => one !== '__proto__' && name.encode(one, row) && of.encode(value[one], row));
    },
    decode(row) {
      const taken: Record<string, unknown> = {};
      for (let left = next(row) as number; left > 0; left--) {
        const key = name.decode(row) as string;
        taken[key] = of.decode(row);
      }
      return taken;
    },
  };
}

/** What the piece has no place for stands as JSON. The piece's own first value must be no object and not null. */
export function orJson(piece: PositionalCodec): PositionalCodec {
  return {
    encode(value, row) {
      const { values } = row;
      const { length } = values;
      if (piece.encode(value, row)) return true;
      values.length = length;
      if (typeof value !== 'object' || (value !== null && 'toJSON' in value)) return false;
      values.push(value);
      return true;
    },
    decode(row) {
      const value = row.values[row.at];
      if (typeof value !== 'object') return piece.decode(row);
      row.at++;
      return value;
    },
  };
}

/** A plain object: an object with a prototype of its own may come out of JSON as something else. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

interface Member {
  readonly name: string;
  readonly of: PositionalCodec;
  /** It may be missing. */
  readonly optional?: true;
  /** What it nearly always is, a text or a boolean: then no value stands for it. */
  readonly usual?: string | boolean;
}

/** How objects come out of which the same members are missing and as usual. */
interface DecodePlan {
  /** With its members in their order, those that are as usual among them. Copied: faster than making each anew. */
  readonly template: Readonly<Record<string, unknown>>;
  readonly read: readonly (readonly [name: string, of: PositionalCodec])[];
}

/**
 * An object with these members, in this order and no others. Where some are optional or have a usual value, a number
 * stands before the values whose bits tell, from the first such member on, which of them are told: the usual ones are
 * not, and the missing ones are not.
 */
export function object(members: readonly Member[]): PositionalCodec {
  const bits: number[] = [];
  let varying = 0;
  for (const { optional, usual } of members) {
    if (optional && usual !== undefined) throw new Error('a member is either optional or has a usual value');
    bits.push(optional || usual !== undefined ? 1 << varying++ : 0);
  }
  if (varying > 12) throw new Error('too many members that vary');
  const plans: (DecodePlan | undefined)[] = [];

  function planOf(told: number): DecodePlan {
    const template: Record<string, unknown> = {};
    const read: [string, PositionalCodec][] = [];
    members.forEach(({ name, of, usual }, place) => {
      const isTold = bits[place] === 0 || (told & bits[place]!) !== 0;
      if (isTold) read.push([name, of]);
      if (isTold || usual !== undefined) template[name] = isTold ? null : usual;
    });
    return { template, read };
  }

  return {
    encode(value, row) {
      if (!isPlainObject(value)) return false;
      const { values } = row;
      const place = values.length;
      let told = 0;
      if (varying > 0) values.push(0);
      let i = 0;
      for (const name in value) {
        const one = value[name];
        // JSON leaves it out.
        if (one === undefined) continue;
        while (i < members.length && members[i]!.name !== name) if (!members[i++]!.optional) return false;
        if (i === members.length) return false;
        const { of, usual } = members[i]!;
        if (usual === undefined || one !== usual) {
          if (!of.encode(one, row)) return false;
          told |= bits[i]!;
        }
        i++;
      }
      while (i < members.length) if (!members[i++]!.optional) return false;
      if (varying > 0) values[place] = told;
      return true;
    },
    decode(row) {
      const told = varying > 0 ? (row.values[row.at++] as number) : 0;
      let plan = plans[told];
      if (plan === undefined) {
        plan = planOf(told);
        plans[told] = plan;
      }
      const taken = { ...plan.template };
      for (const [name, of] of plan.read) taken[name] = of.decode(row);
      return taken;
    },
  };
}
