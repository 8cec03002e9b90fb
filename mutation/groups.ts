/**
 * What is mutated, and the tests that have to notice. Paths from the root of the checkout. Tests are
 * the few that are about the code: with every suite a survivor would cost half a minute. Tests that
 * start a process notice nothing, since it runs code without the mutant.
 */
export interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Constants of the modules are changed, too. Each costs a run of all the tests of the group. */
  readonly constants?: boolean;
}

/** All that ask the login, the table of the contract among them, without a server; those of login-forms have their own group. */
const loginTests = [
  "src/login/*.test.ts",
  "!src/login/{redirects,resource,seal,settings,settings-values,text,values}.test.ts",
];

/** Checks with their folders and tests, and the tests of fixes about these subjects. */
function checkGroup(names: readonly string[], fixes: readonly string[] = []): Group {
  return {
    mutate: names.flatMap((name) => [`src/checks/${name}.ts`, `src/checks/${name}/**/*.ts`]),
    tests: [
      ...names.flatMap((name) => [`src/checks/${name}.test.ts`, `src/checks/${name}/**/*.test.ts`]),
      ...fixes.map((subject) => `src/checks/fixes-of-${subject}.test.ts`),
    ],
  };
}

/** What checks share, with its own tests and those of checks that use it, each with its folder. */
function sharedGroup(
  names: readonly string[],
  users: readonly string[],
  fixes: readonly string[],
): Group {
  return {
    mutate: names.map((name) => `src/checks/shared/${name}.ts`),
    tests: ["src/checks/shared/**/*.test.ts", ...checkGroup(users, fixes).tests],
  };
}

export const groups: Readonly<Record<string, Group>> = {
  "access-values": {
    mutate: ["src/access/{addresses,evaluate-values,intervals}.ts"],
    tests: ["src/access/{intervals,values}.test.ts"],
  },
  "access-facts": {
    mutate: [
      "src/access/{account-digits,callers,derived-keys,minimal,signed,tokens,well-formed}.ts",
    ],
    tests: [
      "src/access/{account-digits,callers,derived-keys,minimal,signed,tokens,well-formed}.test.ts",
    ],
  },
  "access-tables": {
    mutate: ["src/access/{conditions,keys,literals,patterns,pick-value,read-pattern,words}.ts"],
    tests: ["src/access/{conditions,keys,literals,patterns,pick-value,read-pattern,words}.test.ts"],
  },
  "access-texts": {
    mutate: ["src/access/{meet,uncovered}.ts"],
    tests: ["src/access/{meet,patterns,texts,uncovered}.test.ts"],
  },
  "access-statements": {
    mutate: [
      "src/access/{absent,caller-kinds,config-block,document,principal-literals,statements}.ts",
    ],
    tests: [
      "src/access/{absent,caller-kinds,config-block,document,principal-literals,statements}.test.ts",
    ],
  },
  "access-parts": {
    mutate: ["src/access/{action-index,budget,groups,links}.ts"],
    tests: ["src/access/{action-index,budget,groups,links}.test.ts"],
  },
  "access-search": {
    mutate: ["src/access/{feasible,question,search}.ts"],
    tests: ["src/access/{feasible,question,search}.test.ts"],
  },
  "access-evaluate": {
    mutate: ["src/access/evaluate{,-condition,-principal,-text}.ts"],
    tests: ["src/access/evaluate{,-condition,-entries,-principal}.test.ts"],
  },
  "access-bind": {
    mutate: ["src/access/bind.ts"],
    tests: ["src/access/bind.test.ts"],
  },
  "access-choice": {
    mutate: ["src/access/{action-choice,value-groups}.ts"],
    tests: ["src/access/{action-choice,value-groups}.test.ts"],
  },
  "access-draft": {
    mutate: ["src/access/{draft,witness,witness-rules}.ts"],
    tests: ["src/access/witness{,-tries}.test.ts"],
  },
  "access-leaf": {
    mutate: ["src/access/{leaf,leaf-equalities,leaf-refutation,leaf-variables}.ts"],
    tests: ["src/access/{leaf-equalities,leaf-refutation,leaf-variables}.test.ts"],
  },
  "access-confirm": {
    mutate: ["src/access/confirm.ts"],
    tests: ["src/access/confirm.test.ts"],
  },
  "access-asked": {
    mutate: ["src/access/{questions,relate}.ts"],
    tests: ["src/access/{granted,questions,relate}.test.ts"],
  },
  "access-settings": {
    mutate: ["src/access/{setting,shared-providers,undecided}.ts"],
    tests: ["src/access/{setting,shared-providers,undecided}.test.ts"],
  },
  "access-public": {
    mutate: ["src/access/{own-access-point,public,trusted,untrusted}.ts"],
    tests: [
      "src/access/public{,-callers,-named}.test.ts",
      "src/access/{trusted,trusted-claims,untrusted}.test.ts",
    ],
  },
  "access-asking": {
    mutate: ["src/access/{answers,asked,asking,origin}.ts"],
    tests: ["src/access/asking{,-documents}.test.ts"],
  },
  "access-library": {
    mutate: ["src/access/{library,request,run,types}.ts"],
    tests: ["src/access/{library,run,types}.test.ts"],
  },
  "engine-merge": {
    mutate: [
      "src/engine/{collect,deduplicator,merge-findings,once-per-entry,once-per-place,supersede,verdict}.ts",
    ],
    tests: [
      "src/engine/{collect,deduplicator,merge-findings,once-per-entry,once-per-place,supersede,verdict}.test.ts",
    ],
  },
  "engine-place": {
    mutate: ["src/engine/validate-place.ts"],
    tests: ["src/engine/validate-place{,-attached}.test.ts"],
  },
  "engine-parts": {
    mutate: [
      "src/engine/{fingerprint,ignore,only-endpoint,place-order,plan,policy-type-word,prefixes,project,public-answers,registry,severities}.ts",
    ],
    tests: [
      "src/engine/{fingerprint,ignore,only-endpoint,place-order,plan,policy-type-word,prefixes,project,public-answers,severities}.test.ts",
    ],
  },
  "engine-exceptions": {
    mutate: ["src/engine/{except-findings,exceptions}.ts"],
    tests: ["src/engine/exceptions.test.ts"],
  },
  "engine-fixes": {
    mutate: ["src/engine/{fix-container,fix-entry,fix-policy,give-fixes}.ts"],
    tests: ["src/engine/{fix-container,fix-functions,fix-terraform,give-fixes}.test.ts"],
  },
  engine: {
    mutate: [
      "src/engine/{aws-codes,batch,context,engine,resource-types,run,validate-container}.ts",
    ],
    tests: [
      "src/engine/{aliases,collect,one-fact,resource-types,run}.test.ts",
      "src/checks/{aws-carried,aws-places,any-document}.test.ts",
    ],
  },
  "policy-values": {
    mutate: [
      "src/policy/{arn,condition-operator,condition-value,decimal,named-resource,plain-form,statement,summary}.ts",
    ],
    tests: [
      "src/policy/{arn,condition-operator,condition-value,decimal,named-resource,plain-form,statement,summary}.test.ts",
      "src/policy/normalise.test.ts",
    ],
  },
  "policy-text": {
    mutate: ["src/policy/{document,yaml-compose,yaml-text}.ts"],
    tests: ["src/policy/{document,document-kinds,yaml-text}.test.ts"],
  },
  "policy-names": {
    mutate: [
      "src/policy/{address-ranges,endpoint-keys,escape-invisible,expression,identity-provider-key,oidc-providers,only-service,policy-variables,regions}.ts",
    ],
    tests: [
      "src/policy/{address-ranges,endpoint-keys,escape-invisible,expression,identity-provider-key,only-service,policy-variables,regions}.test.ts",
    ],
  },
  "policy-types": {
    mutate: [
      "src/policy/{condition-key-type,default-type-globs,detect-type,fact-slot,global-condition-keys,normalise,type-facts,type-globs,wildcard}.ts",
    ],
    tests: [
      "src/policy/{default-type-globs,detect-type,fact-slot,global-condition-keys,normalise,type-facts,type-globs,wildcard}.test.ts",
    ],
  },
  "reports-words": {
    mutate: ["src/reports/{answers,code-frame,inline,suppressed,totals}.ts"],
    tests: ["src/reports/{code-frame,inline,words}.test.ts"],
  },
  "reports-lines": {
    mutate: ["src/reports/{concise,csv,github,gitlab,junit,rdjson}.ts"],
    tests: ["src/reports/{ci-formats,csv,words}.test.ts"],
  },
  "reports-text": {
    mutate: ["src/reports/text.ts"],
    tests: ["src/reports/{related,text,text-details}.test.ts"],
  },
  "reports-markdown": {
    mutate: ["src/reports/{markdown,markdown-text}.ts"],
    tests: ["src/reports/markdown.test.ts"],
  },
  "reports-sarif": {
    mutate: ["src/reports/{artifact-uri,fingerprints,json-text,sarif,sarif-rules,sarif-text}.ts"],
    tests: ["src/reports/{related,sarif,sarif-details}.test.ts"],
  },
  "reports-html": {
    mutate: ["src/reports/html*.ts"],
    tests: ["src/reports/{html,html-page,related}.test.ts"],
  },
  "reports-edits": {
    mutate: ["src/reports/edits.ts"],
    tests: ["src/reports/edits.test.ts"],
  },
  "services-actions": {
    mutate: ["src/services/{domain-policy,lower-names,match-action,statement-actions}.ts"],
    tests: ["src/services/{domain-policy,match-action,statement-actions}.test.ts"],
  },
  "services-names": {
    mutate: ["src/services/{condition-key-pattern,service,service-list,suggest}.ts"],
    tests: ["src/services/{condition-key-pattern,service,service-list,suggest}.test.ts"],
  },
  "services-arns": {
    mutate: ["src/services/arn-overlap.ts"],
    tests: ["src/services/arn-overlap.test.ts"],
  },
  "services-data": {
    mutate: ["src/services/{definition,embedded-format}.ts"],
    tests: ["src/services/{definition,embedded-format,service}.test.ts"],
  },
  "services-embedded": {
    mutate: ["src/services/embedded.ts"],
    tests: ["src/services/embedded.test.ts"],
  },
  "services-files": {
    mutate: ["src/services/{directory,disk-cache,load-services,shared-loads}.ts"],
    tests: ["src/services/{directory,disk-cache,load-services,shared-loads}.test.ts"],
  },
  "services-remote": {
    mutate: ["src/services/{fetch-document,remote,sync}.ts"],
    tests: ["src/services/{remote,sync}.test.ts"],
  },
  "checks-access": {
    mutate: [
      "src/checks/{access-not-granted,no-new-access,no-public-access}.ts",
      "src/checks/shared/access/*.ts",
    ],
    tests: [
      "src/checks/{access-not-granted,no-new-access,no-public-access}.test.ts",
      "src/checks/shared/access/*.test.ts",
      "src/checks/federated-subject/texts.test.ts",
    ],
  },
  "checks-wildcards": checkGroup(
    ["full-wildcard", "service-wildcard", "wildcard-action", "wildcard-resource"],
    ["grants", "wildcards"],
  ),
  "checks-negations": checkGroup(["not-action-not-resource", "not-principal-validation"], ["form"]),
  "checks-principals": checkGroup(["principal-validation"]),
  "checks-trust": checkGroup(
    ["federated-subject", "trust-policy-validation"],
    ["arns", "grants", "names"],
  ),
  "checks-sensitive": checkGroup(["sensitive-action"], ["grants"]),
  "checks-enforcement": checkGroup(["action-condition-enforcement"], ["grants"]),
  "checks-actions": checkGroup(["action-validation"], ["actions", "form", "names"]),
  "checks-resources": checkGroup(["arn-fields", "resource-validation"], ["arns", "form", "names"]),
  "checks-matching": checkGroup(["action-resource-matching"], ["arns", "form", "names"]),
  "checks-keys": checkGroup(["condition-key-validation"], ["conditions", "form", "names"]),
  "checks-values": checkGroup(["condition-type-mismatch"], ["arns", "conditions", "form", "names"]),
  "checks-effect": checkGroup(["condition-effect"], ["conditions", "form", "grants"]),
  "checks-operators": checkGroup(
    [
      "address-ranges",
      "ifexists-condition-usage",
      "mfa-condition-antipattern",
      "policy-variables",
      "set-operator-validation",
    ],
    ["conditions", "form", "names"],
  ),
  "checks-structure": checkGroup(
    ["empty-elements", "policy-size", "policy-structure", "sid-uniqueness"],
    ["conditions", "form", "names"],
  ),
  "checks-types": checkGroup(
    ["policy-type-validation", "rcp-best-practices"],
    ["arns", "form", "grants", "names"],
  ),
  "checks-redundancy": checkGroup(["redundancy", "service-linked-roles"], ["form", "grants"]),
  "checks-shared-arns": sharedGroup(
    [
      "arn-formats",
      "arn-rule",
      "counting-actions",
      "dead-actions",
      "kebab",
      "meant-arn",
      "placeholders",
      "required-region",
      "resources-of-statement",
      "sample-arn",
      "unlisted-arns",
    ],
    ["action-resource-matching", "arn-fields", "resource-validation", "wildcard-resource"],
    ["arns", "form", "names", "wildcards"],
  ),
  "checks-shared-conditions": sharedGroup(
    [
      "admits-everyone",
      "caller-keys",
      "callers-without-key",
      "condition-*",
      "dates",
      "named-principals",
      "null-checked",
      "open-subject",
      "sets-tags",
      "statement-keys",
      "switch-value",
    ],
    [
      "action-condition-enforcement",
      "condition-effect",
      "condition-key-validation",
      "condition-type-mismatch",
      "federated-subject",
      "ifexists-condition-usage",
      "mfa-condition-antipattern",
      "principal-validation",
      "set-operator-validation",
      "trust-policy-validation",
    ],
    ["conditions", "grants"],
  ),
  "checks-shared-fixes": sharedGroup(
    [
      "bare-statement",
      "corrected",
      "corrected-entry",
      "fix-split",
      "fixed-by",
      "list-fixes",
      "merge-strategy",
      "powerful",
      "rcp-shape",
      "size-limits",
    ],
    [
      "action-condition-enforcement",
      "action-resource-matching",
      "policy-size",
      "policy-structure",
      "policy-type-validation",
      "sensitive-action",
    ],
    ["actions", "arns", "conditions", "form", "grants", "limits", "names", "wildcards"],
  ),
  "checks-shared-codes": {
    mutate: ["src/checks/shared/{aws-codes,code-fixes,left-out-codes,resource-type-fixes}.ts"],
    tests: [
      "src/checks/shared/left-out-codes.test.ts",
      "src/checks/{aws-carried,aws-places,any-document}.test.ts",
      "src/checks/fixes-of-*.test.ts",
    ],
  },
  "checks-shared-texts": sharedGroup(
    ["grammar", "other-service-names", "quote", "suggestion-budget", "text-options", "texts"],
    [
      "action-validation",
      "full-wildcard",
      "policy-structure",
      "policy-variables",
      "service-wildcard",
      "wildcard-action",
    ],
    ["names"],
  ),
  "checks-shared-grants": sharedGroup(
    ["action-grants", "grants/*"],
    [
      "action-condition-enforcement",
      "full-wildcard",
      "not-action-not-resource",
      "redundancy",
      "sensitive-action",
      "service-wildcard",
      "trust-policy-validation",
      "wildcard-action",
      "wildcard-resource",
    ],
    ["grants", "wildcards"],
  ),
  guard: {
    mutate: ["src/http/guard.ts"],
    tests: ["test/contract/guard.test.ts"],
  },
  digest: {
    mutate: ["src/config/digest.ts"],
    tests: ["src/config/*.test.ts"],
  },
  analyze: {
    mutate: [
      "src/analyze/{regions,rate-limiter,document,ambient-region}.ts",
      "src/tools/analyze-policy.ts",
    ],
    tests: ["src/analyze/*.test.ts", "src/tools/analyze-policy.test.ts"],
  },
  audit: {
    mutate: [
      "src/mcp/{audit,fence}.ts",
      "src/protocol/{invalid-arguments,message,excerpt}.ts",
      "src/defect.ts",
      "src/tools/masked.ts",
    ],
    tests: [
      "src/mcp/{audit,fence}.test.ts",
      "src/protocol/{invalid-arguments,message}.test.ts",
      "src/defect.test.ts",
      "src/tools/masked.test.ts",
    ],
  },
  "auth-edge": {
    mutate: [
      "src/auth/{bearer,bearer-authenticator,challenge,context,create,discovery,identity,metadata}.ts",
      "src/auth/providers/none.ts",
      "src/auth/{required-scopes,scope-map,secret-flags,token}.ts",
      "src/lru-cache.ts",
      "src/json/unique.ts",
    ],
    tests: [
      "src/auth/{bearer,challenge,context,create,discovery,scope-map}.test.ts",
      "src/lru-cache.test.ts",
      "src/auth/{secret-flags,token}.test.ts",
      "src/auth/providers/none.test.ts",
      "src/json/unique.test.ts",
    ],
    constants: true,
  },
  "auth-gateway": {
    mutate: ["src/auth/providers/{gateway,gateway-url-check}.ts"],
    tests: ["src/auth/providers/gateway.test.ts"],
    constants: true,
  },
  "auth-jwt": {
    mutate: [
      "src/auth/{clocks,jwt,jwt-claims,jwt-verifier,key-source,http-json,verification-key}.ts",
    ],
    tests: ["src/auth/{clocks,http-json,jwt,jwt-verifier,key-source,verification-key}.test.ts"],
    constants: true,
  },
  "auth-providers": {
    mutate: [
      "src/auth/providers/{auth0,azure,github,google,keycloak,workos}.ts",
      "src/auth/{identity-provider,opaque-tokens}.ts",
    ],
    tests: [
      "src/auth/providers/{jwt-providers,opaque-providers}.test.ts",
      "src/auth/opaque-tokens.test.ts",
    ],
    constants: true,
  },
  "login-forms": {
    mutate: [
      "src/login/{client-id,cookies,grant,keys,random,redirects,resource,seal,settings,text}.ts",
    ],
    tests: ["src/login/{redirects,resource,seal,settings,settings-values,text,values}.test.ts"],
    constants: true,
  },
  "login-values": {
    mutate: ["src/login/access-token.ts"],
    tests: loginTests,
    constants: true,
  },
  "login-pages": {
    mutate: [
      "src/login/{answers,authorize,body,callback,client-document,client-document-fetch,consent,front,metadata,pages,register,routes}.ts",
    ],
    tests: loginTests,
    constants: true,
  },
  "login-tokens": {
    mutate: [
      "src/login/{authenticator,create,events,issue,provider-failure,refresh,refusal,revoke,token,token-request}.ts",
    ],
    tests: loginTests,
    constants: true,
  },
  "login-providers": {
    mutate: ["src/login/upstream/*.ts"],
    tests: ["src/login/upstream/*.test.ts"],
    constants: true,
  },
  calls: {
    mutate: ["src/mcp/{call-tool,fast-path,fast-answer}.ts"],
    tests: ["src/mcp/{call-tool,fast-path,fast-answer}.test.ts"],
  },
  components: {
    mutate: ["src/mcp/{prompts,resources}.ts"],
    tests: ["src/mcp/{prompts,resources}.test.ts"],
  },
  protocol: {
    mutate: ["src/mcp/{handle-mcp,server-for}.ts"],
    tests: ["src/mcp/{handle-mcp,server-for}.test.ts"],
  },
  app: {
    mutate: ["src/app.ts"],
    tests: ["src/app.test.ts"],
  },
  limits: {
    mutate: [
      "src/tools/{validate-policies,policy-entry,run-validation,issue-budget}.ts",
      "src/deadline.ts",
      "src/json/depth.ts",
      "src/engine/batch.ts",
      "src/policy/limits.ts",
    ],
    tests: [
      "src/tools/{validate-policies,run-validation,issue-budget}.test.ts",
      "src/deadline.test.ts",
      "src/json/depth.test.ts",
    ],
  },
  fit: {
    mutate: ["src/results/{fit,result-size}.ts"],
    tests: ["src/results/{fit,result-size}.test.ts"],
  },
  http: {
    mutate: [
      "src/http/{body,body-memory,streams,channel}.ts",
      "src/protocol/{accept,rpc-error}.ts",
      "src/mcp/subscription.ts",
    ],
    tests: [
      "src/http/{body,body-memory,streams,channel}.test.ts",
      "src/protocol/{accept,rpc-error}.test.ts",
      "src/mcp/subscription.test.ts",
    ],
  },
  scopes: {
    mutate: ["spec/scopes.ts", "src/mcp/{catalogue,listed-tool,uri-template}.ts"],
    tests: ["src/mcp/{catalogue,listed-tool,uri-template}.test.ts"],
  },
};
