export interface KafkaAddress {
  /** Each as `host:port`. */
  readonly brokers: readonly string[];
  /**
   * Absent: connections are not encrypted. `ca`: file of the certificate authority; absent: Node's default authorities.
   */
  readonly tls?: { readonly ca?: string };
  readonly sasl?: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string };
}

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type SaslMechanism = (typeof SASL_MECHANISMS)[number];

const KAFKA_FORM =
  'kafka://[USER:PASSWORD@]HOST:PORT[,HOST:PORT...][?tls=true&ca=FILE&sasl=plain|scram-sha-256|scram-sha-512]';

const MEMBERS = new Set(['tls', 'ca', 'sasl']);

/**
 * Parses a broker's address, as in `BROKER_URL`. Credentials are percent-encoded.
 * @throws RangeError with the problem, but without the address, which may contain a password
 */
export function parseKafkaAddress(url: string): KafkaAddress {
  const parts = /^kafka:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw new RangeError(`must be ${KAFKA_FORM}`);
  const query = new URLSearchParams(parts[3] ?? '');
  for (const name of query.keys()) {
    if (!MEMBERS.has(name)) throw new RangeError(`knows no ${name}: it must be ${KAFKA_FORM}`);
    if (query.getAll(name).length > 1) throw new RangeError(`gives ${name} twice`);
  }
  const brokers = parts[2]!.split(',').map(checkedBroker);
  const tls = flag(query.get('tls'));
  const ca = query.get('ca');
  if (ca !== null && (!tls || ca === '')) throw new RangeError('may give ca only with tls=true, and then a file');
  const sasl = saslOf(parts[1], query.get('sasl'));
  return { brokers, ...(tls && { tls: ca === null ? {} : { ca } }), ...(sasl && { sasl }) };
}

function checkedBroker(text: string): string {
  const port = Number(/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(text)?.[1]);
  if (!(port >= 1 && port <= 65_535)) throw new RangeError('must name each broker as HOST:PORT');
  return text;
}

function flag(text: string | null): boolean {
  if (text !== null && text !== 'true' && text !== 'false') throw new RangeError('takes tls=true or tls=false');
  return text === 'true';
}

function saslOf(credentials: string | undefined, mechanism: string | null): KafkaAddress['sasl'] {
  if (mechanism !== null && !SASL_MECHANISMS.some((known) => known === mechanism)) {
    throw new RangeError(`takes sasl=${SASL_MECHANISMS.join(', sasl=')}`);
  }
  if (credentials === undefined) {
    if (mechanism !== null) throw new RangeError('needs USER:PASSWORD@ with sasl');
    return undefined;
  }
  const colon = credentials.indexOf(':');
  if (colon < 1) throw new RangeError('must give credentials as USER:PASSWORD@');
  const [username, password] = [credentials.slice(0, colon), credentials.slice(colon + 1)].map(decoded);
  return { mechanism: (mechanism ?? 'plain') as SaslMechanism, username: username!, password: password! };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('must give credentials percent-encoded');
  }
}
