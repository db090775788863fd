/** Messages between the embedder and its worker. Both belong to one package: nothing is validated. */
export interface WorkerOptions {
  readonly cacheFolder: string | null;
  readonly threads: number;
  /** The module that provides the ONNX runtime. */
  readonly runtime: string;
}

export interface Request {
  readonly id: number;
  readonly texts: readonly string[];
}

/** A Failure cannot cross processes with its class; these are its parts. */
export interface Trouble {
  readonly message: string;
  readonly hint: string;
}

export type Report =
  | { readonly kind: "ready" }
  /** The worker cannot start; `lasting` if trying again in this process is pointless. */
  | { readonly kind: "failed"; readonly trouble: Trouble; readonly lasting: boolean }
  /** The vectors of one request, concatenated. */
  | { readonly kind: "embedded"; readonly id: number; readonly vectors: Float32Array }
  | { readonly kind: "refused"; readonly id: number; readonly trouble: Trouble };
