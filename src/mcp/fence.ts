/**
 * A Markdown code block with the unchanged text. Its fence is longer than any run of back-ticks in the
 * text, so the text cannot end the block.
 */
export function fenced(text: string): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}
