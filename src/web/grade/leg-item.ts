import type { GradedLeg } from '../../api/operations/slips/slip-schemas.ts';
import { type Html, html } from '../layout/html.ts';
import { timeTag } from '../layout/time-tag.ts';
import { formatPoint } from '../live/page/view-model/odds-format.ts';
import { type LegStatus, legStatus } from './leg-status.ts';

/** A leg of a graded slip. Nothing in it takes the focus, because it is replaced while games run. */
export function legItem(leg: GradedLeg, now: number): Html {
  const { market, message, input } = leg;
  const { word, style } = statusOf(leg, now);
  return html`<li class="leg ${style}" data-standing="${word}">
<h3><span class="standing">${word}</span> <span class="bet">${String(input['text'] ?? betText(leg))}</span></h3>
${market.home_team !== undefined && html`<p class="event">${eventText(market)} <span class="facts">${timeOf(market.starts_at)}</span></p>`}
${leg.resolve.display_name !== null && html`<p class="facts">Player: ${leg.resolve.display_name}</p>`}
${numberText(leg)}
${message !== null && html`<p class="message">${message}</p>`}
${candidatesOf(leg)}
${leg.facts.length > 0 && html`<p class="facts">By ${leg.facts.length === 1 ? 'entry' : 'entries'} ${leg.facts.map(({ position }) => position).join(', ')} of the log.</p>`}
</li>`;
}

const HALVES = { half_won: 'won', half_lost: 'lost' } as const;

/** How a graded leg stands. @param now milliseconds */
function statusOf({ result, result_detail: detail, market }: GradedLeg, now: number): LegStatus {
  const half = detail === 'half_won' || detail === 'half_lost' ? HALVES[detail] : undefined;
  return legStatus({ result, half, side: market.side, startsAt: market.starts_at }, now);
}

/** A bet that came without words: what it is on. */
function betText({ market, team_resolve }: GradedLeg): string {
  const { side, line, market_key, home_team, away_team, scope } = market;
  const sides: Readonly<Record<string, string | undefined>> = { home: home_team, away: away_team, draw: 'Draw' };
  const on = [team_resolve?.display_name, side === null ? undefined : (sides[side] ?? side)];
  const number = line === null ? undefined : market_key === 'spreads' && line > 0 ? `+${line}` : String(line);
  return [scope, ...on, number ?? 'to win'].filter((word) => word != null).join(' ');
}

function eventText({ home_team, away_team, home_score, away_score }: GradedLeg['market']): string {
  const side = (name: string | undefined, score: number | null | undefined) =>
    typeof score === 'number' ? `${name} ${score}` : `${name}`;
  return `${side(home_team, home_score)} v ${side(away_team, away_score)}`;
}

const timeOf = (time: string | undefined): Html | false => time !== undefined && timeTag(time, 'UTC');

const MARKET_WORDS: ReadonlyMap<string, string> = new Map([
  ['spreads', 'spread'],
  ['totals', 'total'],
]);

/** The number that is compared with the line. */
function numberText({ current, market, result }: GradedLeg): Html | false {
  const { line, side, market_key, scope } = market;
  if (line === null || market_key === null) return false;
  const isSpread = market_key === 'spreads';
  const bet = isSpread ? formatPoint(line, 'spreads') : `${side} ${line}`;
  const words = MARKET_WORDS.get(market_key) ?? market_key.replaceAll('_', ' ');
  const what = scope === undefined ? words : `${scope} ${words}`;
  const verb = result === 'in_progress' ? 'stands' : 'ended';
  const number = isSpread ? marginText : countText;
  return html`<p class="number">${what}: ${bet}${current !== null && html`, ${verb} ${number(current)}`}</p>`;
}

const countText = (count: number): Html => html`at <strong>${count}</strong>`;

/** By how much the side of the bet leads or trails. */
const marginText = (margin: number): Html =>
  margin === 0 ? html`level` : html`<strong>${Math.abs(margin)}</strong> ${margin > 0 ? 'ahead' : 'behind'}`;

/** The possible meanings of an unclear name or event. */
function candidatesOf({ event_resolve, team_resolve, resolve, result }: GradedLeg): Html | false {
  if (result !== null) return false;
  const names = [...resolve.candidates, ...(team_resolve?.candidates ?? [])].map(
    ({ display_name, sport }) => html`<li>${String(display_name)}${typeof sport === 'string' && ` (${sport})`}</li>`,
  );
  const events = (event_resolve?.candidates ?? []).map(
    ({ name, starts_at }) => html`<li>${name}, ${timeOf(starts_at)}</li>`,
  );
  const all = [...names, ...events];
  return all.length > 0 && html`<p>It may mean:</p><ul class="candidates">${all}</ul>`;
}
