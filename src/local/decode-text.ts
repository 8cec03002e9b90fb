/**
 * Decodes a file: UTF-8, or UTF-16 with a byte-order mark, which PowerShell writes when the output of
 * a command such as `terraform show -json` is redirected.
 * @throws {TypeError} If it is neither.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
