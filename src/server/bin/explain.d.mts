export declare const FILES_NEEDED: number;
export declare function describeFileLimit(error: unknown): string;
export declare function explain(error: unknown): string;
