/** Random JSONC documents: values with comments, odd blanks, trailing commas, either line end, and perhaps a mark at the start. */
import fc from "fast-check";
import type { Json } from "../../src/agents/json-text.ts";

export interface Jsonc {
  text: string;
  value: { [key: string]: Json };
}

const KEYS = fc.constantFrom("mcpServers", "hooks", "SessionStart", "a", "b c", 'é"\\', "__proto__", "x");
const SCALARS = fc.constantFrom<Json>(null, true, 0, -1.5e3, "", "// no comment", "/* nor this */", 'say "hi"', "}]");
const GAPS = fc.constantFrom(
  ...[
    "",
    "",
    " ",
    "  ",
    "\n",
    "\n\n    ",
    "\t",
    ' // note ]}",\n',
    "/* c */",
    " /* two\nlines */ ",
    "\n  // alone  \n\t",
  ],
);

const { value } = fc.letrec<{ value: Json; object: { [key: string]: Json } }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, SCALARS, tie("object"), fc.array(tie("value"), { maxLength: 3 })),
  object: fc.array(fc.tuple(KEYS, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
}));
const object = fc.array(fc.tuple(KEYS, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));

/** A document whose root is an object. */
export const jsonc: fc.Arbitrary<Jsonc> = fc
  .tuple(object, fc.infiniteStream(GAPS), fc.infiniteStream(fc.nat(3)), fc.boolean(), fc.boolean())
  .map(([root, gaps, dice, isWindows, hasMark]) => {
    const gap = () => gaps.next().value as string;
    function write(one: Json): string {
      if (typeof one !== "object" || one === null) return JSON.stringify(one);
      const isList = Array.isArray(one);
      const items = isList
        ? one.map((inner) => gap() + write(inner) + gap())
        : Object.entries(one).map(
            ([key, inner]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${write(inner)}${gap()}`,
          );
      const comma = items.length > 0 && dice.next().value === 0 ? "," : "";
      return `${isList ? "[" : "{"}${items.join(",")}${comma}${gap()}${isList ? "]" : "}"}`;
    }
    const text = gap() + write(root) + gap();
    return { text: (hasMark ? "\ufeff" : "") + (isWindows ? text.replaceAll("\n", "\r\n") : text), value: root };
  });
