import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { findClub } from '../../../src/sources/football-data/club-names.ts';
import { launch, reportOf, startServer } from '../../server/cli/launching.ts';

/** The folder with real data files; the tests that need it skip without it. */
const named = process.env['LEDGERLINE_DATA'];
export const data = (...path: string[]): string => join(named!, ...path);

/** A suite that runs where LEDGERLINE_DATA names a folder; its name says why it does not. */
export const describeWithData = (name: string, suite: () => void): void => {
  if (named) describe(name, suite);
  else describe.skip(`${name} (skipped: LEDGERLINE_DATA names no folder of real data)`, suite);
};

const filesOf = (folder: string, ...patterns: RegExp[]): string[] =>
  patterns.flatMap((pattern) =>
    existsSync(data(folder))
      ? readdirSync(data(folder))
          .filter((name) => pattern.test(name))
          .sort()
          .map((name) => data(folder, name))
      : [],
  );

export interface Source {
  readonly source: string;
  readonly files: readonly string[];
}

/** Of the files of decades, one in so many is read, another one each day. FILES_EVERY=1, and CASES=1, read all. */
const FILES_EVERY = Number(process.env['FILES_EVERY'] ?? (Number(process.env['CASES'] ?? 0) >= 1 ? 1 : 3));
const TODAY = Math.floor(Date.now() / 86_400_000);
export const ofToday = (files: readonly string[]): readonly string[] =>
  files.filter((_, index) => (index + TODAY) % FILES_EVERY === 0);

/** The files of results, prices and splits, in an order in which every source finds what it needs. */
export const resultFiles = (): readonly Source[] => [
  { source: 'nflverse', files: filesOf('nfl', /^nflverse_schedules.*\.csv/) },
  {
    source: 'football-data',
    files: ofToday(filesOf('soccer', /^football_data_.*\.csv/, /^gutormin_/, /^mls_/, /^ucl/)),
  },
  { source: 'tennis-data', files: ofToday(filesOf('tennis', /^td_(atp|wta)_/)) },
  { source: 'action-network', files: filesOf('ncaaf', /^action_scoreboard/).concat(gameLineFiles()) },
];
export const gameLineFiles = (): string[] => filesOf('nfl', /^action_game_lines_/);

/** The name that a club has on the server, whatever a file of football-data calls it. */
export const clubName = (league: string, name: string): string => findClub({ slug: league }, name)?.name ?? name;

/** What a plain Python script counts or reads. */
export function python(script: string, ...args: string[]): unknown {
  const file = fileURLToPath(new URL(`./counting/${script}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync('python3', [file, ...args], { maxBuffer: 1 << 30, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The greatest memory that a process has had, in MiB; undefined where the system does not tell. */
export function peakMemory(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1024);
  } catch {
    return undefined;
  }
}

export interface Imported {
  readonly source: string;
  readonly files: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly peakMiB: number | undefined;
  readonly report: Record<string, any>;
}

/** Runs the import of one source's files to its end. */
export async function importAll(folder: string, { source, files }: Source, ...more: string[]): Promise<Imported> {
  const begun = performance.now();
  const { child, ended } = launch(['import', source, '--data-dir', folder, ...more, ...files]);
  child.stdin.end();
  let peakMiB: number | undefined;
  const watch = setInterval(() => {
    peakMiB = peakMemory(child.pid) ?? peakMiB;
  }, 100);
  const end = await ended;
  clearInterval(watch);
  if (end.code !== 0) throw new Error(`import ${source} ended with ${end.code}: ${end.stderr}`);
  const report = reportOf(end) as Record<string, any>;
  const seconds = (performance.now() - begun) / 1000;
  return {
    source,
    files: files.length,
    seconds: Math.round(seconds * 10) / 10,
    perSecond: Math.round(report['received'] / seconds),
    peakMiB,
    report,
  };
}

export type Ask = (path: string, query?: Record<string, string | number | boolean | undefined>) => Promise<any>;

/** A server on a folder with a key of its own. `ask` gives the answer of the API, and throws on any other than 200. */
export async function serve(folder: string, env: Record<string, string> = {}) {
  const key = `llk_RealDataTest.${'k'.repeat(43)}`;
  const server = await startServer(folder, { BOOTSTRAP_KEY: key, ...env });
  const ask: Ask = async (path, query = {}) => {
    const url = new URL(path, server.url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(async (error) => {
      // A server that has died says more than the connection that it left.
      if (server.child.exitCode === null && server.child.signalCode === null) throw error;
      const { code, stderr } = await server.ended;
      throw new Error(`the server ended with ${code ?? server.child.signalCode}: ${stderr.slice(-2000)}`);
    });
    if (response.status !== 200)
      throw new Error(`${url.pathname}${url.search}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return { ...server, ask };
}

/** All pages of a list of events. */
export async function listEvents(ask: Ask, filter: Record<string, string | number | boolean>): Promise<any[]> {
  const events: any[] = [];
  let after: number | undefined;
  for (;;) {
    const page = await ask('/v1/events', { ...filter, limit: 100, after_id: after });
    events.push(...page.events);
    if (page.next_after_id === null) return events;
    after = page.next_after_id;
  }
}
