import { setImmediate } from 'node:timers';
import type { Stored } from '../document-reader.ts';
import type { MongoBuild } from './mongo-builds.ts';
import type { MongoReads } from './mongo-reads.ts';

/** Of one load, and of all that go together: more take long enough by themselves. */
const MOST_KEYS = 20;
const MOST_LOADS = 32;

interface Load {
  readonly build: MongoBuild;
  readonly keys: readonly string[];
  readonly resolve: (found: readonly (Stored<any> | undefined)[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Loads of several builds that are asked for in one turn of the event loop go with one command, as those do of the
 * projections into which one record is folded. Large ones go alone.
 */
export function joinedLoads({ get, getAcross }: Pick<MongoReads, 'get' | 'getAcross'>) {
  let waiting: Load[] = [];

  function send(): void {
    const loads = waiting;
    waiting = [];
    for (let at = 0; at < loads.length; at += MOST_LOADS) {
      const some = loads.slice(at, at + MOST_LOADS);
      const found = some.length === 1 ? get(some[0]!.build, some[0]!.keys).then((own) => [own]) : getAcross(some);
      found.then(
        (each) => {
          for (const [place, { resolve }] of some.entries()) resolve(each[place]!);
        },
        (error: unknown) => {
          for (const { reject } of some) reject(error);
        },
      );
    }
  }

  return (build: MongoBuild, keys: readonly string[]): Promise<readonly (Stored<any> | undefined)[]> => {
    if (keys.length > MOST_KEYS) return get(build, keys);
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send);
      waiting.push({ build, keys, resolve, reject });
    });
  };
}
