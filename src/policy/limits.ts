/** Nested arrays and objects that a document may have, the outermost included. */
export const maxDepth = 100;

/** Says so, without the place and the full stop. */
export const tooDeep = `The policy nests arrays and objects deeper than ${maxDepth} levels`;
