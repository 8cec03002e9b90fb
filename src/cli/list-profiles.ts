import { Profile, profiles } from "../../spec/scopes.ts";
import { Settings } from "../../spec/settings.ts";

/** @returns one line per profile for `--list-profiles`; the default one is marked. */
export function profileLines(): string[] {
  const width = Math.max(...Profile.options.map((name) => name.length));
  const standard = Settings.parse({}).profile;
  return Profile.options.map((name) => {
    const mark = name === standard ? " (default)" : "";
    return `${name.padEnd(width)}  ${profiles[name].description}${mark}`;
  });
}
