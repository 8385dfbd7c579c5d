import { projections } from '../../../projections/index.ts';
import { createFold } from '../../../src/domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { parseGroupId } from '../../../src/ingest/identities/waiting-groups.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { replayedMessagesOf } from '../../../src/ingest/subjects/subjects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';

export type MendingServer = Awaited<ReturnType<typeof openMendingServer>>;

/** An intake on a log and a registry in memory, to which messages and acts are told. Its clock stands until it is set. */
/** @param isShared it may be one of several intakes */
export async function openMendingServer({ isShared = false }: { readonly isShared?: boolean } = {}) {
  const clock = { now: Date.parse('2026-09-11T00:00:00Z') };
  const log = createMemoryLog({ now: () => clock.now });
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const openIntake = async () => {
    const identities = await SqlIdentities.open(registry, undefined, { isSoleWriter: !isShared });
    const intake = new FeedIntake({
      log,
      identities,
      now: () => clock.now,
      pause: async () => {},
      random: () => 0,
      ...(isShared ? { owner: 'one' } : {}),
    });
    await intake.retryQuarantined();
    return { identities, intake };
  };
  let opened = await openIntake();

  const records = async (): Promise<readonly LogRecord[]> => log.readAll(null, 10_000);
  const groups = () => opened.identities.listWaitingGroups(null, 1000);
  return {
    log,
    clock,
    groups,
    records,
    /** Tells messages one after another. @returns the status of each, or the code of its rejection */
    async tell(...messages: readonly object[]): Promise<string[]> {
      const items = messages.map((value, index) => ({ line: index + 1, value }));
      const told: string[] = [];
      for (const item of items) {
        const [outcome] = (await opened.intake.accept([item])).outcomes;
        told.push(outcome!.status === 'rejected' ? outcome!.code : outcome!.status);
      }
      return told;
    },
    /** Tells messages together. */
    async tellAll(messages: readonly object[]): Promise<void> {
      await opened.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    },
    get identities() {
      return opened.identities;
    },
    get intake() {
      return opened.intake;
    },
    async reopen() {
      opened = await openIntake();
    },
    waiting: async () =>
      (await groups()).map(({ id, messages, oldest }) => ({
        ref: parseGroupId(id)!.ref,
        messages,
        code: oldest.code,
      })),
    size: async () => (await opened.identities.quarantineSize()).messages,
    typesOf: async (stream: string) => (await log.readStream(stream)).map(({ type }) => type),
    acts: async () => (await log.readStream('identity-1')).map(({ data }) => data as object),
    async document(name: string, key: number): Promise<object | undefined> {
      const fold = createFold<any>(projections.find((projection) => projection.name === name)! as Projection<any>);
      const documents = new Map<string, object>();
      for (const record of await records()) if (fold.handles(record.type)) fold.applyInto(documents, record);
      return documents.get(String(key));
    },
    async replayed(): Promise<object[]> {
      const find = async (stream: string, revision: number) =>
        (await log.readStream(stream, { fromRevision: revision }))[0] as DomainRecord | undefined;
      const messages: object[] = [];
      for (const record of await records()) messages.push(...(await replayedMessagesOf(record as DomainRecord, find)));
      return messages;
    },
    async close() {
      await registry.destroy();
      await log.close();
    },
  };
}
