export declare function nameSourceLines(): void;
