import type { AlertFormat } from '../../domain/alerts/alert-formats.ts';

/** How the addresses of a service look. */
interface AddressForm {
  /** Of path and query. The groups are secret. */
  readonly pattern: RegExp;
  /** The form in words, after "must". */
  readonly words: string;
}

const FORMS: Readonly<Record<Exclude<AlertFormat, 'ledgerline' | 'email'>, AddressForm>> = {
  discord: {
    pattern:
      /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{1,25})\/([\w-]{1,200})(?:\?(?:thread_id=\d{1,25}|wait=(?:true|false)|&)+)?$/d,
    words: 'be a webhook of Discord: https://discord.com/api/webhooks/ID/TOKEN',
  },
  slack: {
    pattern: /^(?:\/services\/(\w{1,40})\/(\w{1,40})\/(\w{1,100})|(?:\/[\w-]{1,60}){0,3}\/hooks\/(\w{1,100}))$/d,
    words: 'be an incoming webhook: https://hooks.slack.com/services/T/B/TOKEN, or https://HOST/hooks/TOKEN',
  },
  telegram: {
    pattern:
      /^\/bot(\d{1,20}:[\w-]{1,100})\/sendMessage\?chat_id=(?:-?\d{1,20}|(?:@|%40)\w{1,64})(?:&message_thread_id=\d{1,20})?$/d,
    words: 'be https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID',
  },
  ntfy: {
    pattern: /^\/([\w-]{1,64})(?:\?auth=([\w-]{1,500}))?$/d,
    words: 'be a topic of ntfy: https://ntfy.sh/TOPIC',
  },
};

const HIDDEN = '…';
/** Of a shorter secret nothing is shown: its end would say too much. */
const SHOWN_FROM = 8;
const SHOWN = 4;

const isService = (format: AlertFormat): format is keyof typeof FORMS => Object.hasOwn(FORMS, format);

/** Why a URL is no address of this service, in words that follow the name of the field; undefined if it is one. */
export function refuseAddress(format: AlertFormat, url: string): string | undefined {
  if (!isService(format)) return undefined;
  const { pattern, words } = FORMS[format];
  return pattern.test(pathOf(url)) ? undefined : `must ${words}`;
}

/**
 * The address as it is stored in the clear, shown and logged: without its secrets, but for the last four characters of
 * the last one. Addresses without secrets are shown whole.
 */
export function maskAddress(format: AlertFormat, url: string): string {
  if (!isService(format)) return url;
  const path = pathOf(url);
  const origin = url.slice(0, url.length - path.length);
  const places = (FORMS[format].pattern.exec(path)?.indices ?? []).slice(1).filter((place) => place !== undefined);
  if (places.length === 0) return `${origin}/${HIDDEN}`;
  const token = format === 'ntfy' ? places[0] : places.at(-1);
  let shown = origin;
  let end = 0;
  for (const place of places) {
    shown += path.slice(end, place[0]) + maskSecret(path.slice(...place), place === token);
    end = place[1];
  }
  return shown + path.slice(end);
}

const maskSecret = (secret: string, showsEnd: boolean): string =>
  showsEnd && secret.length >= SHOWN_FROM ? HIDDEN + secret.slice(-SHOWN) : HIDDEN;

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
