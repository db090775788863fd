/** Somebody who reads an answer as it is rendered, with a clock in UTC. */
import { UTC } from "../../src/time/calendar.ts";

export const READER = { input: {}, now: 0, zone: UTC };
