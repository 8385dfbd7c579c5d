import { z } from 'zod';
import { EMBEDDED, type EngineName } from './engine-names.ts';
import { parseKafkaAddress } from './kafka-address.ts';
import { nonEmptyText } from './variable-schemas.ts';

export { EMBEDDED, ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from './engine-names.ts';

const HOST = String.raw`(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?`;

const addressOf = (scheme: string, path: string): RegExp =>
  new RegExp(String.raw`^(?:${scheme})://(?:([^@/?#\s]+)@)?${HOST}(?:,${HOST})*${path}(?:\?[^#\s]*)?$`, 'i');

interface AddressForm {
  /** For messages. */
  readonly form: string;
  readonly pattern: RegExp;
}

const FORMS: Readonly<Record<Exclude<EngineName, 'broker'>, AddressForm>> = {
  'event-log': {
    form: 'esdb://HOST:PORT or kurrentdb://HOST:PORT',
    pattern: addressOf(String.raw`(?:esdb|kurrentdb)(?:\+discover)?`, '/?'),
  },
  'read-store': {
    form: 'mongodb://HOST:PORT/DATABASE',
    pattern: addressOf(String.raw`mongodb(?:\+srv)?`, String.raw`(?:/[^/\\."$*<>:|?#\s]{0,63})?`),
  },
  registry: {
    form: 'postgres://HOST:PORT/DATABASE',
    pattern: addressOf('postgres|postgresql', String.raw`(?:/[^/?#\s]*)?`),
  },
  limits: { form: 'redis://HOST:PORT or rediss://HOST:PORT', pattern: addressOf('rediss?', String.raw`(?:/\d{0,4})?`) },
};

/** The address of an engine, or the embedded store. Errors never repeat the value, since it may contain a password. */
export const engineAddress = (engine: keyof typeof FORMS) =>
  nonEmptyText.transform((text, context) => {
    if (text === EMBEDDED || isAddress(text, FORMS[engine].pattern)) return text;
    const message = `must be ${FORMS[engine].form}, its credentials percent-encoded, or ${EMBEDDED} (the file in DATA_DIR)`;
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });

export const brokerAddress = nonEmptyText.transform((text, context) => {
  try {
    parseKafkaAddress(text);
    return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.issues.push({ code: 'custom', message: error.message, input: undefined });
    return z.NEVER;
  }
});

/** The form of this engine's address, for messages. */
export const describeAddressForm = (engine: EngineName): string =>
  engine === 'broker' ? 'kafka://HOST:PORT' : FORMS[engine].form;

function isAddress(text: string, pattern: RegExp): boolean {
  const match = pattern.exec(text);
  if (!match) return false;
  try {
    decodeURIComponent(match[1] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** An address that may be shown: without credentials and query. */
export const redactAddress = (address: string): string =>
  address.replace(/\?.*$/s, '').replace(/^([^:]*:\/\/)[^@]*@/, '$1');
