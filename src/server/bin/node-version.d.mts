export declare function findNodeProblem(version: string): string | undefined;
