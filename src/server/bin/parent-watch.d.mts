export function watchParent(
  env: Record<string, string | undefined>,
  current: Pick<NodeJS.Process, 'ppid' | 'pid' | 'kill'>,
  every?: (look: () => void, milliseconds: number) => NodeJS.Timeout,
): void;
