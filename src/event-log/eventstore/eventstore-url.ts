/** What the client knows, as it compares names. Of what it does not know it warns with the whole address, and the password. */
const SETTINGS = new Set([
  ...['tls', 'tlscafile', 'usercertfile', 'userkeyfile', 'connectionname', 'defaultdeadline', 'nodepreference'],
  ...['keepaliveinterval', 'keepalivetimeout', 'discoveryinterval', 'gossiptimeout', 'maxdiscoverattempts'],
]);

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** Of those that are not told: nothing waits for long, and the leader is asked, which alone knows the newest record. */
const DEFAULTS = { maxDiscoverAttempts: '3', gossipTimeout: '1', nodePreference: 'leader' };

/**
 * An address of EventStoreDB or KurrentDB as the client takes it, with what is not told in it.
 * @throws TypeError that names no part of it but a setting's name: it may hold a password
 */
export function normalizeEventStoreUrl(url: string): string {
  if (!/^(?:esdb|kurrentdb)(?:\+discover)?:\/\/[^/?]/.test(url)) {
    throw new TypeError('takes esdb:// or kurrentdb:// (with +discover where the host names a cluster)');
  }
  const [base, query = ''] = url.replace(/^kurrentdb/, 'esdb').split('?', 2) as [string, string?];
  const told = new URLSearchParams(query);
  const names = new Set([...told.keys()].map((name) => plain(name)));
  const unknown = [...told.keys()].find((name) => !SETTINGS.has(plain(name)));
  if (unknown !== undefined) throw new TypeError(`has a setting that is not known: ${unknown}`);
  const missing = Object.entries(DEFAULTS).filter(([name]) => !names.has(plain(name)));
  const settings = [...(query === '' ? [] : [query]), ...missing.map(([name, value]) => `${name}=${value}`)];
  return `${base.replace(/\/$/, '')}/?${settings.join('&')}`;
}
