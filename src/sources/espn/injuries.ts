import { formatTime } from '../../domain/primitives/time.ts';
import { asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { AnswerContext } from './competition.ts';

/** ESPN's types of injury status; rosters and lists write them as words. */
const STATUSES: readonly (readonly [pattern: RegExp, status: string])[] = [
  [/^(ACTIVE|AVAILABLE|NEWS)$/, 'available'],
  [/^PROBABLE$/, 'probable'],
  [/^DAY.?TO.?DAY$|^DAYTODAY$/, 'day_to_day'],
  [/^QUESTIONABLE$/, 'questionable'],
  [/^DOUBTFUL$/, 'doubtful'],
  [/^SUSPEN(DED|SION)$/, 'suspended'],
  [/\bIL\b|DAY_?IL|^IR\b|INJURED_?RESERVE|INJURED_?LIST|^(PUP|NFI)\b|^LTIR$/, 'ir'],
  [/^(OUT|INACTIVE|PATERNITY|BEREAVEMENT|RESTRICTED|PERSONAL|COVID.*)$|^OUT_/, 'out'],
];

function injuryStatus(...given: readonly unknown[]): string | undefined {
  for (const text of given.map(asText)) {
    const word = (text ?? '')
      .toUpperCase()
      .replace(/^INJURY_STATUS_/, '')
      .replace(/[\s-]+/g, '_');
    const found = STATUSES.find(([pattern]) => word !== '' && pattern.test(word));
    if (found) return found[1];
  }
  return undefined;
}

/** The injuries of one team, each at its own date, because a summary of an old game shows the injuries of today. For a
 *  connector, the time is that of the request. */
export function* injuryMessages(
  team: JsonObject,
  items: readonly JsonObject[],
  context: AnswerContext,
): Generator<JsonObject> {
  const teamRef = asText(team['id']);
  const teamName = asText(team['displayName']) ?? asText(team['name']);
  for (const item of items) {
    const athlete = asRecord(item['athlete']);
    const player = asText(athlete['displayName']) ?? asText(athlete['fullName']);
    const type = asRecord(item['type']);
    const status = injuryStatus(type['name'], item['status'], type['description'], type['abbreviation']);
    const date = asTime(item['date']);
    const at = date === undefined || context.live ? context.at : formatTime(date);
    if (!player || !status || !at || !(teamRef || teamName)) {
      const missing = !player ? 'player' : !status ? 'known status' : !at ? 'date' : 'team';
      context.notes.add('incomplete_injury', `An injury without a ${missing} was left out.`);
      continue;
    }
    const details = asRecord(item['details']);
    yield {
      kind: 'injury',
      source: 'espn',
      at,
      sport: context.sport,
      league: context.league,
      player_ref: asText(athlete['id']),
      player,
      team_ref: teamRef,
      team: teamName,
      status,
      body_part: asText(details['type']),
      note: noteOf(item, details),
    };
  }
}

const NOT_SPECIFIED = /^not specified$/i;

function noteOf(item: JsonObject, details: JsonObject): string | undefined {
  const comment = asText(item['shortComment']) ?? asText(item['longComment']);
  if (comment) return comment.slice(0, 4000);
  const parts = [asText(details['side']), asText(details['type']), asText(details['detail'])];
  const words = parts.filter((word) => word !== undefined && !NOT_SPECIFIED.test(word)).join(' ');
  const back = asText(details['returnDate']);
  return [words, back && `expected back ${back}`].filter(Boolean).join(', ') || undefined;
}

/** The injury groups of a league or of a summary: a team and its items. */
export function* injuryGroupMessages(groups: readonly JsonObject[], context: AnswerContext): Generator<JsonObject> {
  for (const group of groups) {
    const team = 'team' in group ? asRecord(group['team']) : group;
    yield* injuryMessages(team, asRecords(group['injuries']), context);
  }
}
