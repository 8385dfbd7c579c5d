import { max } from 'd3-array';
import type { DegradedReason, FeedHealth, Health } from '../../../api/calls/operation/operation.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { creditsText, timeTag } from '../formats.ts';
import type { AdminParts } from './admin-parts.ts';
import type { LeagueFreshness } from './league-freshness.ts';
import type { RecentFigures } from './recent-figures.ts';
import { recentCards, recentCharts } from './recent-section.ts';
import { badge, card } from './staff-page-frame.ts';

interface HealthView {
  readonly health: Health;
  readonly leagues: readonly LeagueFreshness[];
  readonly backup: ReturnType<NonNullable<AdminParts['backup']>> | undefined;
  readonly recent: RecentFigures;
  /** Of who looks. */
  readonly timezone: string;
}

const REASON_TEXTS: Readonly<Record<DegradedReason, string>> = {
  backup: 'The backup fails, or does not keep up.',
  clock: 'The clock is doubted: nothing is taken in.',
  disk: 'The disk has no room: nothing is taken in.',
  engine: 'An engine of the cluster does not answer.',
  feeds: 'A feed fails.',
  log_ahead: 'The log has records of the future.',
  read_model: 'A read model is behind.',
  standby: 'The lease is not held, or the standby is behind.',
};

/** How the server does, at a glance. */
export function healthSection(view: HealthView): Html {
  const { health, backup, recent, timezone } = view;
  const { reasons = [], quarantined, projections } = health;
  const lag = max(projections, ({ lag_seconds }) => lag_seconds) ?? 0;
  const isBehind = reasons.includes('read_model');
  return html`<section aria-labelledby="health"><h2 id="health">Health</h2>
${reasons.map((reason) => html`<p class="notice">${REASON_TEXTS[reason]}</p>`)}
<div class="cards figures">
${card('State', health.status === 'ok' ? 'Well' : 'Degraded', `Version ${health.version}`)}
${card('Read models', isBehind ? 'Behind' : 'Current', `At most ${creditsText(Math.round(lag))} s behind the log`)}
${card('Waiting', creditsText(quarantined), html`Messages that wait for a name. <a href="/admin/data">Data</a>`)}
${card('Backup', backup === undefined ? 'None' : backup.problem !== undefined ? 'Failing' : 'Current', backup === undefined ? 'None is set up' : `${creditsText(Math.round(backup.lagSeconds))} s behind`)}
${recentCards(recent, reasons.includes('disk'))}
${health.standby && card('Standby', health.standby.role === 'first' ? 'Followed' : 'Standby', standbyText(health.standby))}
</div>
${recentCharts(recent, timezone)}
${feedTable(view)}
${leagueTable(view)}
<details><summary>Read models</summary>${dataTable(
    'Read models',
    ['Name', ['Records behind', 'number'], ['Seconds behind', 'number']],
    projections.map(
      ({ name, lag_events, lag_seconds }) =>
        html`<tr><th scope="row">${name}</th><td class="number">${creditsText(lag_events)}</td><td class="number">${creditsText(Math.round(lag_seconds))}</td></tr>\n`,
    ),
  )}</details>
<p class="facts">Errors, the disk and webhooks are what this process has seen since its start; <code>/metrics</code> has more of them.</p>
</section>`;
}

const standbyText = ({ role, lag_seconds, lease_seconds }: NonNullable<Health['standby']>): string => {
  const lease = lease_seconds === null ? 'no lease was seen' : `the lease is good for ${lease_seconds} s`;
  return role === 'first' ? `This server writes: ${lease}` : `${lag_seconds ?? 0} s behind the first: ${lease}`;
};

function feedTable({ health, timezone }: HealthView): Html {
  if (!health.feeds) {
    const text = health.simulated
      ? 'The demo feeds the server; no live connector is set up.'
      : 'No live connector is set up.';
    return html`<h3>Feeds</h3><p class="empty">${text}</p>`;
  }
  return html`<h3>Feeds</h3>${tableOrEmpty(
    'Feeds',
    ['Name', 'State', 'Last success', 'Last error'],
    health.feeds.map((feed) => feedRow(feed, timezone)),
    'There is none.',
  )}`;
}

const feedRow = ({ name, state, last_success_at: at, last_error: error }: FeedHealth, timezone: string): Html =>
  html`<tr><th scope="row">${name}</th><td>${badge(state)}</td><td>${at === null ? 'never' : timeTag(at, timezone)}</td><td class="wide">${error?.message ?? '–'}</td></tr>\n`;

const leagueTable = ({ leagues, timezone }: HealthView): Html =>
  html`<h3>Freshness by league</h3>${tableOrEmpty(
    'Freshness by league',
    ['League', 'Feed', 'Newest fact, of the last game', 'Next game'],
    leagues.map(({ league, feed, newestFact, expectedNext }) => {
      const time = (iso: string | null) => (iso === null ? '–' : timeTag(iso, timezone));
      const age = feed === null ? '–' : `${creditsText(feed.seconds)} s old${feed.isDown ? ', down' : ''}`;
      return html`<tr><th scope="row">${findLeague(league)?.name ?? league}</th><td>${age}</td><td>${time(newestFact)}</td><td>${time(expectedNext)}</td></tr>\n`;
    }),
    'No game is known yet.',
  )}`;
