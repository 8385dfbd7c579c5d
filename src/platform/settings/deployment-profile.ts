import type { z } from 'zod';
import { describeAddressForm, EMBEDDED, ENGINE_NAMES, ENGINE_VARIABLES, type EngineName } from './engine-settings.ts';
import type { FeedName } from './feed-settings.ts';

export const ROLES = ['api', 'ingest', 'projector', 'webhooks', 'relay', 'intelligence'] as const;
export type Role = (typeof ROLES)[number];

/** The engines that a process with a role requires. */
export const ENGINES_OF_ROLE: Readonly<Record<Role, readonly EngineName[]>> = {
  api: ENGINE_NAMES,
  // The read store is also needed if feeds, or requests that wait for projections, use it.
  ingest: ['event-log', 'registry', 'broker'],
  projector: ['event-log', 'read-store', 'broker'],
  webhooks: ENGINE_NAMES,
  relay: ['event-log', 'broker'],
  intelligence: ['event-log', 'read-store', 'broker'],
};

/** The settings of a process with remote engines. */
export interface ClusterSettings {
  /** With credentials. */
  readonly addresses: Readonly<Partial<Record<EngineName, string>>>;
  /** How long a member of a consumer group may be silent before others take over its partitions, in milliseconds. */
  readonly sessionMs: number;
}

type EngineValues = {
  readonly [Engine in EngineName as (typeof ENGINE_VARIABLES)[Engine]]?: string | undefined;
};

interface ProfileValues extends EngineValues {
  readonly ROLES: readonly Role[];
  readonly KEY_PEPPER?: string | undefined;
  readonly SESSION_SECRET?: string | undefined;
  readonly BASE_URL?: string | undefined;
  readonly FEEDS?: readonly FeedName[] | undefined;
  readonly RETAIN_ODDS?: number | undefined;
  readonly BACKUP_URL?: string | undefined;
  readonly MQTT_URL?: string | undefined;
  readonly MQTT_TEAMS: readonly unknown[];
  readonly GROUP_SESSION_SECONDS: number;
}

const SECRET_LENGTH = 32;

/** Undefined: everything is embedded. */
export function toClusterSettings(values: ProfileValues): ClusterSettings | undefined {
  const addresses = Object.fromEntries(
    ENGINE_NAMES.flatMap((engine) => {
      const address = values[ENGINE_VARIABLES[engine]];
      return address === undefined || address === EMBEDDED ? [] : [[engine, address]];
    }),
  );
  if (Object.keys(addresses).length === 0) return undefined;
  return { addresses, sessionMs: values.GROUP_SESSION_SECONDS * 1000 };
}

type Problem = readonly [variable: string, message: string];

/**
 * Checks variables that depend on each other: either all engines are embedded, or the engines that the roles need are
 * remote.
 */
export function checkProfile(values: ProfileValues, context: z.RefinementCtx): void {
  const cluster = toClusterSettings(values);
  const problem = cluster ? findClusterProblem(values, cluster) : findSingleProcessProblem(values);
  if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] });
}

function findSingleProcessProblem({ ROLES: roles, MQTT_URL, MQTT_TEAMS }: ProfileValues): Problem | undefined {
  if (MQTT_URL !== undefined && MQTT_TEAMS.length === 0) {
    return ['MQTT_TEAMS', 'must name the teams to publish, such as nfl:Kansas City Chiefs, beside MQTT_URL'];
  }
  if (roles.length === ROLES.length) return undefined;
  const all = 'with embedded stores one process plays all roles: leave it unset';
  return ['ROLES', `${all}, or give the addresses of the engines, from EVENT_LOG_URL to BROKER_URL`];
}

function findClusterProblem(values: ProfileValues, { addresses }: ClusterSettings): Problem | undefined {
  const roles = values.ROLES;
  const beside = ENGINE_VARIABLES[ENGINE_NAMES.find((engine) => addresses[engine] !== undefined)!];
  for (const engine of ENGINE_NAMES.filter((one) => addresses[one] === undefined)) {
    const variable = ENGINE_VARIABLES[engine];
    const form = describeAddressForm(engine);
    const role = roles.find((one) => ENGINES_OF_ROLE[one].includes(engine));
    if (role !== undefined) return [variable, `must be ${form} beside ${beside}: the role ${role} needs it`];
    if (values[variable] === EMBEDDED) {
      return [variable, `no store is embedded beside ${beside}; leave it unset, or give ${form}`];
    }
  }
  if (values.FEEDS?.includes('demo')) return ['FEEDS', 'the demo plays on embedded stores alone'];
  const polls = values.FEEDS?.some((feed) => feed !== 'none') ?? false;
  if (polls && roles.includes('ingest') && addresses['read-store'] === undefined) {
    return ['READ_STORE_URL', `must be ${describeAddressForm('read-store')}: FEEDS go by it`];
  }
  if (values.RETAIN_ODDS !== undefined) {
    return ['RETAIN_ODDS', `only the embedded log has an archive; leave it unset beside ${beside}`];
  }
  if (values.BACKUP_URL !== undefined) {
    return ['BACKUP_URL', `only embedded stores are backed up by the server; leave it unset beside ${beside}`];
  }
  if (values.MQTT_URL !== undefined) {
    return ['MQTT_URL', `only a server with embedded stores publishes to a broker; leave it unset beside ${beside}`];
  }
  if (roles.includes('api') || roles.includes('webhooks')) {
    const short = (['KEY_PEPPER', 'SESSION_SECRET'] as const).find((one) => (values[one]?.length ?? 0) < SECRET_LENGTH);
    const message = `must be a secret of at least ${SECRET_LENGTH} characters, the same in all processes of a cluster`;
    if (short) return [short, message];
  }
  if (roles.includes('api') && values.BASE_URL === undefined) {
    return ['BASE_URL', 'must be the public http or https address of the cluster'];
  }
  return undefined;
}
