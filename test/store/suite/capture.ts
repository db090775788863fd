/** What is noted of sessions: events once each, checkpoints by one reader at a time, and how both are erased. */
import { testCheckpoints } from "./capture/checkpoints.ts";
import { testCaptureErasing } from "./capture/erasing.ts";
import { testEvents, testEvidenceSize } from "./capture/events.ts";
import type { CaptureStore, Make } from "./trial.ts";

export function testCapture(make: Make<CaptureStore>): void {
  testEvents(make);
  testEvidenceSize(make);
  testCheckpoints(make);
  testCaptureErasing(make);
}
