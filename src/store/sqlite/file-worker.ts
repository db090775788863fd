/** Runs long work on a whole file in a thread. */
import { parentPort, workerData } from "node:worker_threads";
import { type FileTask, runTask } from "./file-tasks.ts";

parentPort!.postMessage(runTask(workerData as FileTask));
