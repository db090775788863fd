export const RECORD: string;
export function describeSources(root: string): string;
export function runsFromSource(root: string): boolean;
