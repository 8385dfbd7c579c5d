import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { assumedScheduleTime } from '../parsing/assumed-times.ts';
import { asBoolean, asNumber, asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { startQualifier } from '../parsing/start-qualifier.ts';
import type { AnswerContext, Competition } from './competition.ts';

const FOOTBALL = ['nfl', 'ncaaf'];
const MAX_TEXT = 300;

export const scheduleTime = (competition: Competition, context: AnswerContext): string =>
  context.at ?? assumedScheduleTime(competition.startsAt);

export function scheduleOf(competition: Competition, context: AnswerContext, more: JsonObject = {}): JsonObject {
  const { given, event, sides } = competition;
  return {
    kind: 'schedule',
    source: 'espn',
    at: scheduleTime(competition, context),
    sport: context.sport,
    league: context.league,
    ref: competition.ref,
    season: competition.season,
    starts_at: formatTime(competition.startsAt),
    starts_at_qualifier: startQualifier(asBoolean(given['timeValid'] ?? event['timeValid'])),
    participants: sides.map((side) => side.participant),
    game_number: gameNumberOf(competition),
    round: roundOf(competition, context),
    neutral_site: asBoolean(given['neutralSite']),
    venue: venueOf(asRecord(given['venue'])),
    broadcast: broadcastOf(given),
    ...more,
  };
}

/** ESPN writes it into a note of both games of a doubleheader. A play-off's `NLDS - Game 1` numbers a series. */
function gameNumberOf({ given }: Competition): number | undefined {
  for (const { headline } of asRecords(given['notes'])) {
    const [, number] = /^doubleheader\b.*\bgame ([123])\b/i.exec(asText(headline) ?? '') ?? [];
    if (number !== undefined) return Number(number);
  }
  return undefined;
}

function roundOf({ given, event, playoffs }: Competition, { sport }: AnswerContext): string | undefined {
  const round = asText(asRecord(given['round'])['displayName']);
  if (round) return round;
  const headline = asRecords(given['notes'])
    .map((note) => asText(note['headline']))
    .find((text) => text !== undefined);
  if (headline && (playoffs || !FOOTBALL.includes(playsLike(sport)))) return headline.slice(0, MAX_TEXT);
  const week = asNumber(asRecord(event['week'])['number']) ?? asNumber(event['week']);
  return week !== undefined && FOOTBALL.includes(playsLike(sport)) ? `Week ${week}` : headline?.slice(0, MAX_TEXT);
}

function venueOf(given: JsonObject): JsonObject | undefined {
  const name = asText(given['fullName']) ?? asText(given['displayName']);
  if (name === undefined) return undefined;
  const address = asRecord(given['address']);
  // Tournaments state only `Paris, France`.
  const [place, country] = 'address' in given ? [] : name.split(', ');
  return {
    name,
    city: asText(address['city']) ?? (country ? place : undefined),
    country: asText(address['country']) ?? country,
    roof_type: given['indoor'] === true ? 'indoor' : given['indoor'] === false ? 'outdoor' : undefined,
  };
}

/** The national broadcasters, or else the local ones. */
function broadcastOf(given: JsonObject): string | undefined {
  const broadcast = asText(given['broadcast']);
  if (broadcast) return broadcast.slice(0, MAX_TEXT);
  const broadcasts = asRecords(given['broadcasts']).map((one) => ({
    national: /^national$/i.test(asText(one['market']) ?? asText(asRecord(one['market'])['type']) ?? ''),
    radio: /radio/i.test(asText(asRecord(one['type'])['shortName']) ?? ''),
    names: Array.isArray(one['names']) ? one['names'] : [asRecord(one['media'])['shortName']],
  }));
  const televised = broadcasts.filter((one) => !one.radio);
  const chosen = televised.some((one) => one.national) ? televised.filter((one) => one.national) : televised;
  const names = chosen.flatMap((one) => one.names).map(asText);
  const joined = [...new Set(names.filter((name) => name !== undefined))].join('/');
  return joined.slice(0, MAX_TEXT) || undefined;
}
