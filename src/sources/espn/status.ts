import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { gameRulesOf, type PlayedIn } from '../../domain/catalogue/game-rules.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { asNumber, asRecord, asText, type JsonObject } from '../parsing/json-values.ts';
import { periodName, regulationPeriods } from '../parsing/period-names.ts';

export interface EspnStatus {
  readonly status: string;
  /** ESPN's number of the period, from 1. */
  readonly number: number | undefined;
  /** Our name of the period. */
  readonly period: string | undefined;
  /** The clock as ESPN displays it. Only some sports show it in a score. */
  readonly clock: string | undefined;
  readonly resultType: string | undefined;
}

const STATUSES: Readonly<Record<string, string>> = {
  SCHEDULED: 'scheduled',
  FINAL: 'final',
  FINAL_AET: 'final',
  FINAL_PEN: 'final',
  FINAL_OT: 'final',
  FINAL_OVERTIME: 'final',
  FINAL_AWD: 'final',
  FULL_TIME: 'final',
  RETIRED: 'final',
  WALKOVER: 'walkover',
  POSTPONED: 'postponed',
  SUSPENDED: 'suspended',
  CANCELED: 'cancelled',
  CANCELLED: 'cancelled',
  ABANDONED: 'cancelled',
  ABANDONDED: 'cancelled',
  FORFEIT: 'cancelled',
};
const LIVE =
  /^(IN_PROGRESS.*|HALFTIME.*|FIRST_HALF|SECOND_HALF|END_PERIOD|END_OF_.*|OVERTIME|EXTRA_TIME|SHOOTOUT|PENALTIES)$/;
const DELAYED = /^(RAIN_)?DELAY(ED)?$/;
/** Soccer periods by ESPN's name of the status. */
const SOCCER: Readonly<Record<string, string>> = {
  FIRST_HALF: '1H',
  HALFTIME: 'HT',
  SECOND_HALF: '2H',
  FULL_TIME: '2H',
  FINAL: '2H',
  HALFTIME_ET: 'ET1',
  END_OF_EXTRATIME: 'ET2',
  FINAL_AET: 'ET2',
  SHOOTOUT: 'PKs',
  IN_PROGRESS_PEN: 'PKs',
  FINAL_PEN: 'PKs',
};

/** ESPN's status in our terms. A postponed game has the state `post` but `completed` false, so neither member is
 *  enough. `lastPeriod` is the last one in the scores by period, for answers without a period. */
export function readStatus(
  given: JsonObject,
  game: PlayedIn,
  playoffs: boolean,
  lastPeriod: number,
  notes: ImportNotes,
): EspnStatus | undefined {
  const type = asRecord(given['type']);
  const name = (asText(type['name']) ?? '').replace(/^STATUS_/, '');
  const status = statusOf(name, type);
  if (!status) {
    notes.add('unknown_status', `The status "${name}" of a game was left out.`);
    return undefined;
  }
  const number = asNumber(given['period']) || lastPeriod || undefined;
  const over = status === 'final';
  const begun = ['inprogress', 'suspended', 'final'].includes(status);
  return {
    status,
    number,
    period: begun ? periodOf(name, asText(type['detail']) ?? '', number, game, playoffs, lastPeriod) : undefined,
    clock: begun ? asText(given['displayClock']) : undefined,
    resultType: over || status === 'walkover' ? resultType(name, type, number, game, playoffs) : undefined,
  };
}

function statusOf(name: string, type: JsonObject): string | undefined {
  const known = STATUSES[name];
  if (known) return known;
  if (LIVE.test(name)) return 'inprogress';
  const state = asText(type['state']);
  // A delay before the first play has the state `pre`; a delay during play suspends the game.
  if (DELAYED.test(name)) return state === 'in' ? 'suspended' : 'delayed';
  if (state === 'pre') return 'scheduled';
  if (state === 'in') return 'inprogress';
  return state === 'post' && type['completed'] === true ? 'final' : undefined;
}

function periodOf(
  name: string,
  detail: string,
  number: number | undefined,
  game: PlayedIn,
  playoffs: boolean,
  lastPeriod: number,
): string | undefined {
  const { unit } = gameRulesOf(game);
  if (unit === 'set') return number && (lastPeriod > 0 || LIVE.test(name)) ? `Set ${number}` : undefined;
  if (unit === 'period') {
    const stated = playsLike(game.sport) === 'soccer' ? SOCCER[name] : undefined;
    return stated ?? (number ? periodName(game, number, playoffs) : undefined);
  }
  const half = /\b(Top|Mid|Middle|Bot|Bottom|End)\b(?: of)?(?: the)? (\d+)/i.exec(detail);
  if (!half) return undefined;
  const part = half[1]!.slice(0, 3);
  return `${part[0]!.toUpperCase()}${part.slice(1).toLowerCase()} ${half[2]}`;
}

function resultType(
  name: string,
  type: JsonObject,
  number: number | undefined,
  game: PlayedIn,
  playoffs: boolean,
): string | undefined {
  if (name === 'WALKOVER') return 'walkover';
  if (name === 'RETIRED') return 'retired';
  if (gameRulesOf(game).unit !== 'period') return 'regulation';
  const detail = asText(type['detail']) ?? '';
  const last = number === undefined ? undefined : periodName(game, number, playoffs);
  if (name === 'FINAL_PEN' || last === 'SO' || last === 'PKs' || /\/SO\b|-Pens/i.test(detail)) return 'shootout';
  if (/^FINAL_(AET|OT|OVERTIME)$/.test(name) || /\/\d*OT\b|\bAET\b/i.test(detail)) return 'overtime';
  const regulation = regulationPeriods(game);
  if (number === undefined || regulation === undefined) return undefined;
  return number > regulation ? 'overtime' : 'regulation';
}
