import { isTerraform } from "../source.ts";
import type { Container } from "../types.ts";

/** Terraform's own language. The parser is loaded with the first file. */
export const terraformFile: Container = {
  kind: "terraform",
  recognises: ({ name, text }) => text !== null && isTerraform(name),
  async read(source, reading) {
    const { readTerraformFile } = await import("../hcl/read.ts");
    return readTerraformFile(source, reading);
  },
};
