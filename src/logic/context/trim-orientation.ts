/** An orientation of a few hundred tokens. */
import { ORIENTATION_PARTS, type Orientation } from "../../model/context/orientation.ts";
import { orientationText } from "../../model/context/orientation-text.ts";
import type { Zone } from "../../model/time/zone.ts";
import { estimatedTokens } from "../text/estimated-tokens.ts";
import { trimParts } from "./trim-parts.ts";

export const ORIENTATION_TOKENS = 600;

export const trimOrientation = (orientation: Orientation, zone: Zone): Orientation =>
  trimParts(orientation, ORIENTATION_PARTS, {
    tokensOf: (whole) => estimatedTokens(orientationText(whole, zone)),
    budgetTokens: ORIENTATION_TOKENS,
  });
