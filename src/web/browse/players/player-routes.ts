import { ApiError } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getPlayerEvents } from '../../../api/operations/directory/get-player-events.ts';
import { getPlayer } from '../../../api/operations/directory/player-operations.ts';
import { getInjuries } from '../../../api/operations/events/get-injuries.ts';
import { getPlayerProps } from '../../../api/operations/odds/get-player-props.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import type { PlayerProps } from '../../../read-models/rendering/market-schemas.ts';
import { withoutSuspectOffers } from '../../../read-models/rendering/priced-lines.ts';
import { hasEnded } from '../../live/page/view-model/event-phase.ts';
import type { BrowsePage } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { readClosingLines } from '../shared/against-close.ts';
import { nearestStart } from '../shared/nearest-start.ts';
import { lastValues, readPlayerBoxes } from './player-history.ts';
import { type PlayerEventRow, type PlayerView, type PropView, playerPage } from './player-page.ts';

/** Results and games of a player that are shown; days that are looked through: what one list may span. */
const [RESULTS, UPCOMING, LAST] = [10, 10, 10];
const [BEHIND, AHEAD] = [60, 30];

export async function readPlayerPage(call: KeylessCall, context: OperationContext, id: number): Promise<BrowsePage> {
  const player = await call(getPlayer, { id });
  const data = await readEvents(call, context, player);
  const upcoming = data.filter(({ status }) => !hasEnded(status)).reverse();
  const finished = data.filter(({ status }) => status === 'final').slice(0, RESULTS);
  const next = upcoming[0] ?? finished[0];
  const isOwnEntry = rulesOf(player.sport).entry === 'player';
  const results: PlayerView['results'][number][] = [];
  for (const event of finished) results.push({ event, close: isOwnEntry ? await ownClose(call, event) : null });
  const boxes = isOwnEntry ? [] : await readPlayerBoxes(context, id, context.now());
  const offered = next && !isOwnEntry ? await readProps(call, next.event_id, id) : [];
  const injuries = next && !isOwnEntry ? (await call(getInjuries, { id: next.event_id })).injuries : [];
  const view: PlayerView = {
    player,
    isOwnEntry,
    upcoming: upcoming.slice(0, UPCOMING),
    results,
    propsOf: next,
    props: mainLines(offered).map(
      (prop): PropView => ({ ...prop, last: lastValues(player.sport, boxes, prop.market, LAST) }),
    ),
    boxes: boxes.slice(0, LAST),
    injury: injuries.find(({ player_id }) => player_id === id),
  };
  return { title: player.full_name, content: playerPage(view) };
}

/** The events around now; if nothing is near, those before the last one. The newest first. */
async function readEvents(
  call: KeylessCall,
  context: OperationContext,
  { id, sport, current_team_id: teamId }: PlayerView['player'] & { readonly id: number },
): Promise<readonly PlayerEventRow[]> {
  const now = context.now();
  const read = async (end: number) => {
    const days = { from: formatDate(end - BEHIND * DAY), to: formatDate(end + AHEAD * DAY) };
    return (await call(getPlayerEvents, { id, ...days, limit: 100 })).data;
  };
  const near = await read(now);
  if (near.length > 0 || (rulesOf(sport).entry === 'team' && teamId === null)) return near;
  const where: Readonly<Record<string, number>> =
    rulesOf(sport).entry === 'player' ? { player_ids: id } : { team_ids: teamId! };
  const last = await nearestStart(context, where, 'before', now);
  return last === undefined ? near : read(last);
}

/** The fair probability at the close that the player wins. */
async function ownClose(call: KeylessCall, { event_id, role }: PlayerEventRow): Promise<number | null> {
  const { win } = await readClosingLines(call, event_id);
  return win?.[role === 'player_1' ? 0 : 1] ?? null;
}

type Prop = PlayerProps['player_props'][number];

/** Some sports have no props of players, which the API answers with bad_request. */
async function readProps(call: KeylessCall, eventId: number, playerId: number): Promise<readonly Prop[]> {
  try {
    return (await call(getPlayerProps, { id: eventId, player_id: playerId })).player_props.map(withoutSuspectOffers);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_request') return [];
    throw error;
  }
}

/** Of each statistic the line that most bookmakers offer; of equally common ones the lower. */
function mainLines(props: readonly Prop[]): Prop[] {
  const best = new Map<string, Prop>();
  const booksOf = ({ books }: Prop): number => Object.keys(books).length;
  for (const prop of [...props].sort((a, b) => a.line - b.line)) {
    const before = best.get(prop.market);
    if (!before || booksOf(prop) > booksOf(before)) best.set(prop.market, prop);
  }
  return [...best.values()];
}
