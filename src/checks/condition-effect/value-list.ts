/** A condition key whose values AWS lists one by one. */
export interface ValueList {
  /** Lower case. */
  readonly key: string;
  readonly values: readonly string[];
  /** AWS adds to the list now and then, so only a misspelt value is certain to be wrong. */
  readonly grows: boolean;
  /** Other names that people give to values, in lower case with letters and digits only. */
  readonly names?: Readonly<Record<string, string>>;
  /** How the values are written, those that AWS may add too: a text of another form is none. */
  readonly written?: RegExp;
  readonly page: string;
}
