import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type Billing, createBilling, createInvoicing, type Invoicing } from '../accounts/billing/billing.ts';
import { createCreditBook } from '../accounts/credits/credit-book.ts';
import type { Credits } from '../accounts/credits/credits.ts';
import type { Journal } from '../accounts/journal/journal-files.ts';
import { type ChargesEntry, createJournaledLedger } from '../accounts/journal/journaled-ledger.ts';
import type { Payments } from '../payments/payments.ts';
import { openPayments, providerOf } from '../payments/provider.ts';
import type { Config } from '../settings/config.ts';
import type { Parts } from './parts.ts';

/** The credits of a folder's accounts. One book for each process: two would not know of each other's charges. */
export function openCredits(
  { log, store }: Pick<Parts, 'log' | 'store'>,
  logger: Pick<Logger, 'error'>,
  journal?: Journal<ChargesEntry>,
): Credits {
  const onTrouble = (error: unknown) =>
    logger.error({ err: error }, 'charges are late: the journal or the log did not take them');
  return createCreditBook({
    log,
    store,
    sink: journal && createJournaledLedger({ log, journal, later, onTrouble }),
    writerId: randomBytes(9).toString('base64url'),
    now: Date.now,
    steadyNow: () => performance.now(),
    later,
    onError: (error) => logger.error({ err: error }, 'charges could not be written to the log'),
    onTrouble,
  });
}

export interface OpenBilling extends Billing {
  readonly payments: Payments;
}

/** @param baseUrl the public address */
export async function openBilling(
  config: Config,
  parts: Parts,
  credits: Credits,
  logger: Logger,
  baseUrl: () => string,
): Promise<OpenBilling> {
  const payments = await openPayments(config);
  const { billingRegistry: registry, log, pepper } = parts;
  const billing = createBilling({
    log,
    registry,
    payments,
    credits,
    plans: config.plans,
    packs: config.packs,
    pepper,
    baseUrl,
    random: randomBytes,
    now: Date.now,
    later: (callback, milliseconds) => void setTimeout(callback, milliseconds).unref(),
    billingLog: logger,
  });
  return { ...billing, payments };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** For a command that works on a folder without a server. @param baseUrl the public address */
export function openInvoicing(config: Config, parts: Parts, baseUrl: string): Invoicing {
  const { log, billingRegistry: registry } = parts;
  const credits = openCredits(parts, silent);
  const { plans } = config;
  const provider = providerOf(config);
  const times = { random: randomBytes, now: Date.now };
  return createInvoicing({
    log,
    registry,
    provider,
    credits,
    plans,
    baseUrl: () => baseUrl,
    ...times,
    billingLog: silent,
  });
}

function later(callback: () => void, milliseconds: number): void {
  if (milliseconds === 0) setImmediate(callback);
  else setTimeout(callback, milliseconds);
}
