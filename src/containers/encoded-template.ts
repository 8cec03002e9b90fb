/** `${jsonencode({…})}` and nothing else, as Terraform's documentation advises for templates of JSON. */
export function isEncoded(text: string): boolean {
  return (
    /^\s*\$\{\s*jsonencode\s*\(/.test(text) && /\bStatement\b/.test(text) && /\bEffect\b/.test(text)
  );
}
