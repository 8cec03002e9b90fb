import type { LoginProvider } from "../../../spec/login.ts";
import {
  base,
  githubVariables,
  keyOne,
  keyTwo,
  type Variables,
} from "../../support/login/variables.ts";
import type { FrontName, Row } from "../login.table.ts";
import { authorizeRows } from "./authorize.ts";
import { callbackRows, consentRows } from "./browser.ts";
import { discoveryRows } from "./discovery.ts";
import { registerRows } from "./register.ts";
import { mcpRows, refreshRows, revokeRows, tokenRows } from "./token.ts";

export const rows: readonly Row[] = [
  ...discoveryRows,
  ...registerRows,
  ...authorizeRows,
  ...consentRows,
  ...callbackRows,
  ...tokenRows,
  ...refreshRows,
  ...revokeRows,
  ...mcpRows,
];

const keys = { OAUTH_KEYS: `${keyOne},${keyTwo}` };
const map =
  '{"login:octocat":["iam:validate","iam:query"],"login:octocat-query":["iam:query"],"sub:42":["iam:config"]}';
const github: Variables = { ...githubVariables, ...keys, SCOPE_MAP: map };
/** Settings of each front. */
export const fronts: Readonly<Record<FrontName, { auth: LoginProvider; variables: Variables }>> = {
  github: { auth: "github", variables: github },
  documents: {
    auth: "github",
    variables: {
      ...github,
      OAUTH_METADATA_HOSTS: "client.example,localhost",
      OAUTH_REDIRECTS: "loopback,editors,https://chatgpt.com/connector/oauth/*",
    },
  },
  "no refresh": { auth: "github", variables: { ...github, OAUTH_SESSION_S: "0" } },
  strict: {
    auth: "github",
    variables: { ...github, REQUIRED_SCOPES: "iam:validate", ADVERTISED_SCOPES: "iam:config,user" },
  },
  path: {
    auth: "github",
    variables: { ...github, BASE_URL: "https://tools.example.com/validator" },
  },
  azure: {
    auth: "azure",
    variables: {
      BASE_URL: base,
      ...keys,
      SCOPE_MAP: '{"role:user":["iam:validate"]}',
      AZURE_CLIENT_ID: "11112222-bbbb-3333-cccc-4444dddd5555",
      AZURE_TENANT_ID: "9188040d-6c67-4c5b-b112-36a304b66dad",
      AZURE_CLIENT_SECRET: "azure-s3cr3t",
    },
  },
  off: { auth: "github", variables: { ...github, LOGIN: "off" } },
};
