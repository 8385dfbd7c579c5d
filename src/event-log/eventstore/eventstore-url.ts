/**
 * The settings that the client knows, in its normalized spelling. For an unknown setting the client logs a warning with
 * the whole URL, including the password.
 */
const SETTINGS = new Set([
  ...['tls', 'tlscafile', 'usercertfile', 'userkeyfile', 'connectionname', 'defaultdeadline', 'nodepreference'],
  ...['keepaliveinterval', 'keepalivetimeout', 'discoveryinterval', 'gossiptimeout', 'maxdiscoverattempts'],
]);

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/**
 * For settings that the URL does not set: no long waits, and requests go to the leader, because only the leader knows
 * the newest record.
 */
const DEFAULTS = { maxDiscoverAttempts: '3', gossipTimeout: '1', nodePreference: 'leader' };

/**
 * Turns a URL of EventStoreDB or KurrentDB into the form that the client takes, and adds the default settings.
 * @throws TypeError whose message holds only the name of a setting, because the URL may hold a password
 */
export function normalizeEventStoreUrl(url: string): string {
  if (!/^(?:esdb|kurrentdb)(?:\+discover)?:\/\/[^/?]/.test(url)) {
    throw new TypeError('takes esdb:// or kurrentdb:// (with +discover where the host names a cluster)');
  }
  const [base, query = ''] = url.replace(/^kurrentdb/, 'esdb').split('?', 2) as [string, string?];
  const given = new URLSearchParams(query);
  const names = new Set([...given.keys()].map((name) => plain(name)));
  const unknown = [...given.keys()].find((name) => !SETTINGS.has(plain(name)));
  if (unknown !== undefined) throw new TypeError(`has a setting that is not known: ${unknown}`);
  const missing = Object.entries(DEFAULTS).filter(([name]) => !names.has(plain(name)));
  const settings = [...(query === '' ? [] : [query]), ...missing.map(([name, value]) => `${name}=${value}`)];
  return `${base.replace(/\/$/, '')}/?${settings.join('&')}`;
}
