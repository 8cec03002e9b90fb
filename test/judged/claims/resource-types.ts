import { type Case, covers, first, services, texts } from "./case.ts";

/** "has the type …, which … does not have". */
function isNoType({ quoted: [arn = "", type = "", service = ""], statement }: Case): string | null {
  const forms = (services.get(service)?.resourceTypes ?? []).flatMap(
    ({ arnFormats }) => arnFormats,
  );
  return first(
    !texts(statement.Resource).includes(arn) && "the resource is not there",
    arn.split(":")[2] !== service && "it is of another service",
    !new RegExp(`^${type}[/:]`).test(arn.split(":").slice(5).join(":")) && "it has another type",
    forms.some((form) => new RegExp(`^(?:[^:]*:){5}${type}[/:]`).test(form)) && "the type exists",
  );
}

/** "The policy is that of a key …". */
function isInKeyPolicy({ statement, statements }: Case): string | null {
  return first(
    !statements.some((one) =>
      texts(one.Action).some((action) => /^kms:(?:\*|Put)/i.test(action)),
    ) && "no statement lets a principal administer a key",
    texts(statement.Action).some((action) => /^kms:/i.test(action)) && "an action is of kms",
  );
}

/** "Every launch is also authorized against its …, which `NotResource` does not exempt". */
function deniesLaunches({ statement, quoted }: Case): string | null {
  const exempt = texts(statement.NotResource);
  const types = quoted.filter((text) => /^[a-z-]+$/.test(text));
  return first(
    !covers(statement, "ec2:RunInstances") && "it does not cover launches",
    types.length === 0 && "no type is named",
    types.some((type) => exempt.some((one) => new RegExp(`:${type}/`).test(one))) &&
      "a type is exempt",
  );
}

/** What messages say of the types of resources that a service has; undefined for other messages. */
export function ofResourceTypes(example: Case): string | null | undefined {
  const { message } = example.finding;
  if (/has the type/.test(message)) return isNoType(example);
  if (/^The policy is that of a key/.test(message)) return isInKeyPolicy(example);
  if (/^Every launch is .*`NotResource`/.test(message)) return deniesLaunches(example);
  return undefined;
}
