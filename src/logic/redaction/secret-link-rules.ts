/**
 * Addresses that open something for whoever has them: signed ones, and links that are mailed to log in once.
 *
 * Refused: ids in addresses, such as UUIDs and commits, which point to something and open nothing.
 */
import { type SecretRule, key, once } from "./secret-rules.ts";

export const linkRules: readonly SecretRule[] = [
  key("signed-address", "signature=", () => /[?&](?:[\w-]{1,20}-)?signature=(?<secret>[\w%+/~.-]{20,1400}={0,2})/dgi, {
    judge: "random",
  }),
  {
    name: "one-time-link",
    keywords: [
      ...["reset", "verif", "confirm", "activat", "invit", "magic", "recover", "unlock", "one-time", "passwordless"],
      ...["/login", "signin", "sign-in", "/join"],
    ],
    needs: "/",
    // Begins at the word, and looks back for the start of its part of the path.
    pattern: once(
      () =>
        /(?:reset|verif(?:y|ication)|confirm(?:ation)?|activat(?:e|ion)|invit(?:e|ation)s?|magic|recover(?:y)?|unlock|one-time|passwordless|login|sign-?in|join)(?<=\/[\w-]{0,24})[\w-]{0,24}(?:\/[a-z-]{1,20}){0,2}(?:\/|\/?\?(?:[\w.-]{1,30}=[\w.%-]{0,60}&){0,4}(?:t|h|k|c|s|code|token|key|hash|link|id|auth|ticket|nonce|otp|oob_?code|signature)=)(?![0-9a-f]{40}(?![\w-])|[0-9a-f]{8}-[0-9a-f]{4}-)(?<secret>[\w.~-]{16,400})(?![\w/~-])/dgi,
    ),
    minEntropy: 0,
    judge: "header",
  },
];
