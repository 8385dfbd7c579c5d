import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SECOND } from '../../../src/domain/primitives/time.ts';
import type { Afternoon, Moment, PlayedGame } from './afternoon.ts';
import { type AfternoonLeague, PLACES } from './generated-afternoons.ts';

/** Answers of ESPN as they were recorded, played as they went. They are no part of the project. */
const folder = process.env['LEDGERLINE_DATA'];

/** Empty where LEDGERLINE_DATA names no folder of recorded answers. */
export function recordedAfternoons(): readonly (readonly [string, Afternoon])[] {
  if (folder === undefined) return [];
  const read = (name: string): any => {
    const file = join(folder, 'espn', name);
    return existsSync(file) ? JSON.parse(gunzipSync(readFileSync(file)).toString()) : undefined;
  };
  const boards = [
    ['nfl', 'nfl_scoreboard_20241215.json.gz'],
    ['nba', 'nba_scoreboard_20241215.json.gz'],
    ['mlb', 'mlb_scoreboard_20250604.json.gz'],
    ['epl', 'soccer_eng1_scoreboard.json.gz'],
  ] as const;
  const summaries = [
    ['nba', 'basketball_nba_game_summary_401772994.json.gz'],
    ['nfl', 'football_nfl_game_summary_401547417.json.gz'],
  ] as const;
  const found: (readonly [string, Afternoon])[] = [];
  for (const [league, name] of boards) {
    const games = (read(name)?.events ?? []).filter(isFinal).slice(0, 3);
    const played = games.map((event: any) => gameOf(event, momentsOfLines(league, event)));
    if (played.length > 0) found.push([`the scoreboard ${name}`, { league, place: PLACES[league], games: played }]);
  }
  for (const [league, name] of summaries) {
    const summary = read(name);
    if (!summary) continue;
    const [competition] = summary.header.competitions;
    const { id, season } = summary.header;
    const event = { id, season, date: competition.date, competitions: [competition] };
    const games = [gameOf(event, momentsOfPlays(summary))];
    found.push([`the plays of ${name}`, { league, place: PLACES[league], games }]);
  }
  return found;
}

const isFinal = (event: any): boolean => event.competitions[0].status.type.completed === true;

function gameOf(event: any, moments: readonly Moment[]): PlayedGame {
  const startsAt = Date.parse(event.date);
  const scheduled: Moment = { at: 0, name: 'SCHEDULED', state: 'pre', period: 0, clock: '0:00', home: 0, away: 0 };
  return { event, id: String(event.id), startsAt, moments: [scheduled, ...withCorrections(moments)] };
}

/** A point in the middle that is taken back 75 s later, and a result that is corrected after three minutes. */
function withCorrections(moments: readonly Moment[]): Moment[] {
  const from = moments[Math.floor(moments.length / 2)]!.at;
  const to = from + 75 * SECOND;
  const played = moments.map((moment, index) => {
    if (moment.at >= from && moment.at < to) return { ...moment, home: moment.home + 1 };
    const before = moments[index - 1];
    const isTakenBack = before !== undefined && before.at < to && moment.at >= to;
    return isTakenBack && progressOf(before) === progressOf(moment)
      ? { ...moment, isUnordered: true as const }
      : moment;
  });
  const result = played.at(-1)!;
  return [...played.slice(0, -1), { ...result, away: result.away + 1 }, { ...result, at: result.at + 180 * SECOND }];
}

const progressOf = ({ period, clock, detail, outs }: Moment): string => [period, clock, detail, outs].join(' ');

const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The plays with their own clocks and times on the wall. */
function momentsOfPlays(summary: any): Moment[] {
  const ofDrives = (summary.drives?.previous ?? []).flatMap((drive: any) => drive.plays);
  const plays: any[] = ofDrives.length > 0 ? ofDrives : summary.plays;
  let at = 0;
  const moments = plays.map((play): Moment => {
    at = Math.max(at, Date.parse(play.wallclock) || 0);
    const { number: period } = play.period;
    const points = { home: play.homeScore, away: play.awayScore };
    return { at, name: 'IN_PROGRESS', state: 'in', period, clock: play.clock.displayValue, ...points };
  });
  const last = moments.at(-1)!;
  return [...moments, { ...last, at: last.at + 30 * SECOND, name: 'FINAL', state: 'post', clock: '0:00' }];
}

const LENGTHS: Readonly<Record<AfternoonLeague, number>> = { nfl: 900, nba: 720, nhl: 1200, mlb: 360, epl: 2820 };
const MOST_POINTS: Readonly<Record<AfternoonLeague, number>> = { nfl: 7, nba: 3, nhl: 1, mlb: 2, epl: 1 };
const STEP = 5;

/** The points of each period, one after the other; soccer's goals by their minutes. */
function momentsOfLines(league: AfternoonLeague, event: any): Moment[] {
  const [competition] = event.competitions;
  const sides = ['home', 'away'].map((role) => competition.competitors.find((one: any) => one.homeAway === role));
  const goals = (competition.details ?? []).filter((one: any) => one.scoringPlay);
  const lines = sides.map((side): number[] =>
    league === 'epl'
      ? [0, 1].map(
          (half) => goals.filter((g: any) => g.team.id === side.id && g.clock.value > 2700 === half > 0).length,
        )
      : (side.linescores ?? []).map(({ value }: any) => value),
  );
  const [length, most] = [LENGTHS[league], MOST_POINTS[league]];
  const moments: Moment[] = [];
  const points = [0, 0];
  let at = Date.parse(event.date);
  const periods = Math.max(...lines.map((line) => line.length));
  for (let period = 1; period <= periods; period++) {
    const due = lines.map((line) => line[period - 1] ?? 0);
    for (let played = 0; played <= length; played += STEP) {
      const isTop = played < length / 2;
      for (const [index, whole] of due.entries()) {
        const isBatting = league !== 'mlb' || (index === 1) === isTop;
        const share = league === 'mlb' ? (2 * played - (isTop ? 0 : length)) / length : played / length;
        const told = points[index]! - lines[index]!.slice(0, period - 1).reduce((sum, one) => sum + one, 0);
        const step = Math.min(most, whole - told);
        // Not both sides at once, and the last points before the end.
        const isDue = isBatting && step > 0 && whole * share >= told + step * 0.6 && (played / STEP) % 2 === index;
        if (isDue || (played >= length - 2 * STEP && step > 0 && league !== 'mlb')) points[index]! += step;
        if (league === 'mlb' && step > 0 && played === (index === 1 ? length / 2 - STEP : length))
          points[index]! = points[index]! + whole - told;
      }
      const outs = Math.min(2, Math.floor((3 * (played % (length / 2))) / (length / 2)));
      const shown = {
        mlb: { name: 'IN_PROGRESS', clock: '0:00', detail: `${isTop ? 'Top' : 'Bottom'} ${period}`, outs },
        epl: { name: period === 1 ? 'FIRST_HALF' : 'SECOND_HALF', clock: minuteOf(period, played) },
      }[league as string] ?? { name: 'IN_PROGRESS', clock: clockOf(length - played) };
      moments.push({ at, state: 'in', period, ...shown, home: points[0]!, away: points[1]! });
      at += STEP * SECOND;
    }
    at += 60 * SECOND;
  }
  const name = league === 'epl' ? 'FULL_TIME' : 'FINAL';
  const [home, away] = sides.map(({ score }) => Number(score));
  return [...moments, { ...moments.at(-1)!, at, name, state: 'post', home: home!, away: away! }];
}

function minuteOf(period: number, played: number): string {
  const [from, minute] = [45 * (period - 1), 1 + Math.floor(played / 60)];
  return minute <= 45 ? `${from + minute}'` : `${from + 45}'+${minute - 45}'`;
}
