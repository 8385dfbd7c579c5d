import { SECOND } from '../../../src/domain/primitives/time.ts';
import type { LoggedRequest } from '../../sources/simulated-provider/simulated-provider.ts';
import type { Name } from './live-world.ts';

/** What a busy machine may put between two requests, or take from it. */
const SLACK = 500;

/** How long it is at least until what succeeded is asked again, in seconds at pace 1, where a league plays. */
const INTERVALS: readonly (readonly [Name, RegExp, number])[] = [
  ['espn', /scoreboard$/, 15],
  ['espn', /summary$/, 30],
  ['espn', /injuries$/, 600],
  ['espn', /(teams|roster)$/, 86_400],
  ['the-odds-api', /\/odds$/, 60],
  ['the-odds-api', /\/events$/, 600],
  ['the-odds-api', /\/sports$/, 21_600],
  ['action-network', /./, 600],
];

export type Logs = Readonly<Record<Name, readonly LoggedRequest[]>>;

/** URLs that were asked too often between two starts; the first round after each is free. */
export function tooOften(logs: Logs, lives: readonly Readonly<Record<Name, number>>[], pace: number): string[] {
  const found: string[] = [];
  for (const [index, life] of lives.entries()) {
    for (const [name, path, interval] of INTERVALS) {
      const asked = new Map<string, LoggedRequest[]>();
      for (const one of logs[name].slice(life[name], lives[index + 1]?.[name])) {
        // What fails is asked again sooner.
        if (!path.test(one.path) || ![200, 304].includes(one.status ?? 0) || isBroken(one)) continue;
        const url = `${one.path} ${JSON.stringify(one.query)}`;
        asked.set(url, [...(asked.get(url) ?? []), one]);
      }
      for (const [url, requests] of asked) {
        const took = requests.at(-1)!.at - requests[0]!.at + SLACK;
        // The summary of a game that is over is asked for at its end and ten minutes later, whenever it was asked before.
        const more = url.includes('/summary ') ? 2 : 0;
        const most = 1 + more + Math.floor(took / ((interval * SECOND * 0.9) / pace));
        if (requests.length > most) found.push(`life ${index}: ${url} ${requests.length} times in ${took} ms`);
      }
    }
  }
  return found;
}
const isBroken = ({ fault }: LoggedRequest): boolean => fault === 'truncated' || fault === 'text';
