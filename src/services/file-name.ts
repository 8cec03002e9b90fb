const reserved = new Set(["_services", "_manifest"]);

/**
 * File name (without its ending) of a service in a data directory. Names come from remote data, so
 * what is left of one never leaves the directory and never takes the place of its list.
 * @returns null when no usable name is left.
 */
export function fileNameOf(service: string): string | null {
  const name = service
    .toLowerCase()
    .replaceAll(" ", "_")
    .replaceAll(/[^a-z0-9._-]/g, "_")
    .replace(/^\.+/, "");
  return name === "" || reserved.has(name) ? null : name;
}
