import { Profile, profiles } from "../../spec/scopes.ts";
import { Settings } from "../../spec/settings.ts";

/** @returns One line per profile for `--list-profiles`, with the default marked. */
export function profileLines(): string[] {
  const width = Math.max(...Profile.options.map((name) => name.length));
  const standard = Settings.parse({}).profile;
  return Profile.options.map((name) => {
    const mark = name === standard ? " (default)" : "";
    return `${name.padEnd(width)}  ${profiles[name].description}${mark}`;
  });
}
