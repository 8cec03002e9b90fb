/** Words of the policy grammar that more than one check needs. */

export const currentVersion = "2012-10-17";
export const legacyVersion = "2008-10-17";
