import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Section } from "./report.ts";
import { startServer } from "./servers.ts";

/** What a model reads before it can do anything: the list of tools and the instructions. */
export async function catalogueSection(): Promise<Section> {
  const server = await startServer("product");
  try {
    const tools = await server.rpc("tools/list");
    const discovered = await server.rpc("server/discover");
    const list = (tools.tools ?? []) as readonly { readonly name: string }[];
    const instructions = String(discovered.instructions ?? "");
    const row = (part: string, text: string) => ({
      part,
      characters: text.length,
      tokens: countTokens(text),
    });
    const parts = [
      ...list.map((tool) => row(`\`${tool.name}\``, JSON.stringify(tool))),
      row("instructions", instructions),
    ];
    const bare = list.map((tool) => ({ ...tool, outputSchema: undefined }));
    return {
      id: "catalogue",
      title: "Catalogue",
      about:
        "Size of tools/list and the instructions. Tokens: encoding o200k_base of gpt-tokenizer. Most clients show a model no output schema.",
      tables: [
        {
          title: "Size",
          rows: [
            ...parts,
            {
              part: "all",
              characters: parts.reduce((sum, { characters }) => sum + characters, 0),
              tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
            },
            row("all but output schemas", JSON.stringify(bare) + instructions),
          ],
        },
      ],
    };
  } finally {
    await server.stop();
  }
}
