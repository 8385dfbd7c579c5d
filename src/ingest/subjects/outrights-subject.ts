import { outrightsDecider } from '../../../commands/outrights-decider.ts';
import { findLeague, seasonId } from '../../domain/catalogue/catalogue.ts';
import type { OutrightMessage } from '../../domain/feed/feed-messages.ts';
import type { OutrightOutcome } from '../../domain/odds/outright-prices.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  type QuarantineCause,
  quarantined,
} from '../binding/ingest-session.ts';
import { findNamedTeam } from './named-team.ts';
import { defineSubject } from './subject.ts';

type ReportedOutcome = OutrightMessage['outcomes'][number];

/**
 * An `outright` message: the prices of one bookmaker on how a season ends. Its teams must be known. A player whom the
 * directory does not know, or not alone by this name, stays a name.
 */
async function handleOutright(session: IngestSession, message: OutrightMessage): Promise<HandlingResult> {
  const { source, at, sport, league, season, market, bookmaker, complete = true } = message;
  const outcomes: OutrightOutcome[] = [];
  for (const one of message.outcomes) {
    const outcome = await identifyOutcome(session, message, one);
    if ('reason' in outcome) return quarantined(outcome);
    outcomes.push(outcome);
  }
  const named = outcomes.map(whoOf);
  const again = named.findIndex((who, index) => named.indexOf(who) < index);
  if (again >= 0) {
    const path = `outcomes.${again}`;
    const message = `${path}: names somebody a second time`;
    return { status: 'rejected', rejection: { code: 'invalid_field', message, path } };
  }
  const id = seasonId(findLeague(league)!, season);
  const content = { market, bookmaker, complete, outcomes };
  const fact = { seasonId: id, sport, league, at, source, content };
  return acceptedIfAny(await session.states.decide(outrightsDecider, id, fact));
}

/** Two names may be those of one team. A player whom the directory does not know is told by name. */
const whoOf = ({ team_id, player_id, player }: OutrightOutcome): string =>
  team_id !== undefined ? `team ${team_id}` : `player ${player_id ?? normalizeName(player!)}`;

async function identifyOutcome(
  session: IngestSession,
  { source, sport }: OutrightMessage,
  { team, team_ref, player, player_ref, price }: ReportedOutcome,
): Promise<OutrightOutcome | QuarantineCause> {
  if (team !== undefined) {
    const found = await findNamedTeam(session, { source, team, team_ref }, sport);
    if (typeof found !== 'number') return found;
    return { team, ...(team_ref === undefined ? {} : { team_ref }), team_id: found, price };
  }
  const bound =
    player_ref === undefined ? undefined : await session.identities.findEntity('player', sport, source, player_ref);
  const named = bound === undefined ? await session.identities.findByName('player', sport, normalizeName(player!)) : [];
  const playerId = bound ?? (named.length === 1 ? named[0]! : null);
  return { player: player!, ...(player_ref === undefined ? {} : { player_ref }), player_id: playerId, price };
}

export const outrightsSubject = defineSubject({
  decider: outrightsDecider,
  messages: {
    outright: {
      handle: handleOutright,
      lookups: {
        addHints({ sport, source, outcomes }: OutrightMessage, hints) {
          for (const { team, team_ref, player, player_ref } of outcomes) {
            const kind = team === undefined ? 'player' : 'team';
            const ref = team_ref ?? player_ref;
            hints.names.push({ kind, scope: sport, name: normalizeName(team ?? player!) });
            if (ref !== undefined) hints.entities.push({ kind, scope: sport, source, ref });
          }
        },
        streamsOf: async (_, { league, season }) => [[outrightsDecider, seasonId(findLeague(league)!, season)]],
      },
    },
  },
  replay: {
    OutrightPricesChanged({ data }) {
      const { at, source, sport, league, seasonId: id, content } = data;
      const { outcomes, ...market } = content;
      const reported = outcomes.map(({ team_id: _, player_id: __, ...outcome }) => outcome);
      return { kind: 'outright', source, at, sport, league, season: id % 10_000, ...market, outcomes: reported };
    },
  },
});
