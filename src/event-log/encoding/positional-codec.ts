import { formatTime, parseTime } from '../../domain/primitives/time.ts';

/**
 * Encodes a value as a row of plain values. The names of members are not in the row: the codec knows them.
 * A codec is exact, or it refuses the value: what `decode` returns has the same JSON as the value that `encode` was
 * given, with the members in the same order.
 * Never change a codec that has written records, so that they stay readable. Add a better one beside it.
 */
export interface PositionalCodec {
  /**
   * Appends the values that stand for `value`. Returns false if this codec cannot encode the value; the row must then
   * be thrown away.
   */
  encode(value: unknown, row: EncodedRow): boolean;
  /** Takes as many values as `encode` appended. */
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
  /** The index of the next value. */
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

/** The number in the name of the stream. The row does not repeat the number. */
export const streamId: PositionalCodec = {
  encode: (value, { id }) => value === id,
  decode: ({ id }) => id,
};

/** A time in the server's format, stored in milliseconds. Any other text is stored unchanged. */
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

/** A text that usually is one of `words`. Stored records depend on the order of `words`. */
export function oneOf(...words: readonly string[]): PositionalCodec {
  const indexes = new Map(words.map((one, index) => [one, index]));
  return {
    encode(value, { values }) {
      if (typeof value !== 'string') return false;
      values.push(indexes.get(value) ?? value);
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
      const values: unknown[] = [];
      for (let i = 0; i < length; i++) values.push(of.decode(row));
      return values;
    },
  };
}

/** An array with a fixed number of members. */
export function tuple(...members: readonly PositionalCodec[]): PositionalCodec {
  return {
    encode: (value, row) =>
      Array.isArray(value) &&
      value.length === members.length &&
      members.every((member, index) => member.encode(value[index], row)),
    decode: (row) => members.map((member) => member.decode(row)),
  };
}

/** An object whose member names are not known in advance. */
export function dictionary(name: PositionalCodec, of: PositionalCodec): PositionalCodec {
  return {
    encode(value, row) {
      if (!isPlainObject(value)) return false;
      const names = Object.keys(value);
      row.values.push(names.length);
      // An assignment to `__proto__` would set the prototype.
      return names.every((one) => one !== '__proto__' && name.encode(one, row) && of.encode(value[one], row));
    },
    decode(row) {
      const object: Record<string, unknown> = {};
      for (let left = next(row) as number; left > 0; left--) {
        const key = name.decode(row) as string;
        object[key] = of.decode(row);
      }
      return object;
    },
  };
}

/**
 * A value that `piece` cannot encode is stored as JSON. The first value that `piece` writes must be neither an object
 * nor null.
 */
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

/** Whether the value is a plain object. JSON may turn an object with another prototype into something else. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export interface Member {
  readonly name: string;
  readonly of: PositionalCodec;
  /** The member may be missing. */
  readonly optional?: true;
  /** The value that this member nearly always has, a text or a boolean. No value is stored for it. */
  readonly usual?: string | boolean;
}

/** How to decode objects with the same combination of missing and usual members. */
interface DecodePlan {
  /**
   * All members in their order, with the usual values filled in. Copying the template is faster than building each
   * object anew.
   */
  readonly template: Readonly<Record<string, unknown>>;
  readonly read: readonly (readonly [name: string, of: PositionalCodec])[];
}

/**
 * An object with exactly these members, in this order.
 * If some members are optional or have a usual value, the first value of the row is a number with one bit for each such
 * member. A set bit means that a value is stored for the member. No value is stored for a missing member or for a usual
 * value.
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

  function planOf(presentBits: number): DecodePlan {
    const template: Record<string, unknown> = {};
    const read: [string, PositionalCodec][] = [];
    members.forEach(({ name, of, usual }, index) => {
      const isPresent = bits[index] === 0 || (presentBits & bits[index]!) !== 0;
      if (isPresent) read.push([name, of]);
      if (isPresent || usual !== undefined) template[name] = isPresent ? null : usual;
    });
    return { template, read };
  }

  return {
    encode(value, row) {
      if (!isPlainObject(value)) return false;
      const { values } = row;
      const index = values.length;
      let presentBits = 0;
      if (varying > 0) values.push(0);
      let i = 0;
      for (const name in value) {
        const one = value[name];
        // JSON leaves out undefined members.
        if (one === undefined) continue;
        while (i < members.length && members[i]!.name !== name) if (!members[i++]!.optional) return false;
        if (i === members.length) return false;
        const { of, usual } = members[i]!;
        if (usual === undefined || one !== usual) {
          if (!of.encode(one, row)) return false;
          presentBits |= bits[i]!;
        }
        i++;
      }
      while (i < members.length) if (!members[i++]!.optional) return false;
      if (varying > 0) values[index] = presentBits;
      return true;
    },
    decode(row) {
      const presentBits = varying > 0 ? (row.values[row.at++] as number) : 0;
      let plan = plans[presentBits];
      if (plan === undefined) {
        plan = planOf(presentBits);
        plans[presentBits] = plan;
      }
      const result = { ...plan.template };
      for (const [name, of] of plan.read) result[name] = of.decode(row);
      return result;
    },
  };
}
