import { ownValue } from '../../domain/primitives/own-properties.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { ClientChange } from '../../read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../../read-models/change-feed/change-subject.ts';
import type { ScoreSnapshot } from '../../read-models/rendering/event-schemas.ts';
import type { AlertLine } from './alert.ts';

interface Names {
  /** The displayed name of a bookmaker. */
  readonly nameOf: (bookmaker: string) => string;
  /** The demo invents what is told. Absent: it does not. */
  readonly isSimulated?: boolean;
}

/** What a person is told of a change: what changed from what to what. @param subject its event, if it has one */
export function describeChange(change: ClientChange, subject: ChangeSubject | null, names: Names): AlertLine {
  const { eventType: type, eventId, observedAt, data } = change;
  const text = WORDS[type](data as never, change, names);
  const line = { type, event: subject?.name ?? null, eventId, text, at: observedAt, isUrgent: isUrgent(change) };
  return names.isSimulated ? { ...line, isSimulated: true } : line;
}

const URGENT: ReadonlySet<WebhookEventType> = new Set(['steam', 'ev', 'arbitrage', 'event_final']);

const isUrgent = ({ eventType, data, score }: ClientChange): boolean =>
  URGENT.has(eventType) || data['severity'] === 'critical' || (score?.moments.includes('close_late') ?? false);

interface Moved {
  readonly bookmaker: string;
  readonly market: string;
  readonly outcome: string;
  readonly price_from: number;
  readonly price_to: number;
  readonly point_from: number | null;
  readonly point_to: number | null;
}

type Words = (data: never, change: ClientChange, names: Names) => string;

const WORDS: Readonly<Record<WebhookEventType, Words>> = {
  score: (data: ScoreSnapshot, { score }) => `${scoreOf(data)}${wasScore(score?.before, data)}${playOf(data)}`,
  status: ({ from, to }: { from: string; to: string }) => `Status: ${statusWord(from)} → ${statusWord(to)}`,
  event_start: (_: unknown, { score }) => `Started: ${score?.before.status ?? 'scheduled'} → in progress`,
  event_final: (data: ScoreSnapshot, { score }) =>
    `Final: ${scoreOf(data)} (${statusWord(score?.before.status)} → ${statusWord(data.status)})`,
  line_move: (data: Moved, _, { nameOf }) => `${nameOf(data.bookmaker)}, ${moveOf(data)}`,
  steam: ({ bookmakers, ...data }: Moved & { bookmakers: readonly string[] }, _, { nameOf }) =>
    `Steam at ${bookmakers.map(nameOf).join(', ')}: ${moveOf(data)}`,
  new_price: (data: OpenedMarket, _, { nameOf }) =>
    `${nameOf(data.bookmaker)} opens the ${marketWord(data.market)}: ${data.outcomes.map(offerOf).join(', ')}`,
  ev: (data: EdgeData, _, { nameOf }) =>
    `Edge ${percentOf(data.ev_percent_before)} → ${percentOf(data.ev_percent)}: ${marketWord(data.market)}, ${offerOf({ ...data, point: data.line })} at ${nameOf(data.bookmaker)}`,
  arbitrage: ({ state, market, profit_percent, legs }: ArbitrageData, _, { nameOf }) =>
    `Arbitrage ${state === 'opened' ? `none → ${percentOf(profit_percent)}` : `${percentOf(profit_percent)} → none`}: ${marketWord(market)}, ${legs.map((leg) => `${offerOf({ ...leg, point: leg.line })} at ${nameOf(leg.bookmaker)}`).join(', ')}`,
  intelligence: ({ has_recommend, bets }: { has_recommend: boolean | null; bets: readonly BetData[] }) =>
    `${bets.length} ${bets.length === 1 ? 'bet' : 'bets'} changed${has_recommend === true ? ', one is recommended' : ''}${bets[0] ? `: ${bets[0].narrative ?? bets[0].bet_type}` : ''}`,
  injury: ({ player, team, previous_status, status, severity, note }: InjuryData) =>
    `${player} (${team}): ${previous_status ?? 'available'} → ${status}, ${severity}${note ? `. ${note}` : ''}`,
  identity: ({ action, what, from, into }: Readonly<Record<string, unknown>>) =>
    `${action} of ${what}: ${from} → ${into}`,
};

interface OpenedMarket {
  readonly bookmaker: string;
  readonly market: string;
  readonly outcomes: readonly Offer[];
}

interface EdgeData extends Omit<Offer, 'point'> {
  readonly market: string;
  readonly bookmaker: string;
  readonly line: number | null;
  readonly ev_percent: number | null;
  readonly ev_percent_before: number | null;
}

interface ArbitrageData {
  readonly state: 'opened' | 'closed';
  readonly market: string;
  readonly profit_percent: number;
  readonly legs: readonly (Omit<Offer, 'point'> & { readonly bookmaker: string; readonly line: number | null })[];
}

interface BetData {
  readonly bet_type: string;
  readonly narrative: string | null;
}

interface InjuryData {
  readonly player: string;
  readonly team: string;
  readonly status: string;
  readonly previous_status: string | null;
  readonly severity: string;
  readonly note: string;
}

interface Offer {
  readonly outcome: string;
  readonly point: number | null;
  readonly price: number;
}

const scoreOf = ({ scores }: ScoreSnapshot): string =>
  scores.map(({ name, score }) => `${name} ${score ?? '–'}`).join(', ');

function wasScore(before: ScoreSnapshot | undefined, now: ScoreSnapshot): string {
  const [was, is] = [before, now].map((snapshot) => snapshot?.scores.map(({ score }) => score ?? '–').join(' : '));
  return was === undefined || was === is ? '' : `, was ${was}`;
}

const playOf = ({ period_label, clock }: ScoreSnapshot): string =>
  period_label === null ? '' : `, ${period_label}${clock === null ? '' : ` ${clock}`}`;

const moveOf = ({ market, outcome, ...moved }: Omit<Moved, 'bookmaker'>): string =>
  `${marketWord(market)}, ${outcome}: ${lineOf(outcome, moved.point_from, moved.price_from)} → ${lineOf(outcome, moved.point_to, moved.price_to)}`;

const offerOf = ({ outcome, point, price }: Offer): string => `${outcome} ${lineOf(outcome, point, price)}`;

/** A total has no sign: it is a sum, and no handicap. */
const lineOf = (outcome: string, point: number | null, price: number): string => {
  if (point === null) return signed(price);
  return `${/^(?:over|under)$/i.test(outcome) ? point : signed(point)} (${signed(price)})`;
};

const MARKET_WORDS: Readonly<Record<string, string>> = { h2h: 'moneyline', spreads: 'spread', totals: 'total' };
const marketWord = (key: string): string => ownValue(MARKET_WORDS, key) ?? key.replaceAll('_', ' ');

const statusWord = (status: string | undefined): string =>
  status === 'inprogress' ? 'in progress' : (status ?? 'scheduled');

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));

const percentOf = (percent: number | null): string => (percent === null ? 'none' : `+${percent}%`);
