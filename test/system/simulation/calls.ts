import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { readAllInPages } from '../../../src/event-log/storage/read-all-in-pages.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import type { DurableStore } from './durable-store.ts';
import type { Owner, World } from './world.ts';

/** What goes wrong between a process and what it calls. */
export class Injected extends Error {
  constructor(what: string) {
    super(`injected: ${what}`);
    this.name = 'Injected';
  }
}

export interface Faults {
  /** Share of the calls that fail, half of them after they have taken effect. */
  errors: number;
}

/** Calls a port: its start and its end are steps of their own, between which anything may happen. */
export type Call = <T>(name: string, effect: () => Promise<T>) => Promise<T>;

export interface Calls {
  readonly call: Call;
  /** Started, and not ended. */
  readonly pending: number;
}

export function createCalls(world: World, owner: Owner, faults: Faults): Calls {
  let pending = 0;

  function call<T>(name: string, effect: () => Promise<T>): Promise<T> {
    pending++;
    return new Promise<T>((resolve, reject) => {
      const answer = (settle: () => void) =>
        world.schedule(owner, `${name} answered`, world.someTime(), () => {
          pending--;
          settle();
        });
      world.schedule(owner, name, world.someTime(), () => {
        const fault = world.random.chance(faults.errors) ? world.random.pick(['before', 'after'] as const) : undefined;
        if (fault === 'before') {
          answer(() => reject(new Injected(`${name}: connection lost`)));
          return;
        }
        effect().then(
          (result) => answer(() => (fault ? reject(new Injected(`${name}: answer lost`)) : resolve(result))),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  return {
    call,
    get pending() {
      return pending;
    },
  };
}

export function callLog(log: EventLog, call: Call): EventLog {
  const readAll: EventLog['readAll'] = (after, limit) => call(`readAll ${after}`, () => log.readAll(after, limit));
  return {
    ...log,
    append: (...args) => call('append', () => log.append(...args)),
    appendAll: (appends) => call('appendAll', () => log.appendAll(appends)),
    readStream: (...args) => call('readStream', () => log.readStream(...args)),
    readStreams: (streams) => call('readStreams', () => log.readStreams(streams)),
    readAll,
    readAllFrom: (after, options) => readAllInPages(readAll, after, options),
    recordAt: (position) => call(`recordAt ${position}`, () => log.recordAt(position)),
    head: () => call('head', () => log.head()),
  };
}

/** @param torn documents and checkpoint are written one after the other, as where a store has no transaction */
export function callStore(store: DurableStore, call: Call, torn: boolean): ReadStore {
  const called = new Proxy(store as ReadStore, {
    get: (target, method: keyof ReadStore) => {
      const inner = target[method] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => call(`${method} ${textOf(args)}`, () => inner(...args));
    },
  });
  if (!torn) return called;
  return new Proxy(called, {
    get: (target, method: keyof ReadStore) => {
      if (method !== 'commit') return target[method];
      return async (commits: Parameters<ReadStore['commit']>[0]) => {
        await call('commit: documents', () => store.writeDocuments(commits));
        await target.commit(commits);
      };
    },
  });
}

function textOf(args: readonly unknown[]): string {
  return args.map((arg) => (typeof arg === 'string' || Array.isArray(arg) ? shown(arg) : '')).join(' ');
}
const shown = (arg: string | unknown[]): string =>
  typeof arg === 'string' ? arg : arg.map((one) => (typeof one === 'object' ? commitText(one) : one)).join();
const commitText = (one: any): string => `${one.projection}/${one.build}@${one.checkpoint}`;
