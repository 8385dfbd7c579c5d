export declare const COMMANDS: Readonly<Record<string, readonly [file: string, summary: string]>>;
