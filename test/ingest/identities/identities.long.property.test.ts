import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { IdentityConflict } from '../../../src/ingest/identities/identities.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { claim, type IdentitiesWorld, ofName, ofRef, waiting } from './identities-kit.ts';
import { farWorld, memoryWorld, sqliteWorld } from './worlds.ts';

const folder = temporaryFolder();
let files = 0;

type Ids = ReadonlySet<number>;

/** What one process has in hand: `seen` as durable when it first looked, and what it has staged. */
class Batch {
  readonly seen = new Map<string, Ids>();
  readonly staged = new Map<string, Ids>();
  readonly parked = new Map<string, { key: string; isAgain: boolean }>();
  /** Messages that it has taken, and those of them, or parked again, that it has marked among what is durable. */
  readonly taken = new Set<string>();
  readonly marked = new Set<string>();
  /** Parked again and flushed: until it confirms, they stand under their old keys too. */
  readonly wide = new Map<string, string>();
}

interface Row {
  readonly key: string;
  readonly keys: ReadonlySet<string>;
  readonly owner?: Who;
  readonly until?: number;
}

/** What refs and names stand for, and what waits. A ref stands for one id at most. No caches, no rows. */
class Model {
  time = 0;
  readonly given = new Set<number>();
  readonly durable = new Map<string, Ids>();
  readonly waiting = new Map<string, Row>();
  readonly batches: [Batch, Batch] = [new Batch(), new Batch()];

  find(who: Who, key: string): Ids {
    const { seen, staged } = this.batches[who];
    const own = staged.get(key);
    if (own && isRef(key)) return own;
    if (!seen.has(key)) seen.set(key, this.durable.get(key) ?? NONE);
    return new Set([...seen.get(key)!, ...(own ?? NONE)]);
  }

  /** Whether what this key stands for is not what the batch rests on. */
  isChanged(who: Who, key: string): boolean {
    const { seen, staged } = this.batches[who];
    const now = [...(this.durable.get(key) ?? NONE)];
    const [then, own] = [seen.get(key) ?? NONE, staged.get(key)];
    if (own && now.length === own.size && now.every((id) => own.has(id))) return false;
    if (isRef(key)) return now[0] !== [...then][0];
    const added = now.filter((id) => !then.has(id));
    if (added.length === 0) return false;
    return !(own && [...own].every((id) => now.includes(id)) && added.every((id) => own.has(id)));
  }

  refuses(who: Who): boolean {
    const { seen, staged, parked, marked } = this.batches[who];
    if ([...staged.keys()].some((key) => this.isChanged(who, key))) return true;
    for (const [message, { key, isAgain }] of parked) {
      if (seen.has(key) && this.isChanged(who, key)) return true;
      const row = this.waiting.get(message);
      const isLost = !row || (row.owner !== undefined && row.owner !== who);
      if (isAgain && marked.has(message) && isLost) return true;
    }
    return false;
  }

  flush(who: Who): void {
    const { seen, staged, parked, wide } = this.batches[who];
    for (const [key, ids] of staged) {
      this.durable.set(key, isRef(key) ? ids : new Set([...(this.durable.get(key) ?? NONE), ...ids]));
    }
    for (const [message, { key, isAgain }] of parked) {
      const before = this.waiting.get(message);
      if (before && !isAgain) continue;
      this.waiting.set(message, { key, keys: new Set([...(before?.keys ?? []), key]) });
      if (before) wide.set(message, key);
    }
    for (const map of [seen, staged, parked]) map.clear();
  }

  numbers() {
    const numbers = new Map<string, number>();
    for (const { key } of this.waiting.values()) numbers.set(waitsFor(key), (numbers.get(waitsFor(key)) ?? 0) + 1);
    return [...numbers].sort().map(([text, number]) => ({ source: 'a', waitsFor: text, accepted: false, number }));
  }

  release(who: Who): void {
    const { marked } = this.batches[who];
    for (const message of marked) {
      const row = this.waiting.get(message);
      if (row?.owner === who) this.waiting.set(message, { key: row.key, keys: row.keys });
    }
    marked.clear();
  }

  narrow(who: Who): void {
    const { wide } = this.batches[who];
    for (const [message, key] of wide) {
      const row = this.waiting.get(message);
      if (row?.key === key && row.owner === undefined) this.waiting.set(message, { key, keys: new Set([key]) });
    }
    wide.clear();
  }
}

const waitsFor = (key: string) => (isRef(key) ? 'an event by its ref' : 'a team of nfl by name');
const NONE: Ids = new Set();
const isRef = (key: string) => key.startsWith('ref');
const keyText = (key: string) => (isRef(key) ? ofRef(key) : ofName(key));
const LEASE = 5;

type Who = 0 | 1;
type Real = readonly [Identities, Identities];
type Command = fc.AsyncCommand<Model, Real>;
const command = (
  told: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({ check, run, toString: () => told });

const allocate = (who: Who, count: number) =>
  command(`${who} allocates ${count}`, async (model, real) => {
    for (const id of await real[who].allocate('event', count)) {
      expect(model.given).not.toContain(id);
      model.given.add(id);
    }
  });

const find = (who: Who, key: string) =>
  command(`${who} looks at ${key}`, async (model, real) => {
    const found = isRef(key)
      ? await real[who].findEvent('a', key).then((bound) => (bound ? [bound.id] : []))
      : await real[who].findByName('team', 'nfl', key);
    expect(new Set(found)).toEqual(model.find(who, key));
  });

const name = (who: Who, key: string, id: number) =>
  command(`${who} says that ${key} is ${id}`, async (model, real) => {
    const { staged } = model.batches[who];
    if (isRef(key)) {
      await real[who].bindEvent('a', key, { id, swapped: false });
      staged.set(key, new Set([id]));
      return;
    }
    const isNew = !model.find(who, key).has(id);
    expect(await real[who].addName('team', 'nfl', key, id)).toBe(isNew);
    if (isNew) staged.set(key, new Set([...(staged.get(key) ?? NONE), id]));
  });

const park = (who: Who, message: string, key: string) =>
  command(
    `${who} parks ${message} for ${key}`,
    async (model, real) => {
      const { parked, taken } = model.batches[who];
      await real[who].quarantine(waiting(message, [keyText(key)]));
      parked.set(message, { key, isAgain: taken.delete(message) });
    },
    // As an intake does: only what does not wait, or what it has taken.
    (model) => {
      const { parked, taken } = model.batches[who];
      return taken.has(message) || (!model.waiting.has(message) && !parked.has(message));
    },
  );

const take = (who: Who, key: string) =>
  command(`${who} takes what waits for ${key}`, async (model, real) => {
    const { parked, taken, marked } = model.batches[who];
    const until = model.time + LEASE;
    const expected = new Set<string>();
    for (const [message, row] of model.waiting) {
      const isFree = row.owner === undefined || row.owner === who || row.until! <= model.time;
      if (!row.keys.has(key) || !isFree) continue;
      model.waiting.set(message, { ...row, owner: who, until });
      marked.add(message);
      if (!taken.has(message) && !parked.has(message)) expected.add(message);
    }
    for (const [message, own] of parked) if (own.key === key) expected.add(message);
    const taking = { owner: `process ${who}`, now: model.time, until };
    const found = await claim(real[who], keyText(key), taking);
    expect(new Set(found.map(({ fingerprint }) => fingerprint))).toEqual(expected);
    for (const message of expected) {
      parked.delete(message);
      taken.add(message);
    }
  });

const flush = (who: Who) =>
  command(`${who} flushes`, async (model, real) => {
    if (!model.refuses(who)) {
      await real[who].flush();
      model.flush(who);
      return;
    }
    await expect(real[who].flush()).rejects.toThrow(IdentityConflict);
    await real[who].reset();
    model.release(who);
    model.batches[who] = new Batch();
  });

const confirm = (who: Who) =>
  command(
    `${who} confirms`,
    async (model, real) => {
      const { taken } = model.batches[who];
      await real[who].confirmClaimed();
      for (const message of taken) {
        const isOwn = model.batches[who].marked.has(message) && model.waiting.get(message)?.owner === who;
        if (isOwn) model.waiting.delete(message);
      }
      taken.clear();
      model.release(who);
      model.narrow(who);
    },
    (model) => model.batches[who].parked.size === 0,
  );

const reset = (who: Who) =>
  command(`${who} forgets`, async (model, real) => {
    await real[who].reset();
    model.release(who);
    model.batches[who] = new Batch();
  });

const pass = (time: number) =>
  command(`${time} go by`, async (model) => {
    model.time += time;
  });

const who = fc.constantFrom<Who>(0, 1);
const key = fc.constantFrom('ref1', 'ref2', 'name1', 'name2');
const message = fc.constantFrom('m1', 'm2', 'm3');
const commands = fc.commands(
  [
    fc.tuple(who, fc.integer({ min: 1, max: 30 })).map((args) => allocate(...args)),
    fc.tuple(who, key).map((args) => find(...args)),
    fc.tuple(who, key, fc.integer({ min: 1, max: 3 })).map((args) => name(...args)),
    fc.tuple(who, message, key).map((args) => park(...args)),
    fc.tuple(who, key).map((args) => take(...args)),
    who.map(flush),
    who.map(flush),
    who.map(confirm),
    who.map(reset),
    fc.integer({ min: 1, max: 6 }).map(pass),
  ],
  { maxCommands: 60 },
);

it.each<[string, () => Promise<IdentitiesWorld>, number]>([
  ['in memory', memoryWorld, 500],
  ['far away', farWorld(memoryWorld), 60],
  ['in SQLite', sqliteWorld(() => folder.path(`${files++}.db`)), 20],
])('two instances %s do what a simple model of them does', async (_, begin, numRuns) => {
  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      const world = await begin();
      const real: Real = [await world.open(), await world.open()];
      const model = new Model();
      try {
        await fc.asyncModelRun(() => ({ model, real }), all);
        const durable = await world.open();
        for (const one of ['ref1', 'ref2', 'name1', 'name2']) {
          const found = isRef(one)
            ? await durable.findEvent('a', one).then((bound) => (bound ? [bound.id] : []))
            : await durable.findByName('team', 'nfl', one);
          expect(new Set(found)).toEqual(model.durable.get(one) ?? NONE);
        }
        const listed = (await durable.listQuarantined(10)).map(({ fingerprint, keys }) => [fingerprint, ...keys]);
        const expected = [...model.waiting].map(([waits, row]) => [waits, keyText(row.key)]);
        expect(listed.sort()).toEqual(expected.sort());
        const numbers = [...(await durable.countQuarantined())].sort((a, b) => (a.waitsFor < b.waitsFor ? -1 : 1));
        expect(numbers).toEqual(model.numbers());
        const keys = new Set([...model.waiting.values()].flatMap((row) => [...row.keys].map(keyText)));
        expect(await durable.listQuarantineKeys(null, 100)).toEqual([...keys].sort());
      } finally {
        await world.close();
      }
    }),
    { numRuns },
  );
});
