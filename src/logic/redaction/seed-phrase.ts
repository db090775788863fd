/**
 * Finds the recovery phrases of wallets: 12 to 24 words of the list that BIP-39 prescribes.
 *
 * The list itself is not here, only a filter that knows all its words and mistakes one of a thousand others for one of
 * them; a dozen in a row is no mistake. A longer or an alphabetical row is a list of words, not a phrase. Ordinary
 * sentences need "the", "and" or "of", which the list does not have.
 */

const LEAST_WORDS = 12;
const MOST_WORDS = 28;
const SHORTEST = 3;
const LONGEST = 8;

interface Span {
  start: number;
  end: number;
}

/** Where such rows begin and end. Reads every text once, hence plain loops. */
export function seedPhrases(text: string): Span[] {
  const found: Span[] = [];
  let isKnown: ((word: string) => boolean) | undefined;
  let rowStart = 0;
  let words = 0;
  let letters = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) {
      letters++;
      continue;
    }
    const isBetween =
      code < 128 && BETWEEN[code] !== 0 && (BETWEEN[code] !== NUMBERING || isDigit(text.charCodeAt(at - 1)));
    if (isBetween && letters === 0) continue;
    const isWord = letters >= SHORTEST && letters <= LONGEST && opensWord(text, at - letters);
    if (isWord && words++ === 0) rowStart = at - letters;
    letters = 0;
    if (isBetween && isWord) continue;
    // The filter is unpacked when the first row of a dozen words is seen, which in most texts is never.
    if (words >= LEAST_WORDS) found.push(...phrasesIn(text, rowStart, at, (isKnown ??= knownWords())));
    words = 0;
  }
  return found;
}

/** What may stand between words: blanks, commas and quotes; digits, and the sign after the number of a list. */
const NUMBERING = 2;
const BETWEEN = new Uint8Array(128);
for (const char of ` \t\n\v\f\r,"'0123456789`) BETWEEN[char.charCodeAt(0)] = 1;
for (const char of ".)") BETWEEN[char.charCodeAt(0)] = NUMBERING;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** At the beginning of the text, after a blank or a quote. */
function opensWord(text: string, at: number): boolean {
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  return before === 32 || before === 34 || before === 39 || (before >= 9 && before <= 13);
}

/** The stretches of known words in this row that are as long as a phrase. */
function phrasesIn(text: string, from: number, until: number, isKnown: (word: string) => boolean): Span[] {
  const found: Span[] = [];
  let known: RegExpExecArray[] = [];
  const finish = () => {
    const [first, last] = [known[0], known.at(-1)];
    if (
      first &&
      last &&
      known.length >= LEAST_WORDS &&
      known.length <= MOST_WORDS &&
      !isSorted(known.map(([word]) => word))
    )
      found.push({ start: from + first.index, end: from + last.index + last[0].length });
    known = [];
  };
  for (const word of text.slice(from, until).matchAll(/[a-z]+/g)) {
    if (isKnown(word[0])) known.push(word);
    else finish();
  }
  finish();
  return found;
}

const isSorted = (words: readonly string[]): boolean => words.every((word, at) => at === 0 || words[at - 1]! < word);

const FILTER_BITS = 1 << 15;
const PROBES = 6;

/** A Bloom filter. */
function knownWords(): (word: string) => boolean {
  const bits = Buffer.from(FILTER, "base64");
  return (word) => placesOf(word).every((place) => (bits[place >> 3]! & (1 << (place & 7))) !== 0);
}

/** Where a word's bits are: FNV-1a, stretched to as many places as are probed. */
export function placesOf(word: string): number[] {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0;
  const step = (hash >>> 15) | 1;
  return Array.from({ length: PROBES }, (_, probe) => (hash + step * probe) % FILTER_BITS);
}

const FILTER =
  "wWZYfAcgNIQMAKYiQBQCgGA1A2gKSYU4dkTkQAAVRiDwEDNNcoqkCSQWCAMYhCIEcUZjhATIQ2mgopCpWAlCBQEGKxorKQgwCIcIEYSMtIkA6UqBioSgQMdDFEZY7ukIDJJCIAHFAJV14CgBMiUCGhAW7AKZAZgTCRQDITCCggkCGT2xJk4gRYB3AwFJGZUAE3gQOIEXRpBt5xKUmgAZASuhBAsiMsbwHICUbk/WDQAgMKAxeAM8AyEBC5AKAAEY9RAZoNOGg4ZsQmuQKCbAVcMFcVQIEETAaYwYQUJhhCPCZgAEFBBMISlqJh2RoAQACgOAAkxqhomQiHUYAI35Ku1AkDERo1ACgCsS9w+SQEYQBQCjANZBhjJCANyQoBYBRBBAQYCwBIeIMIoBLjkKEF8LCpcmAFwDwBCARYAAg0iAx2RAZiU9jREYKpAAEbhoYYMIEoALQyVRRAH4gMAQoQoiKJuPKLAqIIQhOgMZhEAUBFCAECA4gIhIoNxDYIMQkgamYfxG8KUAjomYHIKkBIDADFCBD4kNjVRWIpkVdEQFEWcdRyAsgCphAUMbQ9aIDZigSAFDASARCAoEIAFgViBAUEQWUBxgJdsHUC2ykIySAHsNNEpUF9IpGxTEFEgMBPGpFqGkAgACUMxozGIrqHYIo6WfDA5baQwiKEEwFwqPANAIEBACQRBQOnUcgKrAGGX/IoBkN8NEYVTCAOATFCiBKNiowCIDBhOClQAYaQAIFAMEEoCLUkiAIGuzcV5QcRBgCCA0GEvoykCACGAddgDOWCQEgklHIaaXDy7I0ygVRgCAYmACeotJAAhZUITCCSQR0RFCHJCAEIYwZJAfYqskEi+AolCYCgkBkUWN8RIChiARVA8AEmVAiTEgiExBUgas30IAcZCLACCFiYJAAMEDHrIUKEPqABgGOAJiAa4EVjjYYDTKEqIABBkTEpNgAQBAqIxuSoQE4MMSqkRQREAUqQqATCAASEYv0CSAiSATy7AgwoFEDUXFHjIgBMY85QLEAL0bACSYREjFJIRhQcWitAgFNAeU0xUiCDIAeCwhKEolBlAkAQAKoNWAAkIQrKYAHSANl8JahQDixMaEKrC5BQRQYgHwwkQYagwSiAQuAE4aXkEJoA0kzEsZJKOxOELExFhLwEgINQSlww5QwAYQEkTwBgIYBJpgitAwLiAoEJBMCKCFyKEqRRXCJEoJS5i37gRABEIMzlgb8BMhENADEhYIAABoUWCAMMQrFg5CVYgMQDBAZDCCVQAKw0TFUVDBgAHDIwJNKEHEGAKAGAGQJaIhEF3Qsg3CIkJEAzIE8gMABCgWDJDAIRkGpBkoD6AEdFMQIFIREQASUMCADBQZBoNxEgAiPyUC6AwAWoAiZaPsDAACoFAAQpCEKqzOgkgmAMCoEiSZhqhQkCiHQjiSgUCtGICQIYgGQDFCBDIApCGoT5ATAJEsAUSHSqcMmnjFgVRMTYRCII1KJ6jOACIToiqiRqGGfg1IcyZRQlMwjNN5TtoVIDAgSucSQCAkUTAEQCFSIoBrxFQmLgSGIIdBg0IxPIIBxECSQUiEEAJygGZ1gSRIAORIkAYIglIBIhwByBWAI5EAdRQgLAFEQ0ChAGCbEECYQqoMckNBIkBApKA+QSVQoAHCJySipgRWIQEcgWhjHACIADAIJBRacIlJHQACyG1YABIAAIBBgCEgIYElQAYNMjgjAFQY0ooAAk1GESUmdDYGYMhFDCfWcxFBIacQSoAmQkG4sQIQkkwB3hwuhAhDYDiRi+lI1zCKIQYrOs4YA5a4UIWxrXDAJ4Y2wGCAEoHQEEA45QZE0BgA9WIwACXCNQQgXV5UMEBIAACDYTkBkAAVVaIQo4YJytulphFADAhUl8IJ5GABkSwIAIAnFsqlCrxoEAgDsEBl4hM4XTBGkYCJdQHUBWABlYAkwDBT3TDAAKoAIGoRFwaKME1jAlwDSANAEABnyk7oASWlAGLFKBQggAFSnmAMwCBQYazxgwBgAILAYXAAJACiIE0LATu0gAAAS9aRKgSgyXAVAInGNIFINAYoAWEAFwAMTQAIGCClNJUEgjRCJFFEQ4LJ32ALF3EwABPA2zpkCDM5JAKhJS4CsgSlSscjQDikhgkBgcACQ6MVSAuMQT0F4OLiABEgRSsAwQLIrEwcgaMAiJ50TxkSFYhYYJCCkQRJRwAQASpJCoksOWaESiKMpHAChQyJK2Ayh2AsAiBRgKBVAUIirMxGKCKQTIhQRBIrAsCiBkCFNAjO2osgsEYEA8ZcGAQYiwgw6FAoaQkWAFa0RMaEJcA4xfCQSQMEJREYVGoslkEBkmAAgHAUm6ASyAIUC4ICAOEBQMQEhYKAAGJJBggqLNECv4ghkdRQBPAOABGCABJFgIgUIdqIEg6oeHiwwICjjEDCMkwQsQOiQQkWDCKAgYzRhhGKcAAASAqBAISjFgAoCiVjDgUDKKRMASAiAJR2gigUygC6QWQAyTAEgMggAAiIMqiIHFIARCApI4RKoIkjDIwAs1UWcTQUCMCCKHoBlE8nJSRgZoGQAGwDAQipZijQYARkgoUoCiMRy0SIHmYBARJpZDWD4IsjW2hLjQx8BGABEEAgcgZSakxISZYcSWJkgYhiyngUKClQzqURAALghYAYgSQnphwmHFqQoigAGiIAIJGU9wjWyERBQoDYGJ8OMAARW0CECGKO2gYIRIDRRBk6CEquyI4SRwBkAAqNoN8cAinCgiqkQgMjaoyIgAQt1ExBUEjVooDBAAsRBgCiQBAKEICMAMKP1EACcAQROgeIIWGZAg6EAA0FgGhsGNhIQICqACBTCiRo4YWAQMVBAAQMgGAAQAGQAuqEBgPNIQLRVgwBAgYUpQDKHY4AAFCqAYVAlCAQAAzKqSEj3URxFBZKkUUciG7pGBJFDQJgAiNSgBCDDRAAThlqIYCn2DQCYKAqw090AE4IgFgENEGABJxXBSIAHiriMHiPs4EgqgIESolQIIIABHAGkYEAMoHnNm/EVBIAGDXAFLUDgNmgmyglUAJNYxRRBItAAEDCFAlgAw0BANJAVpioC4AvBOApiREysD4YBYEKGEuZgDoQgJADGVgBiQgZqEAVGUSRDICXoCUAcckoDRiNGSTABQkywoIhIZEIBgE6t9FgWxhJiDSoUAIoGgoRQSi4RICSguIxoIDALgASEb1IAoUCIACAmBoCPQCM8CCBAAiUwTiQGnQQAEgEAELAgGNgJGdeBSMQGMgSCKAoTYwBigMYREMzIhLQIAmEk11ZAlOEEGCCSEAoFQIIgg0CIwUpTgRhqEUHJIIBBcuZcKQwyQWq4fDQOkoGI6CmBUJlACSQAIXooi6AOANYAjAQpSgRxAdbEQwIW7RlSFPOIIAYHY0wABCHOBIFBgLWULDEGkBAAeiSKQERFiEIEEHbgizUCEaiNGQRw4UCQAUDCgFLWwEPAQDK0SAQACQAAs5QpDf4JiAEBoRLABsBeBowiQBR6SQAiAoJSHEnAFhka4rAAYgCEAAAEwJKAsAMmQICAUggIIIFEogu0lQCBnAgekECgARzABCRJDigkQCBKrAL9BQAuF4LWAKJgsiBChB5gKIQBLMQGUkApIgBU+QFCgCAQJSDsQEUDrCRKQkcJBBCzBEkEXAYShFBAEocCawwaECAIBGCKBFi8SlGtoBJYqGQMowYAiLWDCNgQDkWqYCDBPmA6AAPRwWIKJECKJBIuAGCBPqURzgApFoYwQWB1EBHYFERPwIAlAYOGgDRFkDSIgGKBDCP8GQA6lIABvlWRYQAwTQEDIiz2ECQSbAITGJQWNESRsACgM4SoygwhIAigmGLIA0BcFoAJYGgVTo2zoIB0QaDmICQDaQVKSQgAAlFDgAwaAIAwhBSMIDIAkQHBknsCAgEXLBfMOFB0ICmVQDBHERUuMksljMRCCgASgAAUsABOgCASfSiPEkgepN0IwCAgIQECr8cAMwhhSnWTRCDQKUcAAIyFDCAEbYtUQRaAEAhUIMgQkIaMgBByAwAHgDMQDAMkoCDCCInICidGBwAzg8CAiaaCC4JA0YQZiURADBpoBBACJYIhCAEAppiboChkKAgIhDkUtBA6FkwDQIdJiAAK6ClUSBBMYKessgEEEmUQCwEDIiy3MEANKSikU2ggEKo5FuEKaFX5OgR1iCLAR8oPAGjq552IyBwKMW4FNPMkCkSmZUHGYWpwCOKgBhaysCAKQYI5Y3KuUxcokUUGUFALApMXhgIRuAEIFBmDQcAQwCmEXRCKJBQnAkI4UOAET1HSFyKZJAVDOJIgQ5RUAKEIIIPBCQ6QBAFkQgSFRbAAQxuEIJghIgkQAQSG2gkZiGcC3ScJgiUCAkgGAIgRREjS2mBsQJAKAFrGTKBAEIKA2sEBS8ppApS2QQggBcwCCcCxAR0KAjYGAgQgKiJEEUgnpWMRDykhBfhgAhQFIBo0dYUggAQFcmCQQ4HVABtosAZFYwISANACAKwIwmw4ARKKAiAAS1AALkCIJQygSAkIJZSoCymOoLUF+8ofMnVWRIGAgBhEqtlQCoBLQoHLiqAygKS2zGQLUFpJTJwwopjIJhFKAYBAAAOJcYASAEAYDIJABEVYZIBCMcVMjUwkAgyEAApxQgJkDIQSkZXGkiCMxKyAESJmLkBW7UBBoYKW4AAQKgbwRAqolygTqBUIMMIoICgc4Q8BFgcAmIDMqQngUAALOACzJAxwoYvEyA0QAsCWkGB2AgYTEKpCBMJR0MIBGcSgJHBJJwRobHAlQAAogKwrmGEapCPgCYfQJlAIIIIkBbURKICoCCKaiCCLFXKuCKhhsBFJIVAFRHIxeZECgRGgcMgwgL9gaSRAgIxxNQUAISOWwFoibCyhmYIEgjmA1EzdAoQZhKh5AsZHlAKIQiJEV0AaBD3YmVglgACEBFABwkzIgtQKBQoqDAAQNICghhWsACUklEllZ4SLAogCwSiaMcwgANHQg1CAU0YkAGgIjEAgZICqAQ0QMQAhYChAiE6fgBdCABEFgnRM4rAGB6QBEMpvFDiggQEAG3xhgKmoaDVRFhLOiSCJIFEgBMNJQgAoEQEERJjAQAQBRIAEKUpDjJIBo4o+SshLKSCIETXpERhmpLCzjO75CIEToqhCYwCACjSAGogSCGy5yYsdNEigk0FVWHICaSo4SFIIVABCApMRDYhfBMwEAgCckQ26EqkIKCtzESaolEAZgB05RRQQynoQZxREkARYQKApAmFgAFFpq9JiEbACMAEgkkGWDDHNhTA4AgCpyC8ETCGhQJBDAhQDUCQK4QDIAQRBhIiFQCInGUBaDOWNNUQBBoI8gD0oQgDSEFLGUMIQZCo4RZCYhAGEEwUIRUwsAB9lAiGoQpBC3CyYDAAwGkBjUCRH0ZY5EbQgYEGuYAQALBBSDEOUt1x5jBCamYBQlKKBVo4QTggpJYpQA==";
