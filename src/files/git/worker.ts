/** A thread that reads the commits of one repository once, and ends. It may be terminated at any moment. */
import { parentPort, workerData } from "node:worker_threads";
import { type HistoryOrder, readHistory } from "./commits.ts";

parentPort?.postMessage(readHistory(workerData as HistoryOrder));
