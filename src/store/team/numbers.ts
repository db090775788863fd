/**
 * Numbers of passages and records in two stores at once.
 *
 * Each store counts on its own. Numbers of the own store are raised far above any that a store reaches, so that one number
 * says in which store it is, and an order by number stays one.
 */
const OWN_FROM = 2 ** 50;

export const isOwnNumber = (number: number): boolean => number >= OWN_FROM;
export const raised = (number: number): number => number + OWN_FROM;
export const lowered = (number: number): number => number - OWN_FROM;

export interface DividedNumbers {
  own: number[];
  shared: number[];
}

export const dividedNumbers = (numbers: readonly number[]): DividedNumbers => ({
  own: numbers.filter(isOwnNumber).map(lowered),
  shared: numbers.filter((number) => !isOwnNumber(number)),
});
