import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { isoCountry } from '../parsing/country-codes.ts';
import { asBoolean, asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { flagCode } from './sides.ts';

/** Leagues in which ESPN's `location` is the place, and not the name of a school or club. */
const NAMED_FOR_PLACES = ['nfl', 'nba', 'mlb', 'nhl'];

interface About {
  readonly sport: string;
  readonly league: string;
  readonly at: string;
}

/** A `team` message from a team object; undefined if it has no id, name or abbreviation. */
export function teamMessage(
  team: JsonObject,
  { sport, league, at }: About,
  more: JsonObject = {},
): JsonObject | undefined {
  const ref = asText(team['id']);
  const name = asText(team['displayName']) ?? asText(team['name']);
  const short = asText(team['shortDisplayName']) ?? asText(team['name']);
  const abbreviation = asText(team['abbreviation']);
  if (!ref || ref.startsWith('-') || !name || !abbreviation || /\bTB[DA]\b/.test(name)) return undefined;
  const location = asText(team['location']);
  const logos = asRecords(team['logos']);
  return {
    kind: 'team',
    source: 'espn',
    at,
    sport,
    league,
    ref,
    slug: asText(team['slug']),
    name,
    short_name: short,
    abbreviation,
    city: NAMED_FOR_PLACES.includes(playsLike(sport)) && location !== name ? location : undefined,
    image_url: asText(team['logo']) ?? asText(logos[0]?.['href']),
    is_active: asBoolean(team['isActive']),
    ...more,
  };
}

const CM_PER_INCH = 2.54;
const KG_PER_POUND = 0.45359237;
const HANDS: Readonly<Record<string, string>> = { left: 'left', right: 'right', both: 'switch', switch: 'switch' };

/** A `player` message from an athlete object; undefined if it has no id or name. */
export function playerMessage(
  athlete: JsonObject,
  { sport, league, at }: About,
  team?: string,
): JsonObject | undefined {
  const ref = asText(athlete['id']);
  const fullName = asText(athlete['fullName']) ?? asText(athlete['displayName']);
  if (!ref || !fullName) return undefined;
  const inches = asNumber(athlete['height']);
  const pounds = asNumber(athlete['weight']);
  const born = asTime(athlete['dateOfBirth']);
  const hand = asRecord(athlete['bats'] ?? athlete['hand']);
  const status = asText(asRecord(athlete['status'])['type']);
  return {
    kind: 'player',
    source: 'espn',
    at,
    sport,
    league,
    ref,
    full_name: fullName,
    first_name: asText(athlete['firstName']),
    last_name: asText(athlete['lastName']),
    // The time is midnight in America, which is the same date in UTC.
    birthdate: born === undefined ? undefined : new Date(born).toISOString().slice(0, 10),
    country_code:
      isoCountry(asText(asRecord(athlete['birthCountry'])['abbreviation'])) ??
      isoCountry(asText(athlete['citizenshipCountry'])) ??
      isoCountry(flagCode(athlete)),
    position: asText(asRecord(athlete['position'])['abbreviation']),
    handedness: HANDS[(asText(hand['type']) ?? asText(hand['displayValue']) ?? '').toLowerCase()],
    height_cm: inches ? rounded(inches * CM_PER_INCH) : undefined,
    weight_kg: pounds ? rounded(pounds * KG_PER_POUND) : undefined,
    team_ref: team,
    image_url: asText(asRecord(athlete['headshot'])['href']),
    is_active: status === undefined ? undefined : status === 'active',
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
