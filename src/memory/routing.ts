/**
 * Routing: which scope a memory belongs to, and why.
 *
 * An explicit scope wins, then a tag, then a lifetime, then what the text says, then the type. Every result carries its
 * reason and confidence, so that a person can check and correct it.
 */
import type { MemoryType, Scope } from "./item.ts";
import type { RoutingPreset } from "./space.ts";
import type { StatedScope } from "./stated-scope.ts";

export interface RoutingInput {
  content: string;
  type: MemoryType;
  tags: readonly string[];
  scope?: Scope | undefined;
  /** The caller gave an expiry. */
  hasLifetime: boolean;
  /** The caller named a session: the content belongs to it. */
  hasSession: boolean;
}

export interface Route {
  scope: Scope;
  reason: string;
  confidence: number;
  by: "caller" | "tag" | "ttl" | "text" | "type";
}

/** Where each type belongs if nothing else decides. */
interface RoutingTable {
  types: Partial<Record<MemoryType, readonly [Scope, string]>>;
  /** Reusable, generic code is global; otherwise it is routed like any other code. */
  sharesGenericCode: boolean;
}

const TAG_SCOPES: readonly [string, Scope][] = [
  ["temp", "working"],
  ["global", "global"],
  ["project", "project"],
];

/** A scope tag says where a memory belongs, not what it is about. */
export const isScopeTag = (tag: string): boolean => TAG_SCOPES.some(([name]) => name === tag);

const COMMON_TYPES: RoutingTable["types"] = {
  scratchpad: ["working", "scratch notes are temporary"],
  message: ["working", "messages are transient"],
  thought: ["working", "thoughts are transient"],
  preference: ["global", "preferences belong to the person"],
  decision: ["project", "decisions belong to the project"],
  bug_fix: ["project", "fixes belong to the project"],
  documentation: ["project", "documentation belongs to the project"],
  error: ["project", "errors belong to the project"],
};

export const ROUTING_TABLES: Readonly<Record<RoutingPreset, RoutingTable>> = {
  default: {
    types: {
      ...COMMON_TYPES,
      pattern: ["project", "patterns belong to the project"],
      convention: ["project", "conventions belong to the project"],
    },
    sharesGenericCode: false,
  },
  seed: {
    types: {
      ...COMMON_TYPES,
      pattern: ["global", "patterns are reusable across projects"],
      convention: ["global", "conventions hold across projects"],
    },
    sharesGenericCode: true,
  },
};

/** `stated` is what the text itself says. */
export function route(input: RoutingInput, table: RoutingTable, stated: StatedScope | null = null): Route {
  if (input.scope) return { scope: input.scope, reason: "scope given", confidence: 1, by: "caller" };
  for (const [tag, scope] of TAG_SCOPES) {
    if (input.tags.includes(tag)) return { scope, reason: `tagged ${tag}`, confidence: 0.95, by: "tag" };
  }
  if (input.hasLifetime) return { scope: "working", reason: "lifetime given", confidence: 0.9, by: "ttl" };
  const byType = routeByType(input, table);
  return (stated && routeByText(input, stated, byType)) ?? byType;
}

/** A rule, a wish or something known; not code, what happened to it, or what was done. */
const MAY_HOLD_EVERYWHERE: ReadonlySet<MemoryType> = new Set<MemoryType>([
  "preference",
  "convention",
  "pattern",
  "gotcha",
  "fact",
  "context",
  "documentation",
  "observation",
]);

function routeByText({ type }: RoutingInput, stated: StatedScope, byType: Route): Route | null {
  if (type === "decision") return null;
  if (stated.scope === "global" && !MAY_HOLD_EVERYWHERE.has(type)) return null;
  // A working memory is in this project already; the text does not say that it lasts.
  if (stated.scope === "project" && byType.scope === "working") return null;
  return { scope: stated.scope, reason: `the text says "${stated.phrase}"`, confidence: 0.85, by: "text" };
}

function routeByType(input: RoutingInput, { types, sharesGenericCode }: RoutingTable): Route {
  if (input.type === "code") return routeCode(input, sharesGenericCode);
  const found = types[input.type];
  if (found) return { scope: found[0], reason: found[1], confidence: 0.8, by: "type" };
  return { scope: "project", reason: "default scope", confidence: 0.6, by: "type" };
}

function routeCode({ content, hasSession }: RoutingInput, sharesGenericCode: boolean): Route {
  if (sharesGenericCode && isReusable(content) && isGeneric(content)) {
    return { scope: "global", reason: "reusable, generic code", confidence: 0.85, by: "type" };
  }
  if (hasSession) return { scope: "working", reason: "code of one session", confidence: 0.75, by: "type" };
  return { scope: "project", reason: "code of this project", confidence: 0.7, by: "type" };
}

const REUSABLE = [
  /\bfunction\s+\w+\s*\([^)]{0,500}\)/,
  /\b(class|interface|trait|struct|enum)\s+\w+/,
  /\bexport\s+(const|let|function|default|class)\b/,
  /\b(def|fn|func)\s+\w+\s*[(<]/,
  /@\w+\s*\(/,
];

/** Signs that code depends on its own project: relative imports, paths, URLs, settings. */
const PARTICULAR = [
  /\b(from|import|require\()\s*["']\.{1,2}\//,
  /["'](\/|[A-Za-z]:\\)[\w.-]+[/\\]/,
  /https?:\/\/(?!example\.)/,
  /\b(process\.env|os\.environ|getenv)\b/,
];

const isReusable = (content: string) => hasDocumentation(content) || REUSABLE.some((sign) => sign.test(content));
const isGeneric = (content: string) => !PARTICULAR.some((sign) => sign.test(content));

/** Not a regular expression: that would search for the end again from every beginning. */
function hasDocumentation(content: string): boolean {
  const start = content.indexOf("/**");
  return start >= 0 && content.includes("*/", start + 3);
}
