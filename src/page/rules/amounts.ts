/** Amounts as people read them. */
const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

export function spokenBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}

export const spokenNumber = (value: number, language: string): string => new Intl.NumberFormat(language).format(value);

/** "1 memory", "2 memories". */
export function counted(count: number, one: string, many = `${one}s`, language = "en"): string {
  return `${spokenNumber(count, language)} ${count === 1 ? one : many}`;
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Prices are set by the person without a currency. */
export const spokenCost = (cost: number | null): string =>
  cost === null ? "no price set" : cost > 0 && cost < 0.01 ? "less than 0.01" : cost.toFixed(2);
