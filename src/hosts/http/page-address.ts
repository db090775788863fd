/**
 * Addresses of the page. What follows the `#` never leaves the browser: it is in no request, no log and no referrer.
 *
 * `code` lets a person in, `project` is the folder to show, `item` the handle of what to look at.
 */
export interface Shown {
  code?: string;
  project?: string;
  item?: string | null;
}

export function pageAddress(url: string, shown: Shown): string {
  const said = Object.entries(shown).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const address = new URL("/", url);
  address.hash = new URLSearchParams(said).toString();
  return address.href;
}
