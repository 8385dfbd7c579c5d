import { type PlayerDocument, playerNameKeysOf, players } from '../../../../projections/directory/players.ts';
import { type BoxDocument, boxes } from '../../../../projections/sports-events/boxes.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { type LineupDocument, lineups } from '../../../../projections/sports-events/lineups.ts';
import { lookupKeysOf, type PlayerFinder } from '../../../domain/directory/player-finder.ts';
import { boxRows, createRowFinder, lineupRows, type SideRow, teamIdsOf } from '../../../domain/event-players.ts';
import type { Leg } from '../../../domain/grading/leg.ts';
import { legKindOf } from '../../../domain/grading/leg-markets.ts';
import { withStatNames } from '../../../domain/grading/player-stat.ts';
import type { PlayerBoxRow } from '../../../domain/grading/settle-leg.ts';
import type { Provenance } from '../../../domain/sports-events/provenance.ts';
import { currentBox } from '../../../domain/statistics/box-score.ts';
import { currentLineup } from '../../../domain/statistics/event-lineup.ts';
import { readDocuments } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';
import type { BindingContext } from './binding-context.ts';

/** An event, with what is needed to settle legs on it. */
export interface SlipEvent {
  readonly document: EventDocument;
  readonly teamIds: ReturnType<typeof teamIdsOf>;
  readonly boxGround: Provenance | undefined;
  /** The event's facts about a player; only for players named by the legs. */
  propFacts(playerId: number): { readonly facts: PlayerBoxRow; readonly hasPlayer: boolean };
}

/** The events of these legs as they are or were, by id; unknown ones are left out. */
export async function readSlipEvents(
  legs: readonly Leg[],
  reading: BindingContext,
): Promise<ReadonlyMap<number, SlipEvent>> {
  const { context, asOf } = reading;
  const ids = [...new Set(legs.map(({ event_id }) => event_id))];
  const props = legs.filter(({ market_key, player_id }) => legKindOf(market_key) === 'prop' && player_id !== null);
  const projections = props.length > 0 ? [events, boxes, lineups] : [events];
  const [documents, boxDocuments, lineupDocuments] = await readDocuments(context, projections, ids.map(String), asOf);
  const named = await readNamed(props, reading);
  const found = new Map<number, SlipEvent>();
  for (const [index, id] of ids.entries()) {
    const document = documents![index] as EventDocument | undefined;
    if (!document?.event.schedule) continue;
    const own = props.filter(({ event_id }) => event_id === id).flatMap(({ player_id }) => named.get(player_id!) ?? []);
    const facts = {
      box: boxDocuments?.[index] as BoxDocument | undefined,
      lineup: lineupDocuments?.[index] as LineupDocument | undefined,
    };
    found.set(id, await createSlipEvent(document, facts, own, reading));
  }
  return found;
}

/** Players always come from the current directory. */
async function readNamed(
  props: readonly Leg[],
  { context }: BindingContext,
): Promise<ReadonlyMap<number, PlayerDocument>> {
  if (props.length === 0) return new Map();
  const ids = [...new Set(props.map(({ player_id }) => player_id!))];
  const stored = await context.store.getMany<PlayerDocument>(players.name, ids.map(String));
  return new Map(stored.flatMap((one) => (one ? [[one.document.id, one.document]] : [])));
}

async function createSlipEvent(
  document: EventDocument,
  { box: boxDocument, lineup }: { readonly box: BoxDocument | undefined; readonly lineup: LineupDocument | undefined },
  named: readonly PlayerDocument[],
  { context }: BindingContext,
): Promise<SlipEvent> {
  const teamIds = teamIdsOf(document.sides);
  const box = currentBox(boxDocument?.told ?? []);
  const rows = rowsOfPlayers(boxRows(box), document.sport, named);
  const lines = rowsOfPlayers(
    lineupRows([currentLineup(lineup?.told ?? [], 0), currentLineup(lineup?.told ?? [], 1)]),
    document.sport,
    named,
  );
  const mentioned = [...rows, ...lines].map((row) => row.named);
  const finder: PlayerFinder | undefined =
    mentioned.length > 0 ? await readPlayerFinder(context, document.sport, mentioned, undefined) : undefined;
  const inBox = finder && createRowFinder(rows, finder, teamIds);
  const inLineup = finder && createRowFinder(lines, finder, teamIds);
  const graded = box && withStatNames(box);
  const byId = new Map(named.map((player) => [player.id, player]));
  return {
    document,
    teamIds,
    boxGround: boxDocument?.ground,
    propFacts(playerId) {
      const player = byId.get(playerId);
      if (!player) return { facts: { box: graded, row: undefined, mayBeNamed: false }, hasPlayer: false };
      const one = { id: player.id, name: player.facts.full_name };
      const mayBeNamed = inBox?.mayHaveRow(one) ?? false;
      const playsInIt = player.facts.team_id !== undefined && teamIds.includes(player.facts.team_id);
      return {
        facts: { box: graded, row: inBox?.findRow(one)?.row, mayBeNamed },
        hasPlayer: player.sport === document.sport && (mayBeNamed || inLineup?.mayHaveRow(one) === true || playsInIt),
      };
    },
  };
}

/** Only rows that may belong to one of these players: the others need not be resolved. */
function rowsOfPlayers<Row>(
  rows: readonly SideRow<Row>[],
  sport: string,
  named: readonly PlayerDocument[],
): SideRow<Row>[] {
  const refs = new Set(named.flatMap((player) => player.refs));
  const names = new Set(named.flatMap(playerNameKeysOf));
  return rows.filter((row) => {
    const { ref, name } = lookupKeysOf(sport, row.named);
    return (ref !== undefined && refs.has(ref)) || (name !== undefined && names.has(name));
  });
}
