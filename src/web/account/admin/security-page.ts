import { isIP } from 'node:net';
import {
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventType,
  type Severity,
} from '../../../accounts/users/security-log.ts';
import { type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { browserName } from '../browser-name.ts';
import { selectField, textField } from '../form-fields.ts';
import { fieldText, paginationNav, readBefore, rowCountText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { PageRoute, Refusal } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { badge, readPageNumber, staffGet, staffPage, WRONG_PAGE } from './staff-page-frame.ts';

const SEVERITIES = Object.keys(SECURITY_EVENTS) as readonly Severity[];
const TYPES: readonly SecurityEventType[] = Object.values(SECURITY_EVENTS).flat();
const PATH = '/admin/security';

/** The log of what users and staff did, newest first. */
export const securityRoute = ({ securityLog }: Pick<AdminParts, 'securityLog'>): PageRoute =>
  staffGet(PATH, async (visit) => {
    const { query, session } = visit;
    const { number, severity, type, ip, refusal } = readFilter(query);
    const filters = filterForm(query, refusal);
    if (refusal) return staffPage(visit, 'Security log', filters, refusal);
    const { events, hasMore } = await securityLog.list({ page: number, before: readBefore(query), severity, type, ip });
    const part = { page: number, lowestId: events.at(-1)?.id, hasMore };
    return staffPage(
      visit,
      'Security log',
      html`${filters}
<p class="facts">${rowCountText(events.length, part, ['event', 'events'])}${part.page === 1 && !hasMore && '.'} IPs and user agents are erased after 90 days.</p>
${eventsTable(events, session.user.timezone)}
${paginationNav(PATH, query, part)}`,
    );
  });

function readFilter(query: URLSearchParams) {
  const [severity, type, ip] = [fieldText(query, 'severity'), fieldText(query, 'event_type'), fieldText(query, 'ip')];
  const number = readPageNumber(query);
  const fields: Record<string, string> = {
    ...(number === undefined ? WRONG_PAGE.fields : {}),
    ...(severity !== '' && !SEVERITIES.includes(severity as Severity)
      ? { severity: 'There is no such severity.' }
      : {}),
    ...(type !== '' && !TYPES.includes(type as SecurityEventType) ? { event_type: 'There is no such event.' } : {}),
    ...(ip !== '' && isIP(ip) === 0 ? { ip: 'This is no IP address.' } : {}),
  };
  const messages = Object.values(fields);
  const refusal: Refusal | undefined =
    messages.length === 0 ? undefined : { status: 422, message: messages.join(' '), fields };
  return {
    number: number ?? 1,
    severity: severity === '' ? undefined : (severity as Severity),
    type: type === '' ? undefined : (type as SecurityEventType),
    ip: ip === '' ? undefined : ip,
    refusal,
  };
}

function filterForm(query: URLSearchParams, refusal: Refusal | undefined): Html {
  const error = (name: string) => refusal?.fields[name];
  const any = ['', 'any'] as const;
  return html`<form method="get" action="${PATH}" role="search" class="filters">
${selectField({
  name: 'severity',
  label: 'Severity',
  value: fieldText(query, 'severity'),
  error: error('severity'),
  options: [any, ...SEVERITIES.map((one) => [one, one] as const)],
})}
${selectField({
  name: 'event_type',
  label: 'Event',
  value: fieldText(query, 'event_type'),
  error: error('event_type'),
  options: [any, ...TYPES.map((one) => [one, one] as const)],
})}
${textField({ name: 'ip', label: 'IP address', value: fieldText(query, 'ip'), error: error('ip') })}
<button type="submit">Filter</button></form>`;
}

export const eventsTable = (events: readonly SecurityEvent[], timezone: string): Html =>
  tableOrEmpty(
    'Security events',
    ['Time', 'Severity', 'Event', 'User', 'By', 'Path', 'IP', 'Browser'],
    events.map(
      ({ at, severity, type, userId, byUserId, path, ip, userAgent }) =>
        html`<tr><td>${timeTag(at, timezone)}</td><td>${badge(severity, SEVERITY_KINDS[severity])}</td><td>${type}</td><td>${userLink(userId)}</td><td>${userLink(byUserId)}</td><td>${path}</td><td>${ip}</td><td title="${userAgent}">${userAgent === null ? '' : browserName(userAgent)}</td></tr>`,
    ),
    'There are none.',
  );

const SEVERITY_KINDS = { info: '', warning: 'warn', critical: 'bad' } as const;

const userLink = (userId: number | null): Html | null =>
  userId === null ? null : html`<a href="/admin/users/${userId}">${userId}</a>`;
