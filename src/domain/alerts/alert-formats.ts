/** The forms that a subscription's messages can have. `ledgerline` is the signed webhook; the others are for people. */
export const ALERT_FORMATS = ['ledgerline', 'discord', 'slack', 'telegram', 'ntfy', 'email'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];
/** A format whose messages people read. */
export type PeopleFormat = Exclude<AlertFormat, 'ledgerline'>;
/** A format whose messages a service takes by HTTP. */
export type ServiceFormat = Exclude<PeopleFormat, 'email'>;

/** Seconds. */
export const MAX_QUIET = 3600;

/** Seconds between two messages about one event, unless the subscription says otherwise. */
export const defaultQuiet = (format: AlertFormat): number => (format === 'ledgerline' ? 0 : 30);
