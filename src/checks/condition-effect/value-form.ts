/** What the values of a condition key look like. */
export interface ValueForm {
  /** Lower case. */
  readonly keys: readonly string[];
  /** Ends the sentence "its values are …". */
  readonly words: string;
  /** A value without wildcards that the key can have. */
  readonly value: RegExp;
  /** What every value begins with; a pattern must be able to begin so too. */
  readonly prefixes: readonly string[];
  /** Every character that the values have; a pattern with another one never matches. */
  readonly characters?: RegExp;
  /** Texts, also with wildcards, that no value matches for another reason. */
  readonly impossible?: RegExp;
  /** The same, where a pattern of text does not say it. */
  readonly refuses?: (text: string) => boolean;
  /** The values have capital letters, so nothing is said about a test that ignores case. */
  readonly hasCapitals?: true;
  /** AWS's code where its policy check says the same. */
  readonly code: string | null;
  /** The page that says so. */
  readonly page: string;
}
