/**
 * The objects of a list that somebody was asked for, whatever surrounds it: fences, prose, or its own end missing.
 *
 * What is broken is left out, and the rest is still read.
 */
export function listedObjects(text: string, name: string): Record<string, unknown>[] {
  const whole = parsed(text.slice(Math.max(0, text.search(/[[{]/)), text.search(/[\]}][^\]}]*$/) + 1));
  const list = Array.isArray(whole) ? whole : whole?.[name];
  return Array.isArray(list) ? list.filter((one) => one !== null && typeof one === "object") : jsonObjects(text);
}

/** The innermost objects in a text. */
export function jsonObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  let [start, isText] = [-1, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isText && character === "\\") index += 1;
    // Outside an object a quote means nothing: prose has apostrophes and quotes of its own.
    else if (character === '"' && start >= 0) isText = !isText;
    else if (isText) continue;
    else if (character === "{") start = index;
    else if (character === "}" && start >= 0) {
      const value = parsed(text.slice(start, index + 1));
      if (value !== null) found.push(value);
      start = -1;
    }
  }
  return found;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
