import { assumedClosingTime } from '../parsing/assumed-times.ts';
import { asInteger, asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { type Player, statsOf } from './box.ts';
import { type AnswerContext, type Competition, roleOf } from './competition.ts';
import { scheduleTime } from './schedule.ts';

/** The `lineup` message of a game: the players on its rosters, and the probable starting pitcher or goaltender.
 *  Undefined if the answer has neither. */
export function lineupOf(
  competition: Competition,
  rosters: readonly JsonObject[],
  context: AnswerContext,
): JsonObject | undefined {
  const teams: Record<string, JsonObject> = {};
  for (const roster of rosters) {
    const role = sideOf(roster, competition);
    const players = asRecords(roster['roster']).flatMap(playerOf);
    if (role && players.length > 0) teams[role] = { formation: formationOf(roster['formation']), players };
  }
  const starters = competition.sides.flatMap(({ role, given }) => {
    const starter = asRecords(given['probables']).flatMap(starterOf)[0];
    return starter ? [[role, starter] as const] : [];
  });
  if (Object.keys(teams).length === 0 && starters.length === 0) return undefined;
  return {
    kind: 'lineup',
    source: 'espn',
    at: lineupTime(competition, context),
    ref: competition.ref,
    teams,
    probable_starters: starters.length > 0 ? Object.fromEntries(starters) : undefined,
  };
}

const BEFORE_THE_START = ['scheduled', 'delayed', 'postponed', 'cancelled'];

/** A lineup was known at the start, however late the answer was given. */
const lineupTime = (competition: Competition, context: AnswerContext): string =>
  context.at !== undefined || BEFORE_THE_START.includes(competition.status?.status ?? 'scheduled')
    ? scheduleTime(competition, context)
    : assumedClosingTime(competition.startsAt);

const sideOf = (roster: JsonObject, competition: Competition) =>
  roleOf(competition, asText(asRecord(roster['team'])['id']) ?? '');

/** `4-3-3`, or an object that contains it. */
const formationOf = (given: unknown): string | undefined =>
  asText(given) ?? asText(asRecord(given)['name']) ?? asText(asRecord(given)['summary']);

function starterOf(given: JsonObject): JsonObject[] {
  const athlete = asRecord(given['athlete']);
  const name = nameOf(athlete);
  return name === undefined ? [] : [{ ref: asText(athlete['id']), name }];
}

const nameOf = (athlete: JsonObject): string | undefined =>
  asText(athlete['displayName']) ?? asText(athlete['fullName']);

function playerOf(given: JsonObject): JsonObject[] {
  const athlete = asRecord(given['athlete']);
  const name = nameOf(athlete);
  if (name === undefined) return [];
  const position = asRecord(given['position'] ?? athlete['position']);
  return [
    {
      ref: asText(athlete['id']),
      name,
      position: asText(position['abbreviation']) ?? asText(position['name']),
      jersey: asText(given['jersey']) ?? asText(athlete['jersey']),
      // Players on the bench have place 0.
      formation_place: asInteger(given['formationPlace']) || undefined,
      starter: given['starter'] === true,
    },
  ];
}

/** Rows of a soccer box score: ESPN gives the players' statistics on the rosters only. */
export function rosterRows(summary: JsonObject, competition: Competition, final: boolean): Player[] {
  return asRecords(summary['rosters']).flatMap((roster) => {
    const role = sideOf(roster, competition);
    if (!role) return [];
    return asRecords(roster['roster']).flatMap((given) => {
      const athlete = asRecord(given['athlete']);
      const [ref, name] = [asText(athlete['id']), nameOf(athlete)];
      if (ref === undefined || name === undefined) return [];
      const starter = given['starter'] === true;
      if (!starter && hasComeIn(given['subbedIn']) === false) {
        // A player who has not come in yet may still do so.
        return final ? [{ ref, name, role, starter, dnp: true, stats: {} }] : [];
      }
      return [{ ref, name, role, starter, stats: statsOf(asRecords(given['stats']), 'soccer') }];
    });
  });
}

/** A boolean, or an object with one; undefined if neither is present. */
function hasComeIn(given: unknown): boolean | undefined {
  const value = typeof given === 'boolean' ? given : asRecord(given)['didSub'];
  return typeof value === 'boolean' ? value : undefined;
}
