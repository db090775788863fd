export function isNewEnough(version: string, how: { fromSource: boolean }): boolean;
export function tooOld(how: { fromSource: boolean }): string;
