/** A time zone: what clocks show there. */
export interface Zone {
  /** As in the IANA database. */
  readonly name: string;
  /** How far clocks are ahead of UTC at this time. */
  offsetMs(at: number): number;
}
