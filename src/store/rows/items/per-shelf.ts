/** What belongs to one shelf, made when it is first used. */
import type { Shelf } from "../../../model/memory/shelf.ts";

/** Made for a shelf when it is first used. */
export function perShelf<T>(make: (shelf: Shelf) => T): (shelf: Shelf) => T {
  const made = new Map<Shelf, T>();
  return (shelf) => {
    const known = made.get(shelf) ?? make(shelf);
    made.set(shelf, known);
    return known;
  };
}
