/**
 * Coefficients of relevance, fitted by logistic regression on the question sets of `bench/quality`, with questions that
 * no item answers among them: `npm run bench:calibrate`.
 */
import type { Kind } from "../../model/recall/ranking.ts";

export interface Coefficients {
  bias: number;
  cosine: number;
  words: number;
  match: number;
  /** Of the cosine times the share of the question that exact words cover. */
  overlap: number;
}

/** An item without a vector is judged by its other signals. */
interface Calibration {
  withVector: Coefficients;
  withoutVector: Coefficients;
}

type Row = readonly [bias: number, cosine: number, words: number, match: number, overlap?: number];

const coefficients = ([bias, cosine, words, match, overlap = 0]: Row): Coefficients => ({
  ...{ bias, cosine, words, match, overlap },
});

const calibration = (withVector: Row, withoutVector: Row): Calibration => ({
  withVector: coefficients(withVector),
  withoutVector: coefficients(withoutVector),
});

/** `byMatch` is for the kind's own recipe; for others a share of the highest score means something else. */
export const CALIBRATIONS: Readonly<Record<Kind, { byMatch: Calibration; bySignals: Calibration }>> = {
  memory: {
    byMatch: calibration([-6.6, 13.1, 5.8, 0, -6.7], [-3.9, 0, 8.7, 0]),
    bySignals: calibration([-6.6, 13.1, 5.8, 0, -6.7], [-3.9, 0, 8.7, 0]),
  },
  conversation: {
    byMatch: calibration([-10, 3.1, 2.1, 8.2], [-8.7, 0, 3, 7.6]),
    bySignals: calibration([-5.6, 5.6, 4.3, 0], [-4, 0, 5.7, 0]),
  },
  session: {
    byMatch: calibration([-11.7, 4.6, 0.9, 9], [-9.1, 0, 1.6, 7.6]),
    bySignals: calibration([-6.5, 6.7, 2.7, 0], [-4, 0, 3.4, 0]),
  },
  prose: {
    byMatch: calibration([-12.1, 5, 1.5, 8.7], [-9.5, 0, 3.9, 7.4]),
    bySignals: calibration([-7.9, 7.8, 4.2, 0], [-5, 0, 6.6, 0]),
  },
  code: {
    byMatch: calibration([-16.1, 6.7, 1.1, 10.5], [-8.4, 0, 1.7, 6.3]),
    bySignals: calibration([-9.9, 10.4, 2.3, 0], [-4.6, 0, 3.6, 0]),
  },
  report: {
    byMatch: calibration([-11.8, 9.9, 0, 6], [-5.4, 0, 0, 3.4]),
    bySignals: calibration([-7.5, 9.3, 0, 0], [-3.3, 0, 0, 0]),
  },
};
