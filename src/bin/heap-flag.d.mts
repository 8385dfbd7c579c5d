export declare const HEAP_FLAG: string;
