import type { Span } from "../../json/text-tree.ts";
import type { Unknowns } from "../unknowns.ts";
import type { Choice } from "./choices.ts";
import { pseudoParameter, type ResourceNames, resourceNames } from "./names.ts";
import { leaf, type Resolved, removed, tokenFor, unknownValue } from "./resolved.ts";
import { member, type Part, type Template } from "./template.ts";

/** `AllowedPattern` of an account id. */
const accountPattern = /^\^?(\\d\{12\}|\[0-9\]\{12\})\$?$/;

/** More than the names of all types have. Where each name is made of another twice, thirty would fill the memory. */
const longestName = 2_048;

/** The values of parameters and resources by their names, for one choice. */
export class References {
  /** Names of resources, each worked out once; null: no property gives it. */
  readonly #names = new Map<string, string | null>();
  readonly #template: Template;
  readonly #unknowns: Unknowns;
  readonly #choice: Choice;
  readonly #resolve: (part: Part) => Resolved | typeof removed;

  constructor(
    template: Template,
    unknowns: Unknowns,
    choice: Choice,
    resolve: (part: Part) => Resolved | typeof removed,
  ) {
    this.#template = template;
    this.#unknowns = unknowns;
    this.#choice = choice;
    this.#resolve = resolve;
  }

  /** The value of `Ref`. */
  ref(name: string, whole: Part): Resolved | typeof removed {
    const { root } = whole;
    const chosen = this.#choice.values.get(name);
    const parameter = this.#template.parameters.get(name);
    if (chosen !== undefined) {
      const isList = parameter && /^(CommaDelimitedList|List<)/.test(parameter.type);
      const texts = chosen.split(",").map((one) => one.trim());
      return leaf(isList ? texts : chosen, root);
    }
    if (name === "AWS::NoValue") return removed;
    const pseudo = pseudoParameter(name);
    if (pseudo) return unknownValue(this.#unknowns, name, root, pseudo);
    if (parameter) {
      const isAccount = accountPattern.test(parameter.pattern ?? "");
      return unknownValue(this.#unknowns, name, root, isAccount ? "account" : "text");
    }
    const names = this.#namesOf(name);
    if (!names) {
      // A loop variable, whose list the template does not give, is not known to have the values of another version.
      const isResource = this.#template.resources.has(name);
      const expression = isResource ? undefined : this.#unknowns.onlyThisVersion;
      return unknownValue(this.#unknowns, name, root, "text", expression);
    }
    switch (names.ref) {
      case "name":
        return leaf(this.#physicalName(name, names, root), root);
      case "arn":
        return leaf(this.#arn(name, names, root), root);
      default:
        return unknownValue(this.#unknowns, name, root);
    }
  }

  #namesOf(id: string): ResourceNames | null {
    const type = this.#template.resources.get(id)?.type;
    return type != null && Object.hasOwn(resourceNames, type)
      ? (resourceNames[type] ?? null)
      : null;
  }

  /** @returns The name of a resource: as a property gives it, else the token of it. */
  #physicalName(id: string, names: ResourceNames, span: Span | null): string {
    if (!this.#names.has(id)) {
      // Until it is known: a name may be made of itself.
      this.#names.set(id, null);
      this.#names.set(id, this.#nameGiven(id, names));
    }
    const source = names.nameAttribute ? `${id}.${names.nameAttribute}` : id;
    return this.#names.get(id) ?? tokenFor(this.#unknowns, source, "name", span);
  }

  #nameGiven(id: string, { property, prefix = "" }: ResourceNames): string | null {
    const properties = property && this.#template.resources.get(id)?.properties;
    const part = properties && member(properties, property);
    const resolved = part ? this.#resolve(part) : removed;
    const given = resolved === removed ? "" : resolved.value;
    const isText = typeof given === "string" && given.length <= longestName;
    const name = isText && given.startsWith(prefix) ? given.slice(prefix.length) : given;
    return isText && name !== "" ? String(name) : null;
  }

  #arn(id: string, names: ResourceNames, span: Span | null): string {
    return (names.arn ?? "{name}").replace(/\{([a-z]+)\}/g, (_all, field: string) => {
      switch (field) {
        case "partition":
          return this.#pseudo("AWS::Partition", span);
        case "region":
          return this.#pseudo("AWS::Region", span);
        case "account":
          return this.#pseudo("AWS::AccountId", span);
        default:
          return this.#physicalName(id, names, span);
      }
    });
  }

  /** @returns The ARN of a resource of the template; null: there is none, or its form is not known. */
  arnOf(id: string): string | null {
    const names = this.#namesOf(id);
    return names?.arn ? this.#arn(id, names, null) : null;
  }

  #pseudo(name: string, span: Span | null): string {
    return (
      this.#choice.values.get(name) ??
      tokenFor(this.#unknowns, name, pseudoParameter(name) ?? "text", span)
    );
  }

  /** The value of `Fn::GetAtt`, as `Id.Attribute`. */
  attribute(path: string, span: Span | null): string {
    const at = path.indexOf(".");
    const id = at < 0 ? path : path.slice(0, at);
    const attribute = path.slice(at + 1);
    const names = this.#namesOf(id);
    if (names?.arn && attribute === (names.attribute ?? "Arn")) return this.#arn(id, names, span);
    if (names && attribute === names.nameAttribute) return this.#physicalName(id, names, span);
    return tokenFor(this.#unknowns, path, "text", span);
  }
}
