import { commandText } from '../../platform/command-text.ts';
import type { DemoRun } from '../../sources/demo/demo-day.ts';

/** The line about polled feeds. */
export const feedsText = (names: readonly string[]): string =>
  `live feeds: ${names.join(', ')}; GET /v1/health tells how they are`;

/** The line about the folder's contents. @param events number of sports events. @param head position of the last record */
export function contentsText(folder: string, events: number, head: bigint | null): string {
  if (head === null) return `data folder ${folder}: empty`;
  return `data folder ${folder}: ${events} sports events, log position ${head}`;
}

/** For a folder without an owner. */
export const setupText = (baseUrl: string, code: string): string =>
  `setup: ${baseUrl}/setup makes you the owner; from another machine, or through a proxy, with the code ${code}`;

export const moreKeysText = (): string => `another API key: ${commandText('keys create --name NAME')}`;

const curlOf = (baseUrl: string, key: string) => (path: string) =>
  `  curl -H 'Authorization: Bearer ${key}' '${baseUrl}${path}'`;

/** @param key undefined if it was revoked */
export function demoText({ seed, speed }: DemoRun, key: string | undefined, page: string | undefined): string {
  return [
    '',
    `SIMULATED: the demo invents every team, player, game and price (seed ${seed}, ${speed} times as fast as the clock).`,
    'FEEDS=none starts without it; FEEDS=espn polls real sport instead, without a key (docs/live-feeds.md).',
    ...(page === undefined ? [] : [`live page: ${page}`]),
    key === undefined ? `the demo key was revoked; ${moreKeysText()}` : `demo key:  ${key}`,
  ].join('\n');
}

/** @param early a time during the game, ISO 8601 */
export function demoRequestsText(baseUrl: string, key: string, eventId: number, early: string): string {
  const curl = curlOf(baseUrl, key);
  return [
    '',
    'Three requests to try: what is played now, one game at every bookmaker, and its score as it was earlier:',
    curl('/v1/events?status=inprogress&include_scores=true'),
    curl(`/v1/events/${eventId}/odds?bookmaker=all`),
    curl(`/v1/events/${eventId}/score?as_of=${early}&as_of_basis=observed`),
    '',
  ].join('\n');
}

/** For a folder without a key: a key is created and shown once. */
export function firstStepsText(baseUrl: string, key: string, empty: boolean): string {
  const curl = curlOf(baseUrl, key);
  const lines = [
    '',
    'An API key has been made, and is shown only now:',
    `  ${key}`,
    '',
    'Three requests to try:',
    curl('/v1/health'),
    curl('/v1/sports'),
    curl('/v1/events?limit=5'),
  ];
  if (empty) {
    lines.push(
      '',
      'Nothing is known of any sport yet. FEEDS=espn polls real sport; or bring in what a provider publishes, beside this server:',
      `  ${commandText('import --help')}`,
      `  ${commandText('import nflverse games.csv')}`,
    );
  }
  return lines.concat('').join('\n');
}
