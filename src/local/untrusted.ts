/** Said when a config names code that was not loaded. */
export const untrusted =
  "the config names custom checks; they are not loaded, since it may come from the repository under review. --allow-config-custom-checks loads them.";
