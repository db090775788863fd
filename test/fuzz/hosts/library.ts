/** Calls through the library, in this process. */
import { Failure, open, type Stele } from "../../../src/index.ts";
import { type Host, type Style, replyTo } from "../host.ts";
import { SETTINGS } from "../settings.ts";

type Verb = (input: unknown) => Promise<unknown>;

export async function libraryHost(home: string, work: string): Promise<Host> {
  let style: Style | null = null;
  const stele: Stele = await open({
    home,
    project: work,
    session: "fuzz",
    settings: SETTINGS,
    ask: async (question) => (style === null ? { action: "cancel" } : replyTo(question, style)),
  });
  return {
    home,
    hasDryRun: true,
    async call(call) {
      style = call.style;
      const name = call.op.name as "get";
      try {
        const answer = style.dryRun
          ? (await stele.dryRun(name, call.input as never)).answer
          : await (stele[name] as unknown as Verb)(call.input);
        return { answer, failure: null, complaints: [] };
      } catch (thrown) {
        if (thrown instanceof Failure) return { answer: null, failure: thrown.toJSON().error, complaints: [] };
        return { answer: null, failure: null, complaints: [`threw what is no failure: ${String(thrown)}`] };
      }
    },
    close: () => stele.close(),
  };
}
