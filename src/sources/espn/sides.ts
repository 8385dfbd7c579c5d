import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import { isoCountry } from '../parsing/country-codes.ts';
import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';

/** A team, pair or player of a competition, in the terms of a `schedule` message. */
export interface EspnSide {
  readonly role: 'home' | 'away' | 'player_1' | 'player_2';
  readonly participant: JsonObject;
  readonly given: JsonObject;
}

const PLACEHOLDER = /^(TBD|TBA|To be (determined|decided|announced))\b|\bTBD\b|^(Winner|Loser) (of|match|game)\b/i;

/** Both sides of a competition; undefined if there are not two. The order of the list has no meaning, but ESPN's
 *  `homeAway` does. In tennis too: it follows the draw, and not the result. */
export function sidesOf(competition: JsonObject, sport: string): readonly [EspnSide, EspnSide] | undefined {
  const competitors = asRecords(competition['competitors']);
  const home = competitors.find((one) => one['homeAway'] === 'home');
  const away = competitors.find((one) => one['homeAway'] === 'away');
  if (!home || !away) return undefined;
  const [first, second] = rolesOf(sport);
  const sides = [sideOf(first, home), sideOf(second, away)];
  return sides[0] && sides[1] ? [sides[0], sides[1]] : undefined;
}

function sideOf(role: EspnSide['role'], given: JsonObject): EspnSide | undefined {
  const team = asRecord(given['team']);
  const roster = asRecord(given['roster']);
  const athlete = asRecord(given['athlete']);
  const about = 'displayName' in team ? team : 'displayName' in roster ? roster : athlete;
  const name = asText(about['displayName']) ?? asText(about['name']) ?? asText(about['fullName']);
  if (name === undefined) return undefined;
  const ref = asText(given['id']) ?? asText(team['id']);
  // Negative numbers stand for sides that are not known yet.
  const placeholder = PLACEHOLDER.test(name) || ref === undefined || ref.startsWith('-');
  const participant = placeholder
    ? { role, name, placeholder }
    : {
        role,
        ref,
        name,
        abbreviation: asText(team['abbreviation']),
        country_code: isoCountry(flagCode(athlete)),
        members: about === roster ? membersOf(roster, ref) : undefined,
      };
  return { role, participant, given };
}

/** Only the address of the flag's picture shows the country: `.../countries/500/bel.png`. */
export function flagCode(athlete: JsonObject): string | undefined {
  const href = asText(asRecord(athlete['flag'])['href']) ?? '';
  return /\/countries\/\d+\/([a-z]{3})\.png/i.exec(href)?.[1];
}

/** The two players of a pair. Their ids are the parts of the pair's id, in the same order. */
function membersOf(roster: JsonObject, ref: string): JsonObject[] | undefined {
  const athletes = asRecords(roster['athletes']);
  const refs = ref.split('-');
  const members = athletes.flatMap((athlete, index) => {
    const name = asText(athlete['displayName']) ?? asText(athlete['fullName']);
    if (name === undefined) return [];
    const own = asText(athlete['id']) ?? (refs.length === athletes.length ? refs[index] : undefined);
    return [{ ref: own, name }];
  });
  return members.length === 2 ? members : undefined;
}
