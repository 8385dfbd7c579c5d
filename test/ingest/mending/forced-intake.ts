import { StreamReplacements } from '../../../src/domain/identities/stream-replacements.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { EntityKind, Identities } from '../../../src/ingest/identities/identities.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import type { Message } from '../feed-messages.ts';

/** An intake to which messages are told one by one, and which may be told which event each one means. */
export interface ForcedIntake {
  readonly log: EventLog;
  readonly intake: FeedIntake;
  readonly identities: SqlIdentities;
  /**
   * @param meant the event that the message means, whatever its ref, sides and start say; it need not be there yet
   * @returns the outcome
   */
  tell(message: Message, meant?: MeantEvent): Promise<string>;
  /** The intake of another process on the same log and identities, which has heard of no act yet. */
  openAnother(): Promise<FeedIntake>;
  /** As after the death of the process: another one opens what it has left. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export interface MeantEvent {
  readonly id: number;
  /** The message has the sides in the opposite order; counts only if the message does not name them. */
  readonly swapped: boolean;
}

/** What sources call entries that are one, or two: each entry goes by one of its refs. */
export interface OneEntry {
  readonly refOf: (kind: string, source: string, ref: string) => EntryRef;
  /** The entry that is meant by its normalised name alone; a text for one that no ref means. */
  readonly meantBy: (kind: string, name: string) => EntryRef | string | undefined;
  /** Whether a message means an entry by this normalised name alone. */
  readonly isAlone: (message: Message, name: string) => boolean;
  /** Gets the entries that no ref means, by their texts. */
  readonly unreferenced: Map<string, number>;
}
export type EntryRef = readonly [source: string, ref: string];

/**
 * @param now milliseconds
 * @param one which entries are one from the start
 */
export async function openForcedIntake(now: () => number, one?: OneEntry): Promise<ForcedIntake> {
  const log = createMemoryLog({ now });
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const identities = await SqlIdentities.open(registry);
  let meant: MeantEvent | undefined;
  let told: Message = {};
  const knowing = new Proxy<Identities>(identities, {
    get(target, name) {
      if (meant !== undefined && name === 'findEvent') {
        const forced = meant;
        return async (source: string, ref: string) =>
          source === told['source'] && ref === told['ref'] ? forced : target.findEvent(source, ref);
      }
      if (meant !== undefined && name === 'findFixtures') {
        const { id } = meant;
        const { starts_at: startsAt } = (told['match'] ?? {}) as { starts_at?: string };
        return async () => (startsAt === undefined ? [] : [{ id, startsAt: Date.parse(startsAt), sides: ['', ''] }]);
      }
      if (one && name === 'findByName') {
        return async (kind: EntityKind, scope: string, called: string) => {
          const meant = one.meantBy(kind, called);
          if (meant === undefined) return [];
          const isByRef = typeof meant !== 'string';
          const id = isByRef ? await target.findEntity(kind, scope, ...meant) : one.unreferenced.get(meant);
          return id === undefined ? [] : [id];
        };
      }
      if (one && name === 'addName') {
        return async (kind: EntityKind, _: string, called: string, id: number) => {
          const meant = one.meantBy(kind, called);
          if (typeof meant === 'string' && one.isAlone(told, called) && !one.unreferenced.has(meant))
            one.unreferenced.set(meant, id);
          return true;
        };
      }
      // Nobody joins an entry by its name.
      if (one && name === 'hasRefOf') return async () => true;
      if (one && (name === 'findEntity' || name === 'bindEntity')) {
        return (kind: string, scope: string, source: string, ref: string, ...rest: unknown[]) =>
          (target as any)[name](kind, scope, ...one.refOf(kind, source, ref), ...rest);
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const open = () => new FeedIntake({ log, identities: knowing, now, pause: async () => {}, random: () => 0 });
  let intake = open();
  return {
    log,
    get intake() {
      return intake;
    },
    identities,
    async openAnother() {
      const own = { ...log, replacements: new StreamReplacements() };
      const options = { log: own, identities: await SqlIdentities.open(registry), now, owner: 'another' };
      return new FeedIntake({ ...options, pause: async () => {}, random: () => 0 });
    },
    async reopen() {
      await identities.reset();
      intake = open();
      await intake.finishMove();
      await intake.retryQuarantined();
    },
    async tell(message, event) {
      [told, meant] = [message, event];
      const { outcomes } = await intake.accept([{ line: 1, value: message }]);
      return outcomes[0]!.status;
    },
    async close() {
      await log.close();
      await registry.destroy();
    },
  };
}

/** Tells one message to a process that dies at one of its appends. */
export async function tellAndDie(world: ForcedIntake, message: Message, at: number): Promise<void> {
  const { appendAll } = world.log;
  let left = at;
  Object.assign(world.log, {
    appendAll: (appends: Parameters<typeof appendAll>[0]) =>
      left-- === 0 ? Promise.reject(new Error('the process died')) : appendAll(appends),
  });
  await world.intake.accept([{ line: 1, value: message }]).catch(() => {});
  Object.assign(world.log, { appendAll });
  await world.reopen();
}
