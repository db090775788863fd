/** A thread that searches texts for a pattern. It may be terminated at any moment, even during a match. */
import { parentPort, workerData } from "node:worker_threads";
import { linesWith, type Order, type Sought } from "./regex-lines.ts";

const { source, flags } = workerData as Order;
const pattern = new RegExp(source, flags);

parentPort?.on("message", (sought: Sought) => parentPort?.postMessage(linesWith(pattern, sought)));
parentPort?.postMessage("ready");
