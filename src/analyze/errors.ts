import { ToolError } from "../errors.ts";

/** Errors that the SDK throws if no credential provider has credentials. */
const credentialErrors: ReadonlySet<string> = new Set([
  "CredentialsProviderError",
  "ProviderError",
  "TokenProviderError",
]);

interface Facets {
  readonly name: string;
  readonly message: string;
  /** Error code of Node or of the HTTP handler, such as `ENOTFOUND`. */
  readonly code: string | null;
  /** AWS answered with an error. */
  readonly fromApi: boolean;
}

function facetsOf(error: unknown): Facets {
  if (!(error instanceof Error)) return { name: "Error", message: "", code: null, fromApi: false };
  const { name, message } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const fromApi = "$fault" in error && isNamed(name);
  return { name, message, code: code ?? codeOfCause(error), fromApi };
}

function codeOfCause({ cause }: Error): string | null {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : null;
}

/** The SDK uses one of these names for error responses that it cannot parse. */
function isNamed(name: string): boolean {
  return name !== "" && name !== "Error" && name !== "UnknownError" && name !== "Unknown";
}

/** Shortens an error text of AWS to one line of limited length, for the calling model. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\p{C}+/gu, " ").trim();
  return line.length > 1_000 ? `${line.slice(0, 1_000)}…` : line;
}

/** @returns The tool error for an error of the SDK, without paths, hosts and stack. */
export function analyzerError(error: unknown, region: string): ToolError {
  const { name, message, code, fromApi } = facetsOf(error);
  if (credentialErrors.has(name)) {
    return new ToolError(
      "no_credentials",
      "The server has no AWS credentials, or could not load them. Its operator must provide some that allow access-analyzer:ValidatePolicy. Or call with engine local, which needs none.",
    );
  }
  if (fromApi) {
    return new ToolError(
      "cloud_api_error",
      `Access Analyzer in ${region} refused the call: ${oneLine(`${name}: ${message}`)}`,
    );
  }
  const reason = code ?? (name === "Error" ? "unknown error" : name);
  return new ToolError(
    "cloud_network_error",
    name === "SyntaxError" || name === "UnknownError" || name === "Unknown"
      ? unreadable(region)
      : `Access Analyzer in ${region} could not be reached (${oneLine(reason)}). Try again later.`,
  );
}

/** @returns The tool error for a response that does not match the API. */
export function unreadableAnswer(region: string): ToolError {
  return new ToolError("cloud_network_error", unreadable(region));
}

function unreadable(region: string): string {
  return `Access Analyzer in ${region} returned a response that could not be parsed. Try again later.`;
}
