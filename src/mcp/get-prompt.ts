import type { GetPromptResult } from "@modelcontextprotocol/server";
import { excerpt } from "../protocol/excerpt.ts";
import type { Runtime } from "../runtime.ts";
import type { View } from "./catalogue.ts";
import { internalError, invalidParams } from "./protocol-errors.ts";

/**
 * Most characters of the arguments together. The main thread renders and writes them: 400,000 took it 21 to 43 ms. The
 * largest policy that AWS takes has 20,480 bytes.
 */
const mostCharacters = 100_000;

/** @throws {ProtocolError} -32602 if the caller cannot see the prompt, an argument is missing, or the arguments are too long. */
export function getPrompt(
  host: { readonly runtime: Pick<Runtime, "engine" | "log"> },
  view: View,
  name: string,
  args: Readonly<Record<string, string>>,
): GetPromptResult {
  const prompt = view.prompts.get(name);
  if (!prompt) throw invalidParams(`Prompt ${excerpt(name)} not found`);
  const missing = prompt.arguments.filter(
    (argument) => argument.required && !Object.hasOwn(args, argument.name),
  );
  if (missing.length > 0) {
    const names = missing.map((argument) => argument.name).join(", ");
    const noun = missing.length === 1 ? "argument" : "arguments";
    throw invalidParams(`Prompt ${prompt.name} needs the ${noun} ${names}`);
  }
  const characters = Object.values(args).reduce((sum, { length }) => sum + length, 0);
  if (characters > mostCharacters) {
    throw invalidParams(
      `The arguments of prompt ${prompt.name} have ${characters} characters; the limit is ${mostCharacters}. Send a shorter policy.`,
    );
  }
  try {
    const text = prompt.render(args, {
      toolNames: view.toolNames,
      failOnSeverity: host.runtime.engine.settings.fail_on_severity,
    });
    return {
      description: prompt.description,
      messages: [{ role: "user", content: { type: "text", text } }],
    };
  } catch (error) {
    throw internalError(host, error, { prompt: prompt.name });
  }
}
