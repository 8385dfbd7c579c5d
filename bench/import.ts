import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projections } from '../projections/index.ts';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import { openInput } from '../src/server/cli/input-file.ts';
import { translated } from '../src/server/cli/translation.ts';
import { footballDataImporter } from '../src/sources/football-data/importer.ts';
import type { Benchmark } from './benchmark.ts';
import { reportOf, runLaunched } from './launched.ts';
import { startServer } from './server.ts';

const FILES = /^(football_data_|gutormin_|mls_|ucl).*\.csv/;
const LOOK_EVERY_MS = 20;

/** What the files hold, from reading them alone. */
interface Contents {
  readonly messages: number;
  readonly prices: number;
  readonly events: number;
  /** Bookmakers of each event, all events together. */
  readonly books: number;
  readonly seconds: number;
}

/** A price is one outcome of an accepted message. The clock stops when the documents of all of them can be read. */
export const importing: Benchmark = {
  name: 'import',
  summary: "real odds, from football-data's files to readable documents (needs LEDGERLINE_DATA)",
  async run({ folder, data, say }) {
    const soccer = data === undefined ? undefined : join(data, 'soccer');
    if (soccer === undefined || !existsSync(soccer)) {
      say('skipped: LEDGERLINE_DATA names no folder with soccer/');
      return [];
    }
    const files = readdirSync(soccer)
      .filter((name) => FILES.test(name))
      .sort()
      .map((name) => join(soccer, name));
    say('reading the files alone');
    const contents = await readAlone(files);
    const floor = { what: 'files read and translated, one thread', value: contents.prices / contents.seconds };
    say(`importing ${contents.messages} messages with ${contents.prices} prices into an empty folder`);
    const alone = await intoEmpty(join(folder, 'alone'), files, contents);
    say('the same into a running server');
    const served = await intoServer(join(folder, 'served'), files, contents);
    return [
      {
        what: 'import into an empty folder',
        value: contents.prices / alone,
        unit: 'prices/s',
        floor,
        goal: { of: 'value', bound: 'at least', number: 20_000 },
      },
      { what: 'import into a running server', value: contents.prices / served, unit: 'prices/s', floor },
    ];
  },
};

async function readAlone(files: readonly string[]): Promise<Contents> {
  const begun = performance.now();
  const texts: Uint8Array[] = [];
  for (const path of files) {
    for await (const piece of translated(footballDataImporter, openInput(path, path), { now: Date.now() }, () => {}))
      texts.push(piece);
  }
  const seconds = (performance.now() - begun) / 1000;
  const events = new Set<string>();
  const books = new Set<string>();
  let messages = 0;
  let prices = 0;
  for (const line of Buffer.concat(texts).toString().trimEnd().split('\n')) {
    const message = JSON.parse(line) as { kind: string; ref: string; bookmaker: string; markets: { outcomes: [] }[] };
    messages++;
    events.add(message.ref);
    if (message.kind !== 'odds') continue;
    books.add(`${message.ref} ${message.bookmaker}`);
    for (const { outcomes } of message.markets) prices += outcomes.length;
  }
  return { messages, prices, events: events.size, books: books.size, seconds };
}

async function runImport(folder: string, files: readonly string[], { messages }: Contents): Promise<void> {
  const { output } = await runLaunched('import', ['football-data', ...files], { folder });
  const { accepted } = reportOf(output);
  if (accepted !== messages) throw new Error(`${accepted} of ${messages} messages were accepted`);
}

async function intoEmpty(folder: string, files: readonly string[], contents: Contents): Promise<number> {
  const begun = performance.now();
  await runImport(folder, files, contents);
  await untilProjected(folder);
  const seconds = (performance.now() - begun) / 1000;
  await checkDocuments(folder, contents);
  return seconds;
}

async function intoServer(folder: string, files: readonly string[], contents: Contents): Promise<number> {
  const server = await startServer({ folder });
  try {
    const begun = performance.now();
    await runImport(folder, files, contents);
    const answer = await untilServed(server.port, server.key);
    const seconds = (performance.now() - begun) / 1000;
    if (answer.status !== 'ok') throw new Error(`the server's health: ${JSON.stringify(answer)}`);
    await checkDocuments(folder, contents);
    return seconds;
  } finally {
    await server.stop();
  }
}

async function untilServed(port: number, key: string): Promise<any> {
  const headers = { authorization: `Bearer ${key}` };
  for (;;) {
    const health = (await (await fetch(`http://127.0.0.1:${port}/v1/health`, { headers })).json()) as any;
    if (health.status !== 'ok') return health;
    if (health.projections.every(({ position }: { position: string }) => position === health.log.position))
      return health;
    await sleep(LOOK_EVERY_MS);
  }
}

/** The command projects before it ends; anything else is an error, and would be waited for here for ever. */
async function untilProjected(folder: string): Promise<void> {
  const database = openSqliteDatabase({ file: databaseFile(folder) });
  const [head] = database.prepare('SELECT max(position) FROM records').raw().get() as [number];
  const places = database.prepare('SELECT projection, checkpoint FROM projection_builds WHERE active').raw().all();
  database.close();
  const behind = (places as [string, number][]).filter(([, checkpoint]) => checkpoint !== head);
  if (places.length !== projections.length || behind.length > 0) {
    throw new Error(`not all is projected to ${head}: ${JSON.stringify(places)}`);
  }
}

async function checkDocuments(folder: string, { events, books }: Contents): Promise<void> {
  const store = openSqliteStore({ file: databaseFile(folder) });
  const expected = { events, odds: events, 'odds-movements': books };
  for (const [name, count] of Object.entries(expected)) {
    const build = (await store.activeGeneration(name))!;
    let found = 0;
    for (let after: string | null = null; ; ) {
      const page = await store.scan(name, build, after, 2000);
      found += page.length;
      if (page.length < 2000) break;
      after = page.at(-1)!.key;
    }
    if (found !== count) throw new Error(`${found} documents of ${name}, not ${count}`);
  }
  await store.close();
}
