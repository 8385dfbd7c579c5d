export function buildMcpBundle(folder: string, writeManifest: (folder: string, baseUrl: string) => void): Promise<void>;
