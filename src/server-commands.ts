/** Commands that run until they are told to stop, and what only they need. The build has them in a file of their own. */
const SERVER_COMMANDS = ["mcp", "serve", "open", "demo"] as const;
export type ServerCommand = (typeof SERVER_COMMANDS)[number];

export const isServer = (command: string): command is ServerCommand =>
  (SERVER_COMMANDS as readonly string[]).includes(command);
