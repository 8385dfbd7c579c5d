import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { realTimer, withTimeout } from '../../platform/async/timer.ts';
import type { KafkaAddress } from '../../platform/settings/kafka-address.ts';
import { BrokerUnavailable, ProducerFenced } from '../broker/broker-client.ts';

const CONNECT_TIMEOUT = 1500;
/** For one request; milliseconds. */
export const REQUEST_TIMEOUT = 3500;
/** So few retries that a missing broker becomes an error within 5 s. */
export const RETRY = { initialRetryTime: 50, maxRetryTime: 400, multiplier: 2, factor: 0.2, retries: 3 } as const;

/** The client's own log is silent: failures reach the callers as errors. */
export function kafkaConfigOf({ brokers, tls, sasl }: KafkaAddress): KafkaConfig {
  return {
    clientId: 'ledgerline',
    brokers: [...brokers],
    ...(tls && { ssl: tls.ca === undefined ? true : { ca: [readFileSync(tls.ca, 'utf8')] } }),
    ...(sasl && { sasl: { ...sasl } as SASLOptions }),
    connectionTimeout: CONNECT_TIMEOUT,
    authenticationTimeout: REQUEST_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    enforceRequestTimeout: true,
    retry: RETRY,
    logLevel: logLevel.NOTHING,
  };
}

const FENCED = new Set([
  'INVALID_PRODUCER_EPOCH',
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_ID_MAPPING',
  'UNKNOWN_PRODUCER_ID',
]);

/** Translates an error of the client. */
export function toBrokerError(error: unknown): Error {
  if (error instanceof BrokerUnavailable || error instanceof ProducerFenced) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (FENCED.has((cause as Error & { type?: string }).type ?? '')) return new ProducerFenced(error);
  }
  return new BrokerUnavailable(error);
}

/** For a whole call, including the client's own retries; milliseconds. */
const RESPONSE_TIMEOUT = 4500;
/** Answers that a broker gives only for moments: while topics are created, or move to another node. */
const TRANSIENT_ERRORS = new Set([
  ...['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'REPLICA_NOT_AVAILABLE'],
  ...['GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP', 'GROUP_LOAD_IN_PROGRESS'],
]);
const RETRY_DELAY = 50;

function isTransient(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (TRANSIENT_ERRORS.has((cause as Error & { type?: string }).type ?? '')) return true;
    // The broker creates its topic of group offsets at the first request for it.
    if (cause.name === 'KafkaJSGroupCoordinatorNotFound') return true;
  }
  return false;
}

/**
 * Repeats the request while the error is transient.
 * @param waitMs how long the broker may let the request wait on purpose. @throws the errors of `withBrokerErrors`
 */
export function retryTransientErrors<T>(ask: () => Promise<T>, waitMs = 0): Promise<T> {
  const timeout = RESPONSE_TIMEOUT + waitMs;
  const deadline = performance.now() + timeout;
  const retry = async (): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isTransient(error) || performance.now() > deadline - RETRY_DELAY) throw error;
        await sleep(RETRY_DELAY);
      }
    }
  };
  return withBrokerErrors(retry(), timeout);
}

/** @throws BrokerUnavailable, ProducerFenced; within seconds, even if the broker hangs */
export async function withBrokerErrors<T>(answer: Promise<T>, timeout = RESPONSE_TIMEOUT): Promise<T> {
  try {
    return await withTimeout(realTimer, timeout, answer, () => new Error(`no answer within ${timeout} ms`));
  } catch (error) {
    throw toBrokerError(error);
  }
}
