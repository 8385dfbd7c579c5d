import { isPlainObject, type Piece } from './positional.ts';

export interface Member {
  readonly name: string;
  readonly of: Piece;
  /** It may be missing. */
  readonly optional?: true;
  /** What it nearly always is, a text or a boolean: then no value stands for it. */
  readonly usual?: string | boolean;
}

/** How objects come out of which the same members are missing and as usual. */
interface Plan {
  /** With its members in their order, those that are as usual among them. Copied: faster than making each anew. */
  readonly template: Readonly<Record<string, unknown>>;
  readonly read: readonly (readonly [name: string, of: Piece])[];
}

/**
 * An object with these members, in this order and no others. Where some are optional or have a usual value, a number
 * stands before the values whose bits tell, from the first such member on, which of them are told: the usual ones are
 * not, and the missing ones are not.
 */
export function object(members: readonly Member[]): Piece {
  const bits: number[] = [];
  let varying = 0;
  for (const { optional, usual } of members) {
    if (optional && usual !== undefined) throw new Error('a member is either optional or has a usual value');
    bits.push(optional || usual !== undefined ? 1 << varying++ : 0);
  }
  if (varying > 12) throw new Error('too many members that vary');
  const plans: (Plan | undefined)[] = [];

  function planOf(told: number): Plan {
    const template: Record<string, unknown> = {};
    const read: [string, Piece][] = [];
    members.forEach(({ name, of, usual }, place) => {
      const isTold = bits[place] === 0 || (told & bits[place]!) !== 0;
      if (isTold) read.push([name, of]);
      if (isTold || usual !== undefined) template[name] = isTold ? null : usual;
    });
    return { template, read };
  }

  return {
    put(value, row) {
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
          if (!of.put(one, row)) return false;
          told |= bits[i]!;
        }
        i++;
      }
      while (i < members.length) if (!members[i++]!.optional) return false;
      if (varying > 0) values[place] = told;
      return true;
    },
    take(row) {
      const told = varying > 0 ? (row.values[row.at++] as number) : 0;
      let plan = plans[told];
      if (plan === undefined) {
        plan = planOf(told);
        plans[told] = plan;
      }
      const taken = { ...plan.template };
      for (const [name, of] of plan.read) taken[name] = of.take(row);
      return taken;
    },
  };
}
