/** Long work on a whole file, in a thread: nobody else waits for it. */
import { parentPort, workerData } from "node:worker_threads";
import { type FileTask, runTask } from "./file-tasks.ts";

parentPort!.postMessage(runTask(workerData as FileTask));
