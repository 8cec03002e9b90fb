const backTick = 0x60;

/**
 * A Markdown code block with the unchanged text. Its fence is longer than any run of back-ticks in the
 * text, so the text cannot end the block.
 */
export function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Length of the longest run of back-ticks. No expression: a text of megabytes may be nothing but short runs. */
function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = text.charCodeAt(at) === backTick ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
