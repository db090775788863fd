/**
 * Coefficients of relevance, fitted by logistic regression on the question sets of `bench/quality`, with questions that
 * no item answers among them.
 */
import type { Kind } from "../../model/recall/ranking.ts";

export interface Coefficients {
  bias: number;
  cosine: number;
  words: number;
  match: number;
}

/** An item without a vector is judged by its other signals. */
interface Calibration {
  withVector: Coefficients;
  withoutVector: Coefficients;
}

type Row = readonly [bias: number, cosine: number, words: number, match: number];

const coefficients = ([bias, cosine, words, match]: Row): Coefficients => ({ bias, cosine, words, match });

const calibration = (withVector: Row, withoutVector: Row): Calibration => ({
  withVector: coefficients(withVector),
  withoutVector: coefficients(withoutVector),
});

/** `byMatch` is for the kind's own recipe; for others a share of the highest score means something else. */
export const CALIBRATIONS: Readonly<Record<Kind, { byMatch: Calibration; bySignals: Calibration }>> = {
  memory: {
    byMatch: calibration([-6.1, 11.2, 3.0, 0.0], [-3.8, 0.0, 8.7, 0.0]),
    bySignals: calibration([-6.1, 11.2, 3.0, 0.0], [-3.8, 0.0, 8.7, 0.0]),
  },
  conversation: {
    byMatch: calibration([-10.1, 3.0, 1.6, 8.6], [-8.6, 0.0, 2.6, 7.6]),
    bySignals: calibration([-5.5, 5.8, 3.5, 0.0], [-3.9, 0.0, 4.9, 0.0]),
  },
  session: {
    byMatch: calibration([-12.0, 4.4, 0.6, 9.6], [-9.0, 0.0, 1.6, 7.5]),
    bySignals: calibration([-6.5, 6.7, 2.5, 0.0], [-4.0, 0.0, 3.3, 0.0]),
  },
  prose: {
    byMatch: calibration([-12.6, 5.0, 1.7, 9.1], [-9.1, 0.0, 4.6, 6.6]),
    bySignals: calibration([-8.3, 8.0, 4.6, 0.0], [-5.3, 0.0, 7.3, 0.0]),
  },
  code: {
    byMatch: calibration([-16.0, 6.8, 0.8, 10.5], [-8.0, 0.0, 2.0, 5.6]),
    bySignals: calibration([-9.8, 10.4, 2.0, 0.0], [-4.6, 0.0, 3.7, 0.0]),
  },
  report: {
    byMatch: calibration([-11.8, 10.0, 0.0, 5.9], [-5.2, 0.0, 0.0, 3.0]),
    bySignals: calibration([-7.6, 9.4, 0.0, 0.0], [-2.6, 0.0, 0.0, 0.0]),
  },
};
