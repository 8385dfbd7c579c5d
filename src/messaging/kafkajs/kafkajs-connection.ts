import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { realTimer, withTimeout } from '../../platform/async/timer.ts';
import type { KafkaAddress } from '../../platform/settings/kafka-address.ts';
import { BrokerUnavailable, ProducerFenced } from '../broker/broker-client.ts';

const CONNECT_TIMEOUT = 1500;
/** Of one request; milliseconds. */
export const REQUEST_TIMEOUT = 3500;
/** So few that a broker that is away is an error within 5 s. */
export const RETRY = { initialRetryTime: 50, maxRetryTime: 400, multiplier: 2, factor: 0.2, retries: 3 } as const;

/** Its own log stays silent: what fails is told as an error to whoever asked. */
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

/** What the client's errors mean to us. */
export function toBrokerError(error: unknown): Error {
  if (error instanceof BrokerUnavailable || error instanceof ProducerFenced) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (FENCED.has((cause as Error & { type?: string }).type ?? '')) return new ProducerFenced(error);
  }
  return new BrokerUnavailable(error);
}

/** Of all that one question takes, with whatever the client tries again in between; milliseconds. */
const RESPONSE_TIMEOUT = 4500;
/** What a broker answers for moments: while topics are being made, or go over to another node. */
const TRANSIENT_ERRORS = new Set([
  ...['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'REPLICA_NOT_AVAILABLE'],
  ...['GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP', 'GROUP_LOAD_IN_PROGRESS'],
]);
const RETRY_DELAY = 50;

function isTransient(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    if (TRANSIENT_ERRORS.has((cause as Error & { type?: string }).type ?? '')) return true;
    // Of what the broker keeps about groups, which it makes when it is asked for the first time.
    if (cause.name === 'KafkaJSGroupCoordinatorNotFound') return true;
  }
  return false;
}

/** Asks again where the answer is one of those that pass. @throws as `orAway` */
export function retryTransientErrors<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RESPONSE_TIMEOUT;
  const persist = async (): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isTransient(error) || performance.now() > deadline - RETRY_DELAY) throw error;
        await sleep(RETRY_DELAY);
      }
    }
  };
  return withBrokerErrors(persist());
}

/** @throws BrokerAway, Fenced; within seconds, also where the broker hangs */
export async function withBrokerErrors<T>(asked: Promise<T>): Promise<T> {
  try {
    return await withTimeout(
      realTimer,
      RESPONSE_TIMEOUT,
      asked,
      () => new Error(`no answer within ${RESPONSE_TIMEOUT} ms`),
    );
  } catch (error) {
    throw toBrokerError(error);
  }
}
