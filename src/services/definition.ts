import { z } from "zod";
import { asciiLower } from "../ascii.ts";
import type { AccessLevel, ActionFacts, ResourceType, Service, ServiceFacts } from "./model.ts";
import { compileService } from "./service.ts";

/**
 * Names of actions, resource types and condition keys. They are shown to models and compared with every key of a
 * policy, so a poisoned document must not bring line ends, mark-up or names without an end. AWS's longest has 74
 * characters.
 */
const maxNameLength = 256;
const plainName = z
  .string()
  .regex(/^[\w./ -]+$/, "not a name")
  .min(1)
  .max(maxNameLength);
/** With placeholders such as `${TagKey}` and `<issuer>`. */
const keyName = z
  .string()
  .regex(/^[\w.:/${}<>@*+= -]+$/, "not a condition key")
  .min(1)
  .max(maxNameLength);
const formats = z
  .array(
    z
      .string()
      .max(8_192)
      .regex(/^[^\p{C}`]*$/u, "not an ARN format"),
  )
  .nullish()
  .transform((list) => list ?? []);
const names = z
  .array(keyName)
  .nullish()
  .transform((list) => list ?? []);
const flag = z.boolean().nullish();

/** A service in the format of the AWS service reference; members that are not listed here are ignored. */
export const AwsServiceDefinition = z.looseObject({
  Name: plainName,
  Version: z.string().nullish(),
  Actions: z
    .array(
      z.looseObject({
        Name: plainName,
        ActionConditionKeys: names,
        Resources: z.array(z.looseObject({ Name: plainName })).nullish(),
        Annotations: z
          .looseObject({
            Properties: z
              .looseObject({
                IsList: flag,
                IsPermissionManagement: flag,
                IsTaggingOnly: flag,
                IsWrite: flag,
              })
              .nullish(),
            Description: z.string().nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  Resources: z
    .array(z.looseObject({ Name: plainName, ARNFormats: formats, ConditionKeys: names }))
    .nullish(),
  ConditionKeys: z
    .array(
      z.looseObject({
        Name: keyName,
        Types: names,
        Description: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type AwsServiceDefinition = z.input<typeof AwsServiceDefinition>;
type Parsed = z.output<typeof AwsServiceDefinition>;
type ParsedAction = NonNullable<Parsed["Actions"]>[number];

/** @throws {z.ZodError} If the document does not match the format of the service reference. */
export function factsFromDefinition(document: unknown): ServiceFacts {
  const definition = AwsServiceDefinition.parse(document);
  const actions = uniqueByName(definition.Actions ?? []);
  const conditionKeys = uniqueByName(definition.ConditionKeys ?? []);
  return {
    prefix: asciiLower(definition.Name),
    actions: actions.map(actionFacts),
    resourceTypes: uniqueByName(definition.Resources ?? []).map(
      (type): ResourceType => ({
        name: type.Name,
        arnFormats: splitArnFormats(type.ARNFormats),
        conditionKeys: type.ConditionKeys,
      }),
    ),
    conditionKeys: conditionKeys.map((key) => ({ name: key.Name, types: key.Types })),
    descriptions: () => ({
      actions: actions.map((action) => action.Annotations?.Description ?? null),
      conditionKeys: conditionKeys.map((key) => key.Description ?? null),
    }),
  };
}

/** Some documents have several formats in one string, separated by commas. */
export function splitArnFormats(formats: readonly string[]): readonly string[] {
  return formats.flatMap((format) =>
    format
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );
}

/** The service in the format of the AWS service reference, as `sync-services` writes it. */
export function definitionFromService(service: Service): AwsServiceDefinition {
  return {
    Name: service.prefix,
    Version: "v1.4",
    Actions: service.actions.map((action) => ({
      Name: action.name,
      ...(action.conditionKeys.length > 0 && { ActionConditionKeys: [...action.conditionKeys] }),
      Annotations: {
        ...(action.accessLevel !== "Unknown" && { Properties: propertiesOf(action.accessLevel) }),
        ...(action.description !== null && { Description: action.description }),
      },
      ...(action.resourceTypes.length > 0 && {
        Resources: action.resourceTypes.map((name) => ({ Name: name })),
      }),
    })),
    ConditionKeys: service.conditionKeys.map((key) => ({
      Name: key.name,
      Types: [...key.types],
      ...(key.description !== null && { Description: key.description }),
    })),
    Resources: service.resourceTypes.map((type) => ({
      Name: type.name,
      ARNFormats: [...type.arnFormats],
      ...(type.conditionKeys.length > 0 && { ConditionKeys: [...type.conditionKeys] }),
    })),
  };
}

function propertiesOf(level: AccessLevel) {
  return {
    IsList: level === "list",
    IsPermissionManagement: level === "permissions-management",
    IsTaggingOnly: level === "tagging",
    IsWrite: level === "write",
  };
}

function actionFacts(action: ParsedAction): ActionFacts {
  return {
    name: action.Name,
    accessLevel: accessLevelOf(action),
    resourceTypes: [...new Set((action.Resources ?? []).map((resource) => resource.Name))],
    conditionKeys: [...new Set(action.ActionConditionKeys)],
  };
}

function accessLevelOf(action: ParsedAction): AccessLevel {
  const flags = action.Annotations?.Properties;
  if (!flags) return "Unknown";
  if (flags.IsPermissionManagement) return "permissions-management";
  if (flags.IsTaggingOnly) return "tagging";
  if (flags.IsWrite) return "write";
  return flags.IsList ? "list" : "read";
}

/** Drops names that differ from an earlier one only in case: look-ups ignore case. */
function uniqueByName<Item extends { Name: string }>(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const lower = asciiLower(item.Name);
    return !seen.has(lower) && seen.add(lower);
  });
}

/** Maximum bytes of one definition; AWS's largest is about 1 MB. */
export const maxDefinitionBytes = 16 * 1024 * 1024;

/** @throws {Error} If the text is not a definition, or that of another service. */
export function serviceFromText(prefix: string, text: string): Service {
  const facts = factsFromDefinition(JSON.parse(text));
  if (facts.prefix !== prefix) throw new Error(`the document is about another service`);
  return compileService(facts);
}
