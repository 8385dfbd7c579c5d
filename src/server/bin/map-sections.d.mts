export declare function divideMap(file: string): void;
