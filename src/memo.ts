/**
 * @returns `compute`, which runs once for each subject; its result lives as long as the subject.
 * For policies and statements use `FactSlot`.
 */
export function memo<Subject extends object, Value>(
  compute: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const results = new WeakMap<Subject, { readonly value: Value }>();
  return (subject) => {
    let result = results.get(subject);
    if (!result) {
      result = { value: compute(subject) };
      results.set(subject, result);
    }
    return result.value;
  };
}
