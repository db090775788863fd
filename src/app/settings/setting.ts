/** A setting with the environment variable that overrides it. */
import type * as z from "zod";

export const setting = <T extends z.ZodType>(schema: T, env: string) => schema.meta({ env });
