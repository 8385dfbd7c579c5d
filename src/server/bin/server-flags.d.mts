export declare const HEAP_FLAG: string;
export declare const SERVER_FLAGS: readonly string[];
export declare function knownFlags(known: ReadonlySet<string>): readonly string[];
export declare function launcherFlags(given: readonly string[]): readonly string[];
export declare function missingServerFlags(
  current: Pick<NodeJS.Process, 'platform' | 'execArgv' | 'env' | 'allowedNodeEnvironmentFlags'> & {
    readonly execve?: unknown;
  },
): readonly string[];
